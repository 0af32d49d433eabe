package import CounterModel
package import CounterStore
import Glibc
import Linux

/// Writes rows of a journal in a form that `import` reads.
package struct ExportFormat {
    private let format: ImportFile.Format
    private let journal: JournalIds
    private let isSafeForFormulas: Bool
    private let times: LocationTimes?

    /// The journal knows its rows again by its ids and their positions. `isSafeForFormulas`: in CSV, texts that a spreadsheet would
    /// read as formulas get an apostrophe in front. Times are in UTC, or in `times`.
    package init(
        _ format: ImportFile.Format, of journal: JournalIds, isSafeForFormulas: Bool = false,
        in times: LocationTimes? = nil
    ) {
        (self.format, self.journal, self.times) = (format, journal, times)
        self.isSafeForFormulas = isSafeForFormulas
    }

    /// The line before the first row; nil where the format has none.
    package var header: String? { format == .csv ? CSV.line(LineColumn.exchanged.map(\.rawValue)) : nil }

    /// The line of a row, without a line end.
    package func line(_ row: JournalRow) -> String {
        var fields = LineFields(row) { times?.iso8601($0, of: $1) ?? $0.iso8601 }
        fields[.rowId] = journal.identity(at: row.id).text
        switch format {
        case .csv: return CSV.line(LineColumn.exchanged.map { cell(fields[$0] ?? "", $0) })
        case .jsonl:
            let members: [(String, JSONLine.Value)] = LineColumn.exchanged.map { column in
                let text = fields[column]
                return (column.rawValue, column.isNumber ? .number(text.flatMap { Int($0) }) : .text(text))
            }
            return JSONLine(members).text
        }
    }

    private func cell(_ text: String, _ column: LineColumn) -> String {
        isSafeForFormulas && !column.isNumber ? text.withoutFormula : text
    }
}

extension String {
    /// With an apostrophe before what spreadsheets read as a formula; see OWASP, "CSV Injection".
    fileprivate var withoutFormula: String {
        guard let first = unicodeScalars.first else { return self }
        return "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first) ? "'" + self : self
    }
}

/// Rows of a journal as CSV for people with a spreadsheet: by time, in local times without a zone, with names, changes with their
/// sign, and the count after each row.
package struct Spreadsheet {
    private let times: LocationTimes
    private let locations: [Identifier: Location]
    private let devices: Devices
    private var levels: [Identifier?: Int] = [:]

    package init(_ locations: [Location], _ devices: [Device]) {
        times = LocationTimes(locations)
        self.locations = Dictionary(locations.map { ($0.id, $0) }) { $1 }
        self.devices = Devices(devices)
    }

    package static let header = "time,location,what,change,count,device,user,reason"

    /// The line of the next row, without a line end.
    package mutating func line(_ row: JournalRow) -> String {
        let level = row.content.level(from: levels[row.locationId] ?? 0)
        levels[row.locationId] = level
        var fields = LineFields(row) { times.plain(row.countedAt, of: $1) }
        if case .endOfDay = row.content.shown {
            (fields[.type], fields[.delta], fields[.reason]) = ("end of day", nil, nil)
        }
        let device = row.content.deviceId.map { devices.name(of: $0, own: $0.text) }
        let change = fields[.delta].map { $0.hasPrefix("-") ? $0 : "+" + $0 }
        let texts = [device, fields[.userId], fields[.reason]].map { ($0 ?? "").withoutFormula }
        let location = row.locationId.flatMap { locations[$0] }
        let name = location?.name ?? row.locationId?.text ?? ""
        let count = location?.count(of: level) ?? level
        return CSV.line(
            [fields[.timestamp] ?? "", name.withoutFormula, fields[.type] ?? "", change ?? "", String(count)]
                + texts)
    }
}

extension LineFields {
    /// The fields of a count, a correction or a reset. Texts that an earlier version accepted and today's rules reject are changed to
    /// satisfy them.
    fileprivate init(_ row: JournalRow, time: (Timestamp, Identifier) -> String) {
        self.init()
        self[.timestamp] = row.locationId.map { time(row.timestamp, $0) }
        self[.locationId] = row.locationId?.text
        self[.userId] = row.userId?.withSpacesForControls
        self[.deviceId] = row.content.deviceId.map { DeviceIdRule.mended($0.text) }
        switch row.content {
        case .entry(let entry):
            self[.type] = entry.type.rawValue
            self[.delta] = String(entry.type.delta)
            self[.source] = entry.source.rawValue
            self[.sequenceNumber] = entry.sequenceNumber.map(String.init)
            self[.reason] = ReasonRule.mended(entry.reason)
        case .correction(let correction):
            self[.type] = "correction"
            self[.delta] = String(correction.difference)
            self[.source] = EventSource.manual.rawValue
            self[.reason] = ReasonRule.mended(correction.reason)
        case .reset(let reset):
            self[.type] = "reset"
            self[.value] = String(reset.value)
        case .endOfDay:
            self[.type] = "reset"
            self[.value] = "0"
        default: break
        }
    }
}

// MARK: - The feed

/// Reads the journal for `listen --json` and `export --all`: every row once, in order, whichever program appended it. It reads only as
/// much as is written next.
package struct JournalFeed {
    /// How many rows one read returns.
    private static let page = 256

    private let journal: SQLiteJournal
    private var position: Position
    /// Whether there may be rows that have not been emitted.
    package var isBehind: Bool

    /// Starts after a position; where that is `nil`, at the journal's present end.
    /// Throws `ProgramError` (65) where the journal ends before the position: it is another journal, or an older state of
    /// it.
    package init(_ journal: SQLiteJournal, after position: Position?) throws {
        let last = try journal.lastPosition()
        if let position, position > last {
            throw ProgramError(
                "--after \(position.number): the journal ends at \(last.number)",
                remedy: "It is another journal, or an older state of it. For all rows: --after 0",
                status: EX_DATAERR)
        }
        self.journal = journal
        self.position = position ?? last
        isBehind = self.position < last
    }

    /// The lines of the next rows; empty where all rows have been emitted.
    /// Throws `JournalError`; the next call returns the same rows.
    package mutating func next() throws(JournalError) -> [String] {
        guard isBehind else { return [] }
        let rows = try journal.feed(after: position, limit: Self.page)
        position = rows.last?.row.id ?? position
        isBehind = rows.count == Self.page
        return rows.map(\.line)
    }
}

/// The lines of `listen --json` that are no rows: `ingest` and `import` pass them over.
package enum FeedLine {
    /// The type of a line that tells that a timer has ended.
    package static let timerEnd = "timerEnd"

    /// The line that says that a location has reached its target, and when that was noticed.
    package static func targetReached(_ state: CounterState, at time: Timestamp) -> String {
        let object: JSONLine = [
            "type": .text(targetReachedType), "timestamp": .time(time),
            "locationId": .text(state.locationId.text), "targetCount": .number(state.target),
            "count": .number(state.currentCount),
        ]
        return object.text
    }

    fileprivate static let targetReachedType = "targetReached"
}

extension LineFields {
    /// Whether the line tells of something that a journal derives from its rows.
    var isNoRow: Bool {
        word(.type).map([FeedLine.timerEnd, FeedLine.targetReachedType].contains) ?? false
            && self[.journal] == nil
    }
}

extension FeedRow {
    /// The row as a line of the feed.
    package var line: String {
        row.line(ofJournal: journalId, count: count, level: isOccupancy ? level : nil).text
    }
}
