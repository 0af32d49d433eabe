import ArgumentParser
import CounterModel
import CounterStore
import Glibc
import Reports
import System
import Transfer

/// `counter history`: the totals of a range of a location's past.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Prints what came in and went out, by hour or day, and what was odd.",
        discussion: """
            Days and hours are the location's own, by its zone and the hour at which its days start. An hour that \
            clocks show twice is two, one that they skip none. Ranges of up to two days are told by the hour, others by \
            the day.

            A time is today, yesterday, 2026-11-01, '2026-11-01 14:00', or one with an offset such as \
            2026-11-01T14:00:00Z. A range ends just before --to: one day is from its date to the next. Without --to it \
            goes on to the end of today.

            In an occupancy corrections by hand are told apart, and are in no bar. --json prints one object; with \
            --entries it prints one for each row, in the order of time. Rows that were taken back are marked as void.
            """)

    @OptionGroup var journal: JournalOptions
    @OptionGroup var place: LocationOptions
    @OptionGroup var span: SpanOptions
    @Flag(help: "Prints JSON.") var json = false
    @Flag(help: "Prints the bars, or with --entries the rows, as CSV with a header.") var csv = false
    @Flag(help: "Prints the rows of the journal behind it.") var entries = false

    func validate() throws {
        if json && csv { throw ValidationError("--json and --csv exclude each other") }
    }

    func run() throws {
        let settings = try Settings(journal.layer, place.layer)
        let journal = try SQLiteJournal.existing(settings)
        let location = try journal.existingLocation(named: settings.location)
        let now = WallClock().now
        let span = try LocationSpan(location, try span.selection, now: now)
        if entries { return try rows(of: span, in: journal) }
        let report = HistoryReport(
            span, try span.kpis(in: journal, silentAfter: settings.silentAfter, now: now))
        if json { return try Output.line(report.json) }
        try (csv ? report.csv : report.text).forEach { try Output.line($0) }
    }

    private func rows(of span: LocationSpan, in journal: SQLiteJournal) throws {
        let format = RowFormat(span.calendar.zone, style: json ? .json : csv ? .csv : .text)
        var writer = LineWriter()
        if let header = format.header { try writer.line(header) }
        try span.forEachRow(in: journal) { try writer.line(format.line($0)) }
        try writer.flush()
    }
}

/// The range of the past that a command reports on.
struct SpanOptions: ParsableArguments {
    /// The ranges that have a name.
    enum Named: String, CaseIterable, ExpressibleByArgument {
        case today, yesterday
        case week = "7d"
        case month = "30d"

        fileprivate var selection: HistorySelection {
            switch self {
            case .today: .today
            case .yesterday: .yesterday
            case .week: .lastDays(7)
            case .month: .lastDays(30)
            }
        }
    }

    @Option(
        help: ArgumentHelp(
            "Operational days; those of several end with the present one. Default: today",
            valueName: "today|yesterday|7d|30d"))
    var range: Named?
    @Option(help: ArgumentHelp("The first moment.", valueName: "time")) var from: String?
    @Option(help: ArgumentHelp("The first moment that is not of it any more.", valueName: "time"))
    var to: String?

    func validate() throws {
        if range != nil, from != nil || to != nil {
            throw ValidationError("--range and --from exclude each other")
        }
        if to != nil, from == nil { throw ValidationError("--to wants --from") }
    }

    /// - Throws: `HistoryRangeError` where a time cannot be read.
    var selection: HistorySelection {
        get throws(HistoryRangeError) {
            guard let from else { return (range ?? .today).selection }
            let end: HistoryBound? = if let to { try HistoryBound(to) } else { nil }
            return .between(try HistoryBound(from), end)
        }
    }
}
