/// Problems of lines, each kind of problem once.
struct LineProblems {
    /// How many line numbers a problem shows.
    private static let shown = 5
    /// How many kinds of problems are kept.
    private static let most = 1000

    private struct Problem {
        /// The text of the first line that has it.
        let text: String
        var lines: [Int]
        var count: Int
    }

    private var problems: [String: Problem] = [:]

    /// Whether there is none.
    var isEmpty: Bool { problems.isEmpty }
    /// Whether there are so many that they should be reported now.
    var areMany: Bool { problems.count >= Self.most }

    /// Notes a line with a problem. Problems that differ only in numbers and in what is quoted are of one kind.
    mutating func note(_ line: Int, _ text: String) {
        let kind = Self.kind(text)
        var problem = problems[kind] ?? Problem(text: text, lines: [], count: 0)
        problem.count += 1
        if problem.lines.count < Self.shown { problem.lines.append(line) }
        problems[kind] = problem
    }

    /// Each problem, with its first line's number before it, in the order of these.
    var texts: [String] {
        problems.values.sorted { $0.lines[0] < $1.lines[0] }.map { problem in
            let start = "\(problem.lines[0]): \(problem.text)"
            guard problem.count > 1 else { return start }
            let more = problem.count > problem.lines.count ? ", …" : ""
            let lines = problem.lines.map(String.init).joined(separator: ", ")
            return "\(start) (\(problem.count) lines such as this: \(lines)\(more))"
        }
    }

    private static func kind(_ text: String) -> String {
        var kind: [UInt8] = []
        var isQuoted = false
        for byte in text.utf8 {
            if byte == UInt8(ascii: "'") { isQuoted.toggle() }
            if !isQuoted, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte) { kind.append(byte) }
        }
        return String(decoding: kind, as: UTF8.self)
    }
}
