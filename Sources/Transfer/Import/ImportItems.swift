import CounterModel
package import CounterStore
package import Linux

/// How a file of other people is read.
package struct ImportOptions {
    /// The zone of times without an offset.
    let timezone: String?
    /// The period of a total with a time of day; of one with a date it is the day.
    let period: Duration
    /// Whether days end too where the location does not end its days by itself.
    let endsDays: Bool

    package init(timezone: String? = nil, period: Duration? = nil, endsDays: Bool = false) {
        (self.timezone, self.period, self.endsDays) = (timezone, period ?? .seconds(3600), endsDays)
    }
}

/// What a file stores: its lines, read one at a time, then the ends of the days that they have counts of.
package final class ImportItems: Sequence, IteratorProtocol {
    private let reader: ImportReader
    /// The hash that its lines have in the journal.
    private let hash: String
    private let options: ImportOptions
    /// The location of lines that name none.
    private let location: Identifier
    /// The ids of the locations by their ids and names.
    private let ids: [Identifier: Identifier]
    private var lastNamed: (name: Identifier, id: Identifier)?
    private let report: ImportReport
    private var lines: ImportLines
    private var times: ImportTimes
    private var days: ImportDays
    /// The rows of the present line that are left.
    private var rows: AnyIterator<JournalRow>?
    private var line = 0
    /// Why the file could not be read to its end; nil where it was.
    package private(set) var failure: ProgramError?

    /// How much of the file was read, from 0 to 1.
    package var progress: Double { lines.progress }

    /// Throws `ZoneError` where the zone is unknown.
    package init(
        _ reader: ImportReader, hash: String, _ options: ImportOptions = ImportOptions(),
        location: Identifier, report: ImportReport
    ) throws(ZoneError) {
        (self.reader, self.hash, self.options) = (reader, hash, options)
        (self.location, self.report, lines) = (location, report, reader.lines)
        let locations = report.locations
        // An id comes before another location's name.
        let names = locations.map { ($0.id, $0.id) } + locations.map { (Identifier($0.name), $0.id) }
        ids = Dictionary(names) { first, _ in first }
        times = try ImportTimes(of: options.timezone)
        days = ImportDays(locations.filter { options.endsDays || $0.endsDaysAutomatically }, of: hash)
    }

    package func next() -> ImportItem? {
        do throws(ProgramError) {
            while true {
                if let row = rows?.next() { return item(row) }
                guard let next = try lines.next() else { break }
                line = next.number
                if let item = item(of: next) { return item }
            }
        } catch {
            failure = error
            return nil
        }
        guard let (day, line) = days.next() else { return nil }
        report.await(line)
        return .endOfDay(day)
    }

    private func item(_ row: JournalRow) -> ImportItem {
        report.await(line)
        if !days.isEmpty, row.origin?.identity == nil { days.note(row, line, now: report.now) }
        return .row(row)
    }

    /// What a line stores first; nil where it stores nothing.
    private func item(of line: ImportLines.Line) -> ImportItem? {
        do throws(LineError) {
            var fields = try reader.fields(of: line)
            guard !reader.isJournal else {
                let item = try fields.journalItem()
                if item != nil { report.await(line.number) }
                return item
            }
            return try row(of: &fields, ImportLine(fileHash: hash, number: line.number)).map(item)
        } catch {
            report.refuse(line.number, error.why)
            return nil
        }
    }

    /// The first row of a line with counts, a correction or a reset; the others come next.
    private func row(of fields: inout LineFields, _ line: ImportLine) throws(LineError) -> JournalRow? {
        let place = place(&fields)
        let total = try fields.total(reader.hasTotals)
        if place == nil, total != nil || fields.hasTitle(.locationId) {
            let reason = Refusal.unknownLocation.reason(fields.id(.locationId) ?? location, report.locations)
            throw LineError(why: "\(fields.title(.locationId)): \(reason)")
        }
        let date = try times.read(
            &fields, at: place ?? "", startHour: location(place)?.dayStart ?? 0, isTotal: total != nil
        ) { report.tell(line.number, $0) }
        guard let (ins, outs) = total else { return try fields.row(location: location, line: line) }
        guard fields[.sequenceNumber] == nil else {
            throw LineError(why: "\(fields.title(.sequenceNumber)) is of one event, and this is a total")
        }
        (fields[.type], fields[.delta]) = ("in", nil)
        let row = try fields.row(location: location, line: line)
        let (period, length) = period(of: date, row.timestamp, at: location(place))
        rows = ImportTotal(ins: ins, outs: outs, period: period, length: length, row: row, line: line)
            .makeIterator()
        return rows?.next()
    }

    /// The line's location, whose name becomes its id; nil for one that is not there, which is refused when the line is stored.
    private func place(_ fields: inout LineFields) -> Identifier? {
        guard let name = fields.id(.locationId) else { return location }
        if lastNamed?.name != name {
            lastNamed = (ids[name] ?? ids[Identifier(name.text.withoutBlanks)]).map { (name, $0) }
        }
        if let id = lastNamed?.id { fields[.locationId] = id.text }
        return lastNamed?.id
    }

    private func location(_ id: Identifier?) -> Location? { report.locations.first { $0.id == id } }

    /// The period of a total, and its length in words. What is still to come of it is left out.
    private func period(
        of date: CalendarDate?, _ start: Timestamp, at place: Location?
    ) -> ([Range<Timestamp>], String) {
        let now = report.now
        guard let date else {
            let end = start + options.period
            let words = DurationText.short(seconds: Int(options.period.microseconds / 1_000_000))
            return ([start..<(start < now ? Swift.min(end, now) : end)], words)
        }
        let zone = times.zone ?? .utc
        let day = OperationalCalendar(zone: zone, startHour: place?.dayStart ?? 0).day(of: date)
        let open = place?.openingHours?.openings(in: day.start..<day.end, zone) ?? []
        let whole = open.isEmpty ? [day.start..<day.end] : open
        let past = whole.filter { $0.lowerBound < now }.map { $0.lowerBound..<Swift.min($0.upperBound, now) }
        return (past.isEmpty ? whole : past, "a day")
    }
}

/// Reads times of a file in its zone.
struct ImportTimes {
    /// 1900 to 2199: when the changes of a zone's offset are read.
    fileprivate static let years = Timestamp(seconds: -2_208_988_800)..<Timestamp(seconds: 7_258_118_400)

    /// nil where none was named: then each time has its offset.
    let zone: ZoneOffsets?
    private let name: String
    /// The last time of each location: of two moments that clocks show alike, the order of the lines tells which is meant.
    private var last: [Identifier: Timestamp] = [:]

    init(of name: String?) throws(ZoneError) {
        self.name = name ?? ""
        zone = try name.map { name throws(ZoneError) in try ZoneOffsets(of: name, in: Self.years) }
    }

    /// Reads the time of a line, and writes it into its field as a moment. Returns the date where it is one, without a time of day.
    /// `tell`: called with what a reader of the file should know.
    mutating func read(
        _ fields: inout LineFields, at place: Identifier, startHour: @autoclosure () -> Int, isTotal: Bool,
        _ tell: (String) -> Void
    ) throws(LineError) -> CalendarDate? {
        // Without a zone, what is a moment is read where the row is made.
        guard zone != nil || fields[.timestamp]?.utf8.last != UInt8(ascii: "Z"),
            let text = fields.word(.timestamp), Timestamp(iso8601: text) == nil
        else { return nil }
        let shown = "\(fields.title(.timestamp)) '\(text)'"
        guard let time = TableTime(text) else {
            throw LineError(
                why: "\(shown) is no time such as 2026-01-14T13:03:59Z"
                    + (zone == nil ? "" : ", 2026-01-14 13:03, 14.01.2026 13:03 or 14.01.2026"))
        }
        if let moment = time.moment {
            fields[.timestamp] = moment.iso8601
            return nil
        }
        guard let zone else {
            throw LineError(
                why: "\(shown) is no time such as 2026-01-14T13:03:59Z; the zone of local times is named by "
                    + "--timezone, such as --timezone Europe/Berlin")
        }
        guard let local = time.local else {
            let calendar = OperationalCalendar(zone: zone, startHour: startHour())
            fields[.timestamp] = calendar.day(of: time.date).start.iso8601
            return time.date
        }
        let start = moment(of: local, zone, at: place, isTotal: isTotal) { tell("\(shown) \($0)") }
        fields[.timestamp] = (start + .microseconds(Int64(time.fraction))).iso8601
        return nil
    }

    private mutating func moment(
        of local: LocalDateTime, _ zone: ZoneOffsets, at place: Identifier, isTotal: Bool,
        _ tell: (String) -> Void
    ) -> Timestamp {
        let moments = zone.moments(showing: local)
        var time = moments.first ?? zone.firstMoment(showing: local)
        if moments.isEmpty { tell("is skipped by the clocks of \(name): counted at \(zone.text(of: time))") }
        if moments.count > 1 {
            // One line a period is the rule of totals; several people may pass in one second.
            let isSecond = last[place].map { (isTotal ? $0 >= time : $0 > time) && $0 <= moments[1] } ?? false
            if isSecond { time = moments[1] }
            tell(
                "is shown twice by the clocks of \(name): counted as the \(isSecond ? "second" : "first"), "
                    + "by the order of the lines")
        }
        last[place] = time
        return time
    }
}

/// The days that a file has counts of.
struct ImportDays {
    private struct Place {
        let calendar: OperationalCalendar
        /// That of the last line; mostly it is the next one's too.
        var day: OperationalDay
        /// The last line of each day.
        var lines: [CalendarDate: Int] = [:]

        mutating func note(_ time: Timestamp, _ line: Int) {
            if !day.contains(time) { day = calendar.day(containing: time) }
            lines[day.date] = line
        }
    }

    private let hash: String
    private let locations: [Identifier: Location]
    private var places: [Identifier: Place] = [:]
    private var ends: [(FileDay, Int)]?

    init(_ locations: [Location], of hash: String) {
        self.hash = hash
        self.locations = Dictionary(locations.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Whether no location of the journal has its days ended.
    var isEmpty: Bool { locations.isEmpty }

    mutating func note(_ row: JournalRow, _ line: Int, now: Timestamp) {
        guard let location = row.locationId.flatMap({ locations[$0] }) else { return }
        let time = min(row.timestamp, now)
        if places[location.id] == nil {
            let years = ImportTimes.years
            let calendar = location.calendar(for: years.lowerBound...years.upperBound)
            places[location.id] = Place(calendar: calendar, day: calendar.day(containing: time))
        }
        places[location.id]?.note(time, line)
    }

    /// The next end of a day, and the last line of the day; after all lines.
    mutating func next() -> (FileDay, Int)? {
        if ends == nil { ends = all().reversed() }
        return ends?.popLast()
    }

    private func all() -> [(FileDay, Int)] {
        places.sorted { $0.key.text < $1.key.text }.flatMap { id, place in
            place.lines.sorted { $0.key < $1.key }.map { date, line in
                (FileDay(place.calendar.day(of: date), of: id, inFile: hash), line)
            }
        }
    }
}

// MARK: - Totals

/// So many in and out within a period: the rows that a line with totals stands for.
///
/// Each row has its part of the period, so that the same line makes the same rows. Those in stand at the beginning of their
/// parts, those out in the middle: as long as no more leave than come, nobody leaves who has not come.
struct ImportTotal: Sequence {
    /// The most counts of one line, each way.
    static let most = 100_000

    let ins, outs: Int
    /// When they came and went: 1 or more ranges, in order.
    let period: [Range<Timestamp>]
    /// The period in words.
    let length: String
    /// An entry with all that the rows have in common.
    let row: JournalRow
    let line: ImportLine

    func makeIterator() -> AnyIterator<JournalRow> {
        var (nextIn, nextOut) = (0, 0)
        return AnyIterator {
            if nextIn < ins, nextOut >= outs || 2 * nextIn * outs <= (2 * nextOut + 1) * ins {
                nextIn += 1
                return row(.in, part: nextIn - 1, of: ins, at: time(2 * (nextIn - 1), of: 2 * ins))
            }
            guard nextOut < outs else { return nil }
            nextOut += 1
            return row(.out, part: ins + nextOut - 1, of: outs, at: time(2 * nextOut - 1, of: 2 * outs))
        }
    }

    private func row(_ type: EntryType, part: Int, of total: Int, at time: Timestamp) -> JournalRow {
        guard case .entry(var entry) = row.content else { return row }
        var row = row
        entry.type = type
        let reason = entry.reason.map { ": \($0)" } ?? ""
        entry.reason = ReasonRule.mended("of a total of \(total) in \(length)\(reason)")
        row.content = .entry(entry)
        (row.timestamp, row.receivedAt) = (time, time)
        row.origin = .line(ImportLine(fileHash: line.fileHash, number: line.number, part: part))
        return row
    }

    /// The moment at a share of the period.
    private func time(_ share: Int, of whole: Int) -> Timestamp {
        let length = period.reduce(0) { $0 + $1.duration.microseconds }
        var rest = Int64(Int128(length) * Int128(share) / Int128(whole))
        for range in period {
            if rest < range.duration.microseconds { return range.lowerBound + .microseconds(rest) }
            rest -= range.duration.microseconds
        }
        return period[period.count - 1].upperBound
    }
}

extension LineFields {
    /// How many a line says came and went; nil where it is a single row.
    /// `hasTotals`: whether the file has columns of totals.
    func total(_ hasTotals: Bool) throws(LineError) -> (ins: Int, outs: Int)? {
        if hasTotals { return (try count(.in), try count(.out)) }
        // Most lines are of one count.
        if self[.delta] == "1" || self[.delta] == "-1" { return nil }
        guard self[.rowId] == nil, ["in", "out", nil].contains(word(.type)), let delta = try number(.delta),
            delta.magnitude != 1
        else { return nil }
        guard delta.magnitude <= ImportTotal.most else { throw tooMany(.delta) }
        guard word(.type) != "in" || delta >= 0, word(.type) != "out" || delta <= 0 else {
            throw LineError(why: "type and delta do not agree")
        }
        return delta > 0 ? (delta, 0) : (0, -delta)
    }

    private func count(_ column: LineColumn) throws(LineError) -> Int {
        let count = try number(column) ?? 0
        guard 0...ImportTotal.most ~= count else { throw tooMany(column) }
        return count
    }

    private func tooMany(_ column: LineColumn) -> LineError {
        LineError(why: "\(title(column)) is 0 to 100,000 a line, not '\(word(column) ?? "")'")
    }
}
