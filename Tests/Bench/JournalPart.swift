import TestSupport

/// One part of the journal's bench alone, for a profiler that counts instructions: the difference between two counts
/// of operations is the cost of these operations, without the start.
///
///     valgrind --tool=callgrind counter-bench journal-part append counter 1000
enum JournalPart {
    private static var parts: [String: (Int) throws -> Void] {
        [
            "append counter": { _ = try JournalCost.appends($0) },
            "append twin": { _ = try JournalCost.appendsByTwin($0) },
            "import counter": { _ = try JournalCost.imported($0) },
            "import twin": { _ = try JournalCost.importedByTwin($0) },
            "rebuild counter": { _ = try LongJournal(count: Int64($0)).rebuilt() },
            "rebuild twin": { _ = try LongJournal(count: Int64($0)).replayedByTwin() },
            "make none": { _ = try LongJournal(count: Int64($0)) },
            "minutes counter": repeated { try $0.addKPIs(ofLastHours: 72) },
            "paint counter": repeated { _ = try $0.firstPaint(of: .today) },
            "minutes twin": repeated { try $0.addMinutesByTwin(ofLastHours: 72) },
        ]
    }

    /// Does something so often with a journal of 100,000 entries.
    private static func repeated(_ body: @escaping (LongJournal) throws -> Void) -> (Int) throws -> Void {
        { count in
            let journal = try LongJournal(count: 100_000)
            _ = try journal.rebuilt()
            for _ in 0..<count { try body(journal) }
        }
    }

    static func run(_ arguments: some Sequence<String>) throws {
        let words = Array(arguments)
        guard words.count == 3, let part = parts[words[0] + " " + words[1]], let count = Int(words[2]) else {
            let known = parts.keys.sorted().joined(separator: ", ")
            throw SupportError.refused(by: "journal-part", why: "one of \(known), and a number")
        }
        try part(count)
    }
}
