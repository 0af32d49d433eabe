import Glibc

/// A journal in a temporary directory, and ways to run the real program on it.
package final class Workplace {
    /// The home directory of the programs, which also contains their journal. `deinit` removes it.
    package var directory: String { folder.path }
    private let folder: ScratchFolder
    /// Variables in addition to this process's own; nil removes one.
    package var environment: [String: String?]

    package init(environment: [String: String?] = [:]) throws(SupportError) {
        folder = try ScratchFolder()
        // The tests must not depend on the developer's configuration.
        self.environment = [
            "TZ": "UTC",
            "COUNTER_DATA_DIR": folder.path, "HOME": folder.path, "XDG_CONFIG_HOME": nil,
            "XDG_DATA_HOME": nil,
            "NO_COLOR": nil,
        ].merging(environment) { $1 }
    }

    /// Starts the screens in a terminal, as they are or by a command that starts them; the keys are intercepted from the start.
    package func open(
        _ options: [String] = ["--always"], by starter: [String] = [], columns: Int = 80, rows: Int = 24,
        environment: [String: String?] = [:], tmuxOptions: [String: String] = [:]
    ) throws -> TerminalSession {
        try TerminalSession(
            starter + [BuiltProducts.counter] + options, columns: columns, rows: rows,
            environment: variables(environment), options: tmuxOptions, keeping: folder)
    }

    /// The variables of a terminal that, by its TERM, reports its focus.
    package static let window: [String: String?] = ["TERM": "xterm-256color", "TMUX": nil, "STY": nil]

    /// An interactive shell in a terminal, in whose PATH is the program.
    package func shell(environment: [String: String?] = [:]) throws -> TerminalSession {
        let own: [String: String?] = [
            "PATH": "\(BuiltProducts.directory):/usr/bin:/bin", "PS1": "$ ", "SWIFT_BACKTRACE": "enable=no",
        ]
        let terminal = try TerminalSession(
            ["bash", "--norc", "-i"], environment: variables(environment).merging(own) { $1 },
            keeping: folder)
        try terminal.waitForText("$")
        return terminal
    }

    /// Starts the screens in a terminal that is not displayed: for tests that are faster than tmux.
    package func openUnseen(
        _ options: [String] = [], by starter: [String] = [], environment: [String: String?] = [:]
    ) throws -> ChildProcess {
        let terminal = Self.window.merging(["LANG": "C.UTF-8"]) { $1 }
        return try start(
            options, by: starter, environment: terminal.merging(environment) { $1 },
            streams: .terminal(columns: 80, rows: 24))
    }

    /// Starts the program, by a command that starts it or as it is.
    package func start(
        _ words: [String], by starter: [String] = [], environment: [String: String?] = [:],
        streams: ChildProcess.Streams = .pipes
    ) throws -> ChildProcess {
        try ChildProcess(
            starter + [BuiltProducts.counter] + words, environment: variables(environment),
            streams: streams, keeping: folder)
    }

    package func listen(_ options: [String] = []) throws -> ChildProcess {
        try start(["listen"] + options)
    }

    /// `listen`, once it follows the journal.
    package func following(_ options: [String] = ["--json"]) throws -> ChildProcess {
        let listener = try listen(options)
        try eventually("it to run") { !listener.process.children.isEmpty }
        return listener
    }

    /// Runs a script of a shell, whose `$0` is the program.
    package func run(script: String, by shell: String = "sh") throws -> ChildProcess.Outcome {
        try run([], by: [shell, "-c", script])
    }

    @discardableResult
    package func run(
        _ command: String..., by starter: [String] = [], environment: [String: String?] = [:],
        input: String = ""
    ) throws -> ChildProcess.Outcome {
        try run(command, by: starter, environment: environment, input: input)
    }

    @discardableResult
    package func run(
        _ command: [String], by starter: [String] = [], environment: [String: String?] = [:],
        input: String = ""
    ) throws -> ChildProcess.Outcome {
        try ChildProcess.run(
            starter + [BuiltProducts.counter] + command, environment: variables(environment), input: input)
    }

    /// Writes the configuration file of all later commands.
    package func configure(_ text: String) throws(SupportError) {
        for folder in ["/.config", "/.config/counter"] { mkdir(directory + folder, 0o700) }
        try write(".config/counter/config.toml", text)
    }

    /// Writes a file into the directory.
    package func write(_ name: String, _ bytes: [UInt8]) throws(SupportError) {
        try folder.write(name, bytes)
    }
    package func write(_ name: String, _ text: String) throws(SupportError) { try folder.write(name, text) }

    /// The ringer that serves the journal; nil where none runs.
    package var ringer: RunningProcess? { get throws { try ringers.first } }

    /// The one that armed a timer may still be there, beside another that is started.
    package var ringers: [RunningProcess] {
        get throws {
            try ChildProcess.run(["pgrep", "-f", "counter-ringer (--data-dir|serve) \(directory)"]).output
                .split(separator: "\n").compactMap { Int32($0) }.map { RunningProcess(pid: $0) }
                .filter(\.isAlive)
        }
    }

    /// The output of `counter show`, without the line end.
    package func show() throws -> String { String(try run("show").output.dropLast()) }

    /// The lines of `counter export`, without the header.
    package func exported() throws -> [String] {
        try run("export").output.split(separator: "\n").dropFirst().map(String.init)
    }

    package func verify() throws -> ChildProcess.Outcome { try run("verify") }

    private func variables(_ more: [String: String?]) -> [String: String?] {
        environment.merging(more) { $1 }
    }
}

/// The words before a command with which root runs it as another user, who owns nothing and has no special permissions.
package func asUser(_ user: UInt32) -> [String] {
    ["setpriv", "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups"]
}

/// The same for the user nobody.
package let asNobody = asUser(65534)

extension Workplace {
    /// Gives user nobody access to the directory as to /tmp, where nobody's programs keep their journal and their sockets;
    /// returns the variables for these.
    package func letNobodyIn() -> [String: String?] {
        chmod(directory, 0o1777)
        return environment.merging([
            "XDG_RUNTIME_DIR": directory, "COUNTER_DATA_DIR": directory + "/nobody",
        ]) { $1 }
    }

    // MARK: - Preloaded libraries

    /// Builds a library, in C, that is preloaded into programs in the place of system calls; returns the variable with which
    /// a program loads it.
    package func library(_ name: String, _ source: String) throws -> [String: String] {
        let path = "\(directory)/\(name)"
        try write("\(name).c", Array(source.utf8))
        try ChildProcess.success(of: [
            "g++", "-x", "c++", "-shared", "-fPIC", "-o", path + ".so", path + ".c",
        ])
        return ["LD_PRELOAD": path + ".so"]
    }

    /// The variable that makes a program see a kernel without pidfd_open(2), as before Linux 5.3 and in some sandboxes, and SIGCHLD
    /// ignored by the program that started it.
    package func oldKernel() throws -> [String: String?] {
        let source = """
            #include <cerrno>
            #include <csignal>
            #include <cstdarg>
            #include <dlfcn.h>
            #include <sys/syscall.h>
            __attribute__((constructor)) static void ignore() { signal(SIGCHLD, SIG_IGN); }
            extern "C" long syscall(long number, ...) noexcept {
                if (number == SYS_pidfd_open) { errno = ENOSYS; return -1; }
                va_list list;
                va_start(list, number);
                long a[6];
                for (long &value : a) value = va_arg(list, long);
                va_end(list);
                auto next = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
                return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
            }
            """
        return try library("old-kernel", source).mapValues { $0 }
    }
}
