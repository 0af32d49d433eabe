import CTestSupport
import Glibc

/// Both ends of a child's standard streams.
struct StreamEnds {
    /// The test's ends. On a terminal each direction has its own descriptor, so that each can be closed.
    let input: Int32
    let output: Int32
    let errors: Int32?
    /// The child's descriptors, from 0.
    let child: [Int32]
    /// The path of the terminal; nil for pipes.
    let terminal: String?

    init(_ streams: ChildProcess.Streams) throws(SupportError) {
        switch streams {
        case .pipes: try self.init(passing: [])
        case .pipesAnd(let descriptor):
            try self.init(passing: [try checked("dup") { fcntl(descriptor, F_DUPFD_CLOEXEC, 4) }])
        case .terminal(let columns, let rows):
            let (ours, theirs) = try openTerminal(columns: columns, rows: rows)
            self.init(
                input: try checked("dup") { fcntl(ours, F_DUPFD_CLOEXEC, 3) }, output: ours, errors: nil,
                child: [theirs, theirs, theirs], terminal: ttyname(theirs).map { String(cString: $0) })
        case .console(let path):
            let theirs = try checked("open", path) { open(path, O_RDWR | O_NOCTTY | O_CLOEXEC) }
            // Tests type on a console and read its screen by other means than descriptors.
            self.init(
                input: try Self.nowhere(), output: try Self.nowhere(), errors: nil,
                child: [theirs, theirs, theirs], terminal: path)
        }
    }

    private init(input: Int32, output: Int32, errors: Int32?, child: [Int32], terminal: String?) {
        (self.input, self.output, self.errors) = (input, output, errors)
        (self.child, self.terminal) = (child, terminal)
    }

    private init(passing descriptors: [Int32]) throws(SupportError) {
        let (childInput, input) = try Self.pipe()
        let (output, childOutput) = try Self.pipe()
        let (errors, childErrors) = try Self.pipe()
        self.init(
            input: input, output: output, errors: errors,
            child: [childInput, childOutput, childErrors] + descriptors, terminal: nil)
    }

    func closeChildEnds() { for descriptor in Set(child) { close(descriptor) } }

    private static func nowhere() throws(SupportError) -> Int32 {
        try checked("open", "/dev/null") { open("/dev/null", O_RDWR | O_CLOEXEC) }
    }

    private static func pipe() throws(SupportError) -> (reader: Int32, writer: Int32) {
        var (reader, writer): (Int32, Int32) = (-1, -1)
        try checked("pipe") { ctest_pipe(&reader, &writer) }
        return (reader, writer)
    }
}

/// A new pseudo-terminal, closed in every child: the end of a terminal emulator, and that of a program.
package func openTerminal(
    columns: UInt16, rows: UInt16
) throws(SupportError) -> (emulator: Int32, program: Int32) {
    let (path, flags) = ("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    let emulator = try checked("open", path) { open(path, flags) }
    // posix_openpt(3) and related functions are not imported into Swift; these are the ioctls that they use.
    var locked: Int32 = 0
    try checked("TIOCSPTLCK", path) { ioctl(emulator, 0x4004_5431, &locked) }
    let program = try checked("TIOCGPTPEER", path) { ioctl(emulator, 0x5441, flags) }
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try checked("TIOCSWINSZ", path) { ioctl(emulator, UInt(TIOCSWINSZ), &size) }
    return (emulator, program)
}

/// Starts a program with the child's ends as its descriptors.
func spawn(
    _ command: [String], environment: [String: String?], ends: StreamEnds
) throws(SupportError) -> Int32 {
    var pid: Int32 = 0
    let result = withCStrings(command) { arguments in
        withCStrings(merged(environment)) { variables in
            ctest_spawn(&pid, arguments, variables, ends.child, Int32(ends.child.count), ends.terminal)
        }
    }
    guard result == 0 else { throw .system(call: "spawn", subject: command[0], errno: result) }
    return pid
}

/// This process's environment with changes, each as `NAME=VALUE`.
private func merged(_ changes: [String: String?]) -> [String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let pointer = entry.pointee {
        let pair = String(cString: pointer)
            .split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        variables[String(pair[0])] = pair.count > 1 ? String(pair[1]) : ""
        entry += 1
    }
    for (name, value) in changes { variables[name] = value }
    return variables.map { "\($0)=\($1)" }
}

private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let pointers = strings.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    return body(pointers + [nil])
}
