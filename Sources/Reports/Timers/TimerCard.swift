package import CounterModel

/// A timer as screens show it.
package struct TimerCard: Identifiable, Hashable, Sendable {
    package let id: UniqueId
    /// The number by which people name it.
    package let number: Int
    package let presetId: UniqueId?
    /// The label, or the duration where there is none.
    package let title: String
    /// What it does now: `running`, `round 2 of 3`, `paused`, `ended 12 min ago`.
    package let status: String
    /// What is left of its present part, such as `4:32`; nil where nothing is.
    package let left: String?
    /// The same in words, with what is left of all rounds: `round 1:46, all 4:06`.
    package let leftText: String?
    /// How much of its present part is over, 0...1000.
    package let permille: Int
    package let result: TimerResultTexts
    /// Where it counts; empty where there is only one location.
    package let places: String
    package let state: TimerState
    private let endAction: EndAction
    /// Whether its lead-in is not over, so that it counts nothing yet.
    private let isBeginning: Bool

    /// `locations` are all of them, for their names.
    package init(_ timer: TimerData, _ result: TimerResult, at now: Timestamp, locations: [Location]) {
        id = timer.id
        number = timer.number
        presetId = timer.presetId
        title = timer.setup.title
        state = timer.state(at: now)
        endAction = timer.endAction
        self.result = TimerResultTexts(timer, result, at: now, locations: locations)
        places = timer.locations.names(locations)
        let (phase, seconds) = timer.phase(at: now)
        let isOpen = timer.isOpen(at: now)
        isBeginning = isOpen && phase.kind == .leadIn
        left = isOpen ? DurationText.clock(seconds: seconds) : nil
        leftText = timer.leftText(at: now)
        permille = isOpen ? 1000 - seconds * 1000 / max(1, phase.seconds) : 1000
        status = Self.status(timer, state, phase, at: now)
    }

    /// An action on its button. A timer that stays in the list is ready: it starts, where others start again.
    package func title(of action: TimerAction) -> String {
        switch action {
        case .pause: "Pause"
        case .resume: "Resume"
        case .stop: "Stop"
        case .again: endAction == .preserve ? "Start" : "Start again"
        case .acknowledge: "Acknowledge"
        case .remove: "Remove"
        }
    }

    private static func status(
        _ timer: TimerData, _ state: TimerState, _ phase: TimerPhase, at now: Timestamp
    ) -> String {
        switch state {
        case .running: return phase.words(of: timer.setup.rounds)
        case .paused: return "paused"
        case .stopped: return "stopped"
        case .ringing: return timer.endDate.map { "ended \(ago($0, now))" } ?? "ended"
        case .completed: return "ended"
        }
    }

    /// How long ago something was, as `DurationText.AgeStyle.words`.
    static func ago(_ time: Timestamp, _ now: Timestamp) -> String {
        DurationText.age(seconds: age(of: time, now), .words)
    }

    private static func age(of time: Timestamp, _ now: Timestamp) -> Int {
        max(0, now.seconds - time.seconds)
    }

    /// When the words of an end that nobody has acknowledged change next.
    package static func agoChanges(_ time: Timestamp, after now: Timestamp) -> Timestamp {
        let age = age(of: time, now)
        return Timestamp(seconds: time.seconds + age + DurationText.seconds(untilChangeOf: age, .words))
    }

    /// What is left and what was counted, for one line: `Robins 4:32  12 in, 3 out`, `Robins begins in 0:02`.
    package var brief: String {
        "\(title) \(leftText ?? status)" + (isBeginning ? "" : "  \(result.counted)")
    }

    package var alarm: String { "\(title) \(status): \(result.counted)" }
}

extension TimerPhase {
    fileprivate func words(of rounds: Int) -> String {
        switch kind {
        case .leadIn: "lead-in"
        case .round(let round): rounds > 1 ? "round \(round) of \(rounds)" : "running"
        case .pause(let round): "pause after \(round) of \(rounds)"
        }
    }
}

extension TimerLocations {
    /// The names of the locations; empty where the journal has only one.
    package func names(_ locations: [Location]) -> String {
        if locations.count < 2 { return "" }
        if self == .all { return "all locations" }
        return ids.map(locations.name(of:)).joined(separator: ", ")
    }
}

/// A preset as screens show it.
package struct PresetCard: Identifiable, Hashable, Sendable {
    package let id: UniqueId
    /// The number by which people name it.
    package let number: Int
    /// What its timers are like, to be edited.
    package let setup: TimerSetup
    /// `5m, sound, lead-in, all locations`.
    package let facts: String

    package init(_ preset: TimerPreset, locations: [Location]) {
        id = preset.id
        number = preset.number
        setup = preset.setup
        facts = ([setup.lengthText, setup.mode.rawValue] + setup.words + [setup.locations.names(locations)])
            .filter { !$0.isEmpty }.joined(separator: ", ")
    }
}

/// The result of a timer that is over, on one line of a screen.
package struct TimerResultLine: Identifiable, Hashable, Sendable {
    package let id: UniqueId
    /// When it was started, such as `2026-11-22 14:03`.
    package let started: String
    /// The label, or the duration where there is none.
    package let title: String
    package let result: TimerResultTexts

    /// Tests name a time of the start that does not depend on the zone.
    package init(
        _ timer: TimerData, _ result: TimerResult, at now: Timestamp, locations: [Location],
        started: String? = nil
    ) {
        id = timer.id
        self.started = started ?? timer.createdAt.localDateAndTime
        title = timer.setup.title
        self.result = TimerResultTexts(timer, result, at: now, locations: locations)
    }
}
