import CBenchTwin
import CounterModel
import CounterStore
import TestSupport

/// The speed of the journal, beside the same work in C on SQLite, with tables of the same form.
enum JournalCost {
    private static let groupSize = 10_000

    /// Durable transactions of one entry, per second.
    static func appends(_ count: Int) throws -> Double {
        try withJournal { journal, _ in
            try rate(count) {
                for number in 1...count {
                    _ = try journal.append([Request(entry(number))], receivedAt: time(number))
                }
            }
        }
    }

    static func appendsByTwin(_ count: Int) throws -> Double {
        try withJournal { journal, path in
            _ = try journal.append([Request(entry(0))], receivedAt: time(0))
            return try rate(count) { try check(twin_append(path, Int64(count), 1)) }
        }
    }

    /// Entries of one file per second, durable at the end.
    static func imported(_ count: Int) throws -> Double {
        try withJournal { journal, _ in
            // The same bytes as the program passes.
            var number = 0
            let lines = AnyIterator<ImportItem> {
                number += 1
                guard number <= count else { return nil }
                return .row(entry(number, line: ImportLine(fileHash: "bench", number: number)))
            }
            return try rate(count) { _ = try journal.import(lines, receivedAt: time(count)) }
        }
    }

    static func importedByTwin(_ count: Int) throws -> Double {
        try withJournal { journal, path in
            _ = try journal.append([Request(entry(0))], receivedAt: time(0))
            return try rate(count) { try check(twin_append(path, Int64(count), Int64(groupSize))) }
        }
    }

    private static func entry(_ number: Int, line: ImportLine? = nil) -> JournalRow {
        let entry = Entry(.in, deviceId: "bench", source: line == nil ? .hardware : .import)
        return JournalRow(
            origin: line.map(RowOrigin.line), locationId: Location.defaultId, timestamp: time(number),
            receivedAt: time(number), .entry(entry))
    }

    static func time(_ number: Int) -> Timestamp { Timestamp(microseconds: Int64(number) * 1_000_000) }

    static func withJournal<R>(_ body: (SQLiteJournal, String) throws -> R) throws -> R {
        let folder = try ScratchFolder()
        let journal = try SQLiteJournal(directory: folder.path, timezone: "UTC")
        return try body(journal, journal.path)
    }

    static func rate(_ count: Int, _ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return Double(count) / (ContinuousClock.now - start).milliseconds * 1000
    }

    static func check(_ result: Int32) throws {
        guard result == 0 else { throw SupportError.refused(by: "SQLite", why: "error \(result)") }
    }
}
