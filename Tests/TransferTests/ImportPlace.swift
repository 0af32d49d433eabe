import CounterModel
import CounterStore
import Linux
import TestSupport
import Testing

@testable import Transfer

/// A journal into which files are imported at noon of 2026-11-23, a Monday.
final class ImportPlace {
    static let now = time("2026-11-23T11:00:00Z")

    let journal: SQLiteJournal
    /// What was complained of, without the file's name.
    private(set) var problems: [String] = []
    private(set) var refused = 0
    /// What the import said of its rows in the future and of the past.
    private(set) var notes: [String] = []
    private let folder: ScratchFolder
    /// The path of the imported file.
    var table: String { folder.path(of: "table.csv") }

    init() throws {
        folder = try ScratchFolder()
        journal = try SQLiteJournal(directory: folder.path(of: "journal"), timezone: "UTC")
        let zone = LocationSetting.timezone("Europe/Berlin")
        let start = Timestamp.journalTimes.lowerBound
        _ = try journal.append(
            [Request(locationId: Location.defaultId, timestamp: start, .setting(zone))], receivedAt: start)
    }

    static func time(_ text: String) -> Timestamp { Timestamp(iso8601: text) ?? Timestamp(seconds: 0) }

    /// Adds a location since 2020.
    func add(_ id: Identifier, name: String? = nil, _ settings: LocationSetting...) throws {
        var location = Location(id: id, name: name ?? id.text, timezone: "Europe/Berlin")
        settings.forEach { location.apply($0) }
        try journal.add(new: location, from: Self.time("2020-01-01T00:00:00Z"), at: Self.now)
    }

    /// Imports lines, or as many items of them as are told: a process that was killed stored no more.
    @discardableResult
    func imports(
        _ lines: [String], columns: String? = nil, _ options: ImportOptions = ImportOptions(),
        items most: Int = .max, groupSize: Int = 10_000, now: Timestamp = ImportPlace.now
    ) throws -> ImportSummary {
        try folder.write("table.csv", lines.joined(separator: "\n"))
        let file = try ImportFile(path: table, format: nil)
        let reader = try ImportReader(file, names: columns.map { try ColumnNames($0) })
        problems = []
        let report = try ImportReport("", into: journal, now: now) { self.problems.append($0.message) }
        let hash = try journal.importedFile(file.hash).hash
        let items = try ImportItems(
            reader, hash: hash, options, location: "default", report: report)
        let summary = try journal.import(
            AnySequence(items.lazy.prefix(most)), receivedAt: now, groupSize: groupSize
        ) { report.note($0, progress: 1) }
        report.finish()
        refused = report.refused
        notes = [report.futureWords, report.movedWords].compactMap(\.self)
        #expect(try journal.verify() == [])
        return summary
    }

    /// The rows that count, in the order of time: `2025-11-18 10:00:00 +1`, in Berlin.
    func rows(_ location: Identifier = "default") throws -> [String] {
        let zone = try ZoneOffsets(of: "Europe/Berlin", in: Self.time("2000-01-01T00:00:00Z")..<Self.now)
        return try journal.history(of: location, .all).filter { !$0.isVoid }.compactMap { row in
            let time = zone.text(of: row.countedAt)
            switch row.row.content.shown {
            case .entry(let entry): return "\(time) \(entry.type == .in ? "+1" : "-1")"
            case .correction(let correction): return "\(time) by \(correction.difference)"
            case .endOfDay(_, let level): return "\(time) end at \(level)"
            case .reset(let reset): return "\(time) =\(reset.value)"
            default:
                return nil
            }
        }
    }

    func level(_ location: Identifier = "default") throws -> Int {
        try #require(try journal.state(of: location)).level
    }
}

extension HistoryPage {
    /// Every row.
    static let all = HistoryPage(
        range: Timestamp(microseconds: .min)..<Timestamp(microseconds: .max), isBackward: false, limit: .max)
}

extension SQLiteJournal {
    /// The lines of `export --all`.
    func exported() throws -> [String] {
        var (lines, feed) = ([String](), try JournalFeed(self, after: .start))
        while feed.isBehind { lines += try feed.next() }
        return lines
    }
}
