import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Glibc
import Linux
import Reports

struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Prints what came in and went out, by hour or day, and anomalies.",
        discussion: """
            A range is a length that ends now (10min, 2h, 7d, 4w; d and w are whole days, today included), today, \
            yesterday, 'this week', 'last week', 'this month', 'last month', a week such as 2026-W47, a month such as 2026-11, \
            a date, or 'FROM to TO'. A time is 14:00, \
            'yesterday 14:00', a date such as 2026-11-01, '2026-11-01 14:00', one with an offset such as \
            2026-11-01T14:00:00Z, or now. The end is not included: \
            2026-11-01 to 2026-11-02 is one day.

            Days and hours are the location's own, by its zone and the hour at which its days start; weeks begin on \
            Monday. Repeated hours at the end of summer time are listed twice. Without --by, ranges of up to an hour are \
            listed by minute, of up to two days by hour, others by day. Empty lines before the first event and after the \
            last are joined.

            Corrections are listed apart, and are in no bar. With --all or --group it prints a line for each location \
            and their total; with --by too, a line for each minute, hour, day or week and a column for each location with what \
            came in, and the totals of both. A week is named by its first day and its last. --json prints one object; with --entries \
            it prints one for each row, in the order of time. Rows that were taken back are marked as void.
            """)

    @OptionGroup var place: LocationOptions
    @Option(
        help: ArgumentHelp(
            "Such as 10min, 2h, 7d, yesterday, 'this week', '09:00 to 12:00'. Default: today",
            valueName: "range"),
        completion: .ranges)
    var range: String?
    @Option(help: ArgumentHelp("The first moment.", valueName: "time")) var from: String?
    @Option(help: ArgumentHelp("End (exclusive). Default: the end of today", valueName: "time"))
    var to: String?
    @Option(
        help: ArgumentHelp("The unit of the lines.", valueName: "minute|hour|day|week"),
        completion: .list(HistoryUnit.allCases.map(\.rawValue)),
        transform: HistoryCommand.unit)
    var by: HistoryUnit?
    @Flag(help: "All locations, and their total.") var all = false
    @Option(
        help: ArgumentHelp("The locations of a group, and their total.", valueName: "name"),
        completion: .groups)
    var group: String?
    @Flag(help: "Prints the totals on one line.") var brief = false
    @Flag(help: "Prints JSON.") var json = false
    @Flag(help: "Prints the bars, or with --entries the rows, as CSV with a header.") var csv = false
    @Flag(help: "Prints the rows of the journal behind it.") var entries = false

    func validate() throws {
        if range != nil, from != nil || to != nil {
            throw ValidationError("--range and \(from != nil ? "--from" : "--to") exclude each other")
        }
        if to != nil, from == nil { throw ValidationError("--to needs --from") }
        let formats = [("--json", json), ("--csv", csv), ("--brief", brief)].filter(\.1).map(\.0)
        if formats.count > 1 { throw ValidationError("\(formats[0]) and \(formats[1]) exclude each other") }
        if entries && brief { throw ValidationError("--entries and --brief exclude each other") }
        let choices = [("--location", place.location != nil), ("--group", group != nil), ("--all", all)]
            .filter(\.1).map(\.0)
        if choices.count > 1 { throw ValidationError("\(choices[0]) and \(choices[1]) exclude each other") }
        if by != nil, let other = [("--brief", brief), ("--entries", entries)].first(where: \.1)?.0 {
            throw ValidationError("--by and \(other) exclude each other: \(other) prints no bars")
        }
    }

    func run() throws {
        let settings = try Settings(place.layer)
        let journal = try SQLiteJournal.existing(settings)
        let now = WallClock().now
        guard all || group != nil else {
            return try report(journal.existingLocation(of: settings), in: journal, settings, now)
        }
        let spans = try locations(in: journal).map { try span(of: $0, now: now) }
        if entries { return try rows(of: spans, isNamed: true, in: journal) }
        let report = LocationsReport(
            try spans.map {
                HistoryReport(
                    $0, try $0.kpis(in: journal, silentAfter: settings.session.silentAfter, now: now))
            }, by: by)
        if json { return try Output.line(report.json.text) }
        try (csv ? report.csv : brief ? report.brief : report.text).forEach { try Output.line($0) }
    }

    private func report(
        _ location: Location, in journal: SQLiteJournal, _ settings: Settings, _ now: Timestamp
    ) throws {
        let span = try span(of: location, now: now)
        if entries { return try rows(of: [span], isNamed: false, in: journal) }
        let devices = Devices(try journal.devices())
        let report = HistoryReport(
            span, try span.kpis(in: journal, silentAfter: settings.session.silentAfter, now: now)
        ) { devices.name(of: $0, own: $0.text) }
        if json { return try Output.line(report.json.text) }
        try (csv ? report.csv : brief ? [report.brief] : report.text).forEach { try Output.line($0) }
    }

    /// The visible locations, of the group that was named.
    private func locations(in journal: SQLiteJournal) throws -> [Location] {
        let locations = try journal.locations().filter { !$0.isHidden && (all || $0.group == group) }
        guard let group, locations.isEmpty else { return locations }
        throw ProgramError(
            "no location is in the group '\(group)'",
            remedy: "Put one into it with: counter location set NAME --group \(group.quotedForShell)",
            status: EX_NOINPUT)
    }

    /// Prints the rows of all locations in the order of time.
    private func rows(of spans: [LocationSpan], isNamed: Bool, in journal: SQLiteJournal) throws {
        let format = RowFormat(json ? .json : csv ? .csv : .text, isNamed: isNamed)
        var writer = LineWriter()
        if let header = format.header { try writer.line(header) }
        try spans.forEachRow(in: journal) { try writer.line(format.line($0, of: $1)) }
        try writer.flush()
    }
}

extension HistoryCommand {
    /// Throws `HistoryRangeError` where a time cannot be read; `ProgramError` (64) for a range that is too long.
    private func span(of location: Location, now: Timestamp) throws -> LocationSpan {
        try LocationSpan(location, selection, by: by, now: now)
    }

    private static func unit(_ text: String) throws -> HistoryUnit {
        guard let unit = HistoryUnit(rawValue: text) else {
            throw ValidationError("'\(text)' is not a unit: minute, hour, day or week")
        }
        return unit
    }

    private var selection: HistorySelection {
        get throws(HistoryRangeError) {
            guard let from else { return try HistorySelection(range ?? "today") }
            let end: HistoryBound? = if let to { try HistoryBound(to) } else { nil }
            return .between(try HistoryBound(from), end)
        }
    }
}
