package import CounterModel
import Linux
import Transfer

/// A timer as `counter timer list` and `counter timer results` print it.
package struct TimerReport {
    /// The columns of `counter timer list`.
    package static let header = ["N", "LABEL", "STATUS", "LEFT", "IN", "OUT", "NET", "MODE", "LOCATIONS"]
    /// The columns of `counter timer results`.
    package static let resultHeader = [
        "STARTED", "ENDED", "LABEL", "STATUS", "IN", "OUT", "NET", "LOCATIONS",
    ]
    /// The columns of `counter timer results --csv`: a line for each timer and location, and one with an empty location for their
    /// sum.
    package static let csvHeader = CSV.line([
        "id", "label", "startedAt", "endedAt", "status", "seconds", "locationId", "totalIn", "totalOut",
        "net",
    ])

    private let timer: TimerData
    private let result: TimerResult
    private let now: Timestamp
    private let names: [Identifier: String]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - timer: The timer.
    ///   - result: What it has counted so far.
    ///   - now: The present time.
    ///   - locations: All locations, for their names.
    package init(_ timer: TimerData, _ result: TimerResult, at now: Timestamp, locations: [Location]) {
        self.timer = timer
        self.result = result
        self.now = now
        names = Dictionary(locations.map { ($0.id, $0.name) }) { first, _ in first }
    }

    private var state: TimerState { timer.state(at: now) }

    /// The state for programs: a timer that rings is completed and not acknowledged.
    private var status: String { hasEnded ? TimerState.completed.rawValue : state.rawValue }

    private var hasEnded: Bool { [.ringing, .completed].contains(state) }

    private var places: String {
        timer.locations == .all
            ? "all" : timer.locations.ids.map { names[$0] ?? $0.text }.joined(separator: ", ")
    }

    private var counts: [String] { [result.totalIn, result.totalOut, result.net].map(String.init) }

    /// When it ended or was stopped; nil before.
    private var endedAt: Timestamp? { timer.stoppedAt ?? (hasEnded ? timer.endDate : nil) }

    /// The cells of `counter timer list`.
    package var cells: [String] {
        let left =
            [.running, .paused].contains(state)
            ? DurationText.clock(seconds: timer.remainingSeconds(at: now)) : "-"
        return [String(timer.number), timer.setup.title, words, left] + counts
            + [timer.setup.mode.rawValue, places]
    }

    /// The status in a word or two.
    private var words: String { state == .ringing ? "ended" : status }

    /// The rows of `counter timer results`: one of the timer, and where it has counted in several locations, one of each.
    package var resultRows: [[String]] {
        let facts = [
            timer.createdAt.localDateAndTime, endedAt?.localDateAndTime ?? "-", timer.setup.title,
            status,
        ]
        let sum = facts + counts + [places]
        guard result.locations.count > 1 else { return [sum] }
        return [sum]
            + result.locations.map { count in
                facts.map { _ in "" } + [count.totalIn, count.totalOut, count.net].map(String.init)
                    + ["  " + (names[count.locationId] ?? count.locationId.text)]
            }
    }

    /// The lines of `counter timer results --csv`.
    package var csv: [String] {
        let facts = [
            timer.id.description, timer.label, timer.createdAt.iso8601, endedAt?.iso8601 ?? "",
            status, String(timer.setup.seconds),
        ]
        return result.locations.map { count in
            CSV.line(
                facts + [count.locationId.text] + [count.totalIn, count.totalOut, count.net].map(String.init))
        } + [CSV.line(facts + [""] + counts)]
    }

    /// What became of it, in a sentence without a full stop.
    package var sentence: String {
        let name = timer.label.isEmpty ? "timer \(timer.number)" : "timer \(timer.number) '\(timer.label)'"
        let counted = "\(result.totalIn) in, \(result.totalOut) out"
        switch state {
        case .running:
            let end = timer.endDate.map { " runs until \($0.localTime(at: now))" } ?? ""
            return "\(name) (\(timer.setup.lengthText))\(end)"
        case .paused:
            return
                "\(name) is paused with \(DurationText.clock(seconds: timer.remainingSeconds(at: now))) left"
        case .stopped: return "\(name) is \(timer.leftAt == nil ? "stopped" : "removed"): \(counted)"
        case .ringing: return "\(name) has ended: \(counted)"
        case .completed: return "\(name) is \(timer.leftAt == nil ? "acknowledged" : "removed"): \(counted)"
        }
    }

    /// The timer as a JSON object.
    package var json: String { object.text }

    /// What `listen --json` writes when it has ended.
    package var endLine: String { object(ofType: FeedLine.timerEnd).text }

    private var object: JSONLine { object(ofType: nil) }

    private func object(ofType type: String?) -> JSONLine {
        var object = JSONLine()
        object.add("type", type)
        object.add("timerId", timer.id.description)
        object.add("number", timer.number)
        object.add("status", status)
        object.add("isListed", timer.isListed(at: now))
        object.add("remainingSeconds", timer.remainingSeconds(at: now))
        object.add("createdAt", timer.createdAt.iso8601)
        object.add("endDate", (endedAt ?? timer.endDate)?.iso8601)
        object.add("acknowledgedAt", timer.acknowledgedAt?.iso8601)
        object.add("presetId", timer.presetId?.description)
        object.add("userId", timer.userId)
        object.add(timer.setup)
        object.add("totalIn", result.totalIn)
        object.add("totalOut", result.totalOut)
        object.add("net", result.net)
        object.add("locations", result.locations.map(Self.object))
        if timer.setup.rounds > 1 { object.add("roundResults", result.rounds.map(Self.object)) }
        object.add(
            "windows",
            timer.windows(at: now).map { window in
                var object = JSONLine()
                object.add("round", window.round)
                object.add("from", window.from.iso8601)
                object.add("to", window.to.iso8601)
                return object
            })
        return object
    }

    private static func object(_ count: TimerCount) -> JSONLine {
        var object = JSONLine()
        object.add("locationId", count.locationId.isEmpty ? nil : count.locationId)
        object.add("totalIn", count.totalIn)
        object.add("totalOut", count.totalOut)
        object.add("net", count.net)
        return object
    }
}

extension JSONLine {
    /// Adds the members of a setup. Of a timer of all locations there is no `locationIds`.
    mutating func add(_ setup: TimerSetup) {
        add("label", setup.label)
        add("seconds", setup.seconds)
        add("mode", setup.mode.rawValue)
        add("isSoundOn", setup.mode.isSoundOn)
        add("isVibrationOn", setup.mode.isVibrationOn)
        add("endAction", setup.endAction.rawValue)
        if setup.locations != .all { add("locationIds", setup.locations.ids.map(\.text)) }
        add("rounds", setup.rounds)
        add("pauseSeconds", setup.pauseSeconds)
        add("leadInSeconds", setup.leadInSeconds)
        add("announcesLastMinute", setup.announcesLastMinute)
        add("isUrgent", setup.isUrgent)
        add("volume", setup.volume)
    }
}
