package import CounterModel
import Linux
import Transfer

/// A timer with what it has counted so far, as commands print it and screens show it.
package struct TimerReport {
    package let timer: TimerData
    let result: TimerResult
    let now: Timestamp
    let locations: [Location]
    /// When it was started, such as `2026-11-22 14:03`. Tests set a time that does not depend on the zone.
    package var started: String
    /// What it has counted; in a line of its results, in a part.
    private var count: TimerCount
    /// Where that was; of a part that follows the sum of all, indented.
    private var place = ""
    private var isPart = false

    /// `locations` are all of them, for their names.
    package init(_ timer: TimerData, _ result: TimerResult, at now: Timestamp, locations: [Location]) {
        (self.timer, self.result, self.now, self.locations) = (timer, result, now, locations)
        started = timer.createdAt.localDateAndTime
        count = TimerCount(locationId: "", totalIn: result.totalIn, totalOut: result.totalOut)
    }

    package var state: TimerState { timer.state(at: now) }

    /// The state for programs: a timer that rings is completed and not acknowledged.
    private var status: String { hasEnded ? TimerState.completed.rawValue : state.rawValue }

    private var hasEnded: Bool { [.ringing, .completed].contains(state) }

    var statusWord: String { hasEnded ? "ended" : state.rawValue }

    /// When it ended or was stopped; nil before.
    private var endedAt: Timestamp? { timer.stoppedAt ?? (hasEnded ? timer.endDate : nil) }

    /// The columns of `counter timer list`.
    package static var table: Table<TimerReport> {
        Table(
            [
                .init("timerId") { .text($0.timer.id.description) },
                .init("number", "N") { .number($0.timer.number) },
                .init("status", "STATUS", words: \.statusWord) { .text($0.status) },
                .init("isListed") { .flag($0.timer.isListed(at: $0.now)) },
                .init("remainingSeconds", "LEFT", words: { $0.leftText ?? "-" }) {
                    .number($0.timer.remainingSeconds(at: $0.now))
                },
                .init("createdAt") { .time($0.timer.createdAt) },
                .init("endDate") { .time($0.endedAt ?? $0.timer.endDate) },
                .init("acknowledgedAt") { .time($0.timer.acknowledgedAt) },
                .init("presetId") { .text($0.timer.presetId?.description) },
                .init("userId") { .text($0.timer.userId) },
            ] + setupColumns(\.timer.setup, \.locations) + [
                .init("countedSeconds") { .number($0.timer.countedSeconds(at: $0.now)) },
                .init("addedSeconds") { .number($0.timer.addedSeconds) },
                .init("totalIn", "IN") { .number($0.count.totalIn) },
                .init("totalOut", "OUT") { .number($0.count.totalOut) },
                .init("net", "NET") { .number($0.count.net) },
                .init("locations") { .objects($0.counts.map(\.json)) },
                .init("roundResults") {
                    .objects($0.timer.setup.rounds > 1 ? $0.result.rounds.map(\.json) : nil)
                },
                .init("windows") { .objects($0.timer.windows(at: $0.now).map(\.json)) },
            ], titles: ["N", "LABEL", "STATUS", "LEFT", "IN", "OUT", "NET", "MODE", "LOCATIONS"])
    }

    /// What `listen --json` writes when it has ended.
    package var endLine: String { Self.table.object(self, after: ["type": .text(FeedLine.timerEnd)]).text }
}

// MARK: Results

extension TimerReport {
    /// The lines of `counter timer results`: one for each timer, and where it has counted in several locations or rounds, one for
    /// each below their total.
    package static func results(_ reports: [TimerReport]) -> [String] {
        resultTable.text(
            reports.flatMap { report in
                let parts = report.parts
                let only = report.locations.text(of: report.timer.locations)
                let place = report.counts.count > 1 ? "total" : only + (parts.isEmpty ? "" : ", total")
                return [report.line(report.count, place)]
                    + parts.map { report.line($0.count, "  " + $0.name, isPart: true) }
            })
    }

    /// `counter timer results --csv`: a line for each timer and location, so that columns can be added up.
    package static func csv(_ reports: [TimerReport]) -> [String] {
        resultTable.csv(reports.flatMap { report in report.counts.map { report.line($0) } })
    }

    private func line(_ count: TimerCount, _ place: String = "", isPart: Bool = false) -> TimerReport {
        var line = self
        (line.count, line.place, line.isPart) = (count, place, isPart)
        return line
    }

    private static var resultTable: Table<TimerReport> {
        func first(_ words: @escaping (TimerReport) -> String) -> (TimerReport) -> String {
            { $0.isPart ? "" : words($0) }
        }
        return Table(
            [
                .init("id") { .text($0.timer.id.description) },
                .init("label", "LABEL", words: first(\.timer.setup.title)) { .text($0.timer.label) },
                .init("startedAt", "STARTED", words: first(\.started)) { .time($0.timer.createdAt) },
                .init("endedAt", "ENDED", words: first { $0.endedAt?.localDateAndTime ?? "-" }) {
                    .time($0.endedAt)
                },
                .init("status", "STATUS", words: first(\.statusWord)) { .text($0.status) },
                .init("rounds") { .number($0.timer.setup.rounds) },
                .init("countedSeconds", "COUNTED", words: first(\.countedText)) {
                    .number($0.timer.countedSeconds(at: $0.now))
                },
                .init("addedSeconds") { .number($0.timer.addedSeconds) },
                .init("locationId", "LOCATIONS", words: \.place) { .text($0.count.locationId.text) },
                .init("name") { .text($0.locations.name(of: $0.count.locationId)) },
                .init("totalIn", "IN") { .number($0.count.totalIn) },
                .init("totalOut", "OUT") { .number($0.count.totalOut) },
                .init("net", "NET") { .number($0.count.net) },
            ], titles: ["STARTED", "ENDED", "LABEL", "STATUS", "COUNTED", "IN", "OUT", "NET", "LOCATIONS"])
    }
}

extension TimerCount {
    fileprivate var json: JSONLine {
        [
            "locationId": .text(locationId.isEmpty ? nil : locationId.text), "totalIn": .number(totalIn),
            "totalOut": .number(totalOut), "net": .number(net),
        ]
    }
}

extension TimerWindow {
    fileprivate var json: JSONLine { ["round": .number(round), "from": .time(from), "to": .time(to)] }
}

// MARK: Presets

/// A preset, as commands print it and screens show it.
package struct PresetReport {
    package let preset: TimerPreset
    let locations: [Location]

    /// `locations` are all of them, for their names.
    package init(_ preset: TimerPreset, locations: [Location]) {
        (self.preset, self.locations) = (preset, locations)
    }

    package static var table: Table<PresetReport> {
        Table(
            [
                .init("presetId") { .text($0.preset.id.description) },
                .init("number", "N") { .number($0.preset.isHiddenInList ? nil : $0.preset.number) },
                .init(title: "LENGTH") { $0.preset.setup.lengthText },
                .init(title: "AT THE END") { $0.preset.setup.endAction == .preserve ? "keep" : "discard" },
            ] + setupColumns(\.preset.setup, \.locations) + [
                .init("createdAt") { .time($0.preset.createdAt) },
                .init("lastUsedAt", "LAST USED") { .time($0.preset.lastUsedAt) },
                .init("isHiddenInList") { .flag($0.preset.isHiddenInList) },
            ], titles: ["N", "LABEL", "LENGTH", "MODE", "AT THE END", "LOCATIONS", "LAST USED"])
    }
}

/// The columns of a setup. Of a timer of all locations there is no `locationIds`.
private func setupColumns<Row>(
    _ setup: @escaping (Row) -> TimerSetup, _ locations: @escaping (Row) -> [Location]
) -> [Table<Row>.Column] {
    [
        .init("label", "LABEL", words: { setup($0).title }) { .text(setup($0).label) }
    ]
        + TimerOption.all.flatMap(\.members).map { member in
            let title = ["mode": "MODE", "locationIds": "LOCATIONS"][member.name]
            let words = { (row: Row) in locations(row).text(of: setup(row).locations) }
            return .init(member.name, title, words: title == "LOCATIONS" ? words : nil) {
                member.value(setup($0))
            }
        }
}
