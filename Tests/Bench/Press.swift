import Linux
import TestSupport

/// What one press of `+` takes on the screens at 80×24, whatever else runs: two runs of the program compared, so that its
/// start is left out.
enum Press {
    private static let few = 20
    private static let many = 60

    /// Instructions of the program in thousands, counted by valgrind's callgrind.
    static func instructions() throws -> Double {
        try instructions { presses, valgrind in
            let subject = try Subject.screens(under: valgrind, readyAt: "Count 0\u{7}")
            defer { subject.program.end() }
            _ = try bytes(of: presses, in: subject)
            try subject.program.write("q")
            _ = try subject.program.wait()
        }
    }

    /// Instructions of the same transaction by SQLite in C, in thousands.
    static func instructionsOfTwin() throws -> Double {
        try instructions { entries, valgrind in
            let part = [CommandLine.arguments[0], "journal-part", "append", "twin", "\(entries)"]
            _ = try ChildProcess.run(valgrind + part)
        }
    }

    /// Bytes to the terminal: for the first frame with all that takes the terminal, and for a press.
    static func bytes() throws -> (frame: Double, press: Double) {
        let subject = try Subject.screens(readyAt: "Count 0\u{7}")
        defer { subject.program.end() }
        return (Double(subject.painted.utf8.count), Double(try bytes(of: many, in: subject)) / Double(many))
    }

    private static func bytes(of presses: Int, in subject: Subject) throws -> Int {
        try (1...presses).reduce(0) { sum, number in
            try subject.program.write("+")
            return try sum + subject.program.skipOutput(past: "Count \(number)\u{7}").utf8.count
        }
    }

    private static func instructions(of run: (Int, [String]) throws -> Void) throws -> Double {
        func total(_ count: Int) throws -> Double {
            let folder = try ScratchFolder()
            let file = folder.path(of: "callgrind")
            try run(count, ["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=\(file)"])
            return try collected(file)
        }
        return try (total(many) - total(few)) / Double(many - few) / 1000
    }

    /// The line `totals: 123` of callgrind's report.
    private static func collected(_ path: String) throws -> Double {
        let lines = try TextFile(path: path, name: path).text.split(separator: "\n")
        let total = lines.first { $0.hasPrefix("totals: ") }.flatMap { Double($0.dropFirst(8)) }
        guard let total else { throw SupportError.refused(by: "callgrind", why: "no totals in \(path)") }
        return total
    }
}
