package import Linux

/// What a user asks of a timer, or stores in a preset. `TimerOption` says how each value is written.
package struct TimerSetup: Hashable, Sendable {
    package static let mostRounds = 99
    /// In percent.
    package static let fullVolume = 100
    /// How long a lead-in is where a user just asks for one, in seconds.
    package static let usualLeadIn = 3

    /// As `LabelSanitizer` makes it; may be empty.
    package var label = ""
    /// The length of a round; see `TimerDuration`.
    package var seconds: Int
    package var mode = AlarmMode.sound
    package var endAction = EndAction.discard
    package var locations = TimerLocations.all
    /// 1 to 99.
    package var rounds = 1
    /// How long the pause between two rounds is, and how long before the first round it begins; 0 or more.
    package var pauseSeconds = 0, leadInSeconds = 0
    /// Whether a minute before the end of a round that is announced.
    package var announcesLastMinute = false
    /// Whether the desktop's notification is a critical one.
    package var isUrgent = false
    /// How loud the tone at the end is, in percent, 0...100.
    package var volume = fullVolume

    /// The label, or the duration where there is none.
    package var title: String { label.isEmpty ? DurationText.short(seconds: seconds) : label }

    package var isValid: Bool {
        TimerDuration.admits(seconds) && 1...Self.mostRounds ~= rounds
            && 0...TimerDuration.longest ~= pauseSeconds && 0...60 ~= leadInSeconds
            && 0...Self.fullVolume ~= volume && locations != .some([]) && LabelSanitizer.label(label) == label
    }

    var phases: [TimerPhase] {
        var phases: [TimerPhase] = []
        if leadInSeconds > 0 { phases.append(TimerPhase(.leadIn, seconds: leadInSeconds)) }
        for round in 1...max(1, rounds) {
            phases.append(TimerPhase(.round(round), seconds: seconds))
            if round < rounds, pauseSeconds > 0 {
                phases.append(TimerPhase(.pause(after: round), seconds: pauseSeconds))
            }
        }
        return phases
    }
}

/// How the end of a timer is announced.
package enum AlarmMode: String, CaseIterable, Sendable {
    /// Everything: tone, speech, flash, desktop notification.
    case sound
    /// The screen flashes and the desktop shows a notification; nothing sounds or speaks.
    case vibration
    /// A line on the screen only.
    case silent

    package var isSoundOn: Bool { self == .sound }

    package var isVibrationOn: Bool { self != .silent }
}

/// What becomes of a timer that has ended.
package enum EndAction: String, CaseIterable, Sendable {
    /// It leaves the list ten minutes after it was acknowledged or stopped.
    case discard
    /// It stays in the list until it is removed, ready to start again.
    case preserve
}

package enum TimerLocations: Hashable, Sendable {
    case all
    /// These, by their ids; at least one.
    case some([Identifier])

    package func contains(_ locationId: Identifier) -> Bool { self == .all || ids.contains(locationId) }

    package var ids: [Identifier] {
        switch self {
        case .all: []
        case .some(let ids): ids
        }
    }
}

/// What a user has set for timers.
package struct TimerSettings: Hashable, Sendable {
    /// What a new timer is like where nothing else is said.
    package var usual = TimerSetup(seconds: 300)
    package var mostTimers = 5
    package var mostPresets = 20

    package init() {}
}

/// A timer that is kept to be started again and again.
package struct TimerPreset: Identifiable, Hashable, Sendable {
    package let id: UniqueId
    /// The number by which people name it, from 1; unique among those in sight.
    package internal(set) var number: Int
    package internal(set) var setup: TimerSetup
    package let createdAt: Timestamp
    /// When a timer of it was last started; nil where none was.
    package internal(set) var lastUsedAt: Timestamp?
    /// Whether it was removed. It can be restored.
    package internal(set) var isHiddenInList: Bool
}

// MARK: - How the values are written

/// A value of a setup: its name and form in rows of the journal and in JSON. A new one is a field of `TimerSetup`, a value here
/// with its place in `all`, and an option of `counter timer`.
package struct TimerOption: Sendable {
    let rowName: String
    /// The values in a row; none where it is as usual.
    let texts: @Sendable (TimerSetup) -> [String]
    /// Takes the values of a row; false where they cannot be so. Whether they are in their ranges says `TimerSetup.isValid`.
    let take: @Sendable (inout TimerSetup, [String]) -> Bool
    /// The members of a JSON object beside `label`.
    package let members: [(name: String, value: @Sendable (TimerSetup) -> JSONLine.Value)]

    /// In the order in which rows have them.
    package static let all: [TimerOption] = [
        number("seconds", "seconds", \.seconds, usual: nil),
        TimerOption(
            rowName: "mode", texts: { [$0.mode.rawValue] },
            take: { $0.mode.take($1) },
            members: [
                ("mode", { .text($0.mode.rawValue) }), ("isSoundOn", { .flag($0.mode.isSoundOn) }),
                ("isVibrationOn", { .flag($0.mode.isVibrationOn) }),
            ]),
        TimerOption(
            rowName: "end", texts: { [$0.endAction.rawValue] }, take: { $0.endAction.take($1) },
            members: [("endAction", { .text($0.endAction.rawValue) })]),
        TimerOption(
            rowName: "location", texts: { $0.locations.ids.map(\.text) },
            take: {
                if !$1.isEmpty { $0.locations = .some($1.map { Identifier($0) }) }
                return true
            },
            members: [("locationIds", { .list($0.locations == .all ? nil : $0.locations.ids.map(\.text)) })]),
        number("rounds", "rounds", \.rounds, usual: 1),
        number("pause", "pauseSeconds", \.pauseSeconds, usual: 0),
        number("leadIn", "leadInSeconds", \.leadInSeconds, usual: 0),
        flag("lastMinute", "announcesLastMinute", \.announcesLastMinute),
        flag("urgent", "isUrgent", \.isUrgent),
        number("volume", "volume", \.volume, usual: TimerSetup.fullVolume),
        TimerOption(
            rowName: "label", texts: { $0.label.isEmpty ? [] : [$0.label] },
            take: {
                $0.label = LabelSanitizer.label($1.first ?? "")
                return true
            },
            members: []),
    ]

    private static func number(
        _ rowName: String, _ jsonName: String, _ path: any WritableKeyPath<TimerSetup, Int> & Sendable,
        usual: Int?
    ) -> TimerOption {
        let value: @Sendable (TimerSetup) -> JSONLine.Value = { .number($0[keyPath: path]) }
        return TimerOption(
            rowName: rowName,
            texts: { $0[keyPath: path] == usual ? [] : [String($0[keyPath: path])] },
            take: {
                guard let number = $1.first.map({ Int($0) }) ?? usual else { return false }
                $0[keyPath: path] = number
                return true
            },
            members: [(jsonName, value)])
    }

    private static func flag(
        _ rowName: String, _ jsonName: String, _ path: any WritableKeyPath<TimerSetup, Bool> & Sendable
    ) -> TimerOption {
        let value: @Sendable (TimerSetup) -> JSONLine.Value = { .flag($0[keyPath: path]) }
        return TimerOption(
            rowName: rowName, texts: { $0[keyPath: path] ? ["true"] : [] },
            take: {
                $0[keyPath: path] = $1.first == "true"
                return true
            },
            members: [(jsonName, value)])
    }
}

extension RawRepresentable<String> {
    fileprivate mutating func take(_ texts: [String]) -> Bool {
        guard let value = texts.first.flatMap(Self.init(rawValue:)) else { return false }
        self = value
        return true
    }
}

// MARK: - Options of a preset as words

extension TimerSetup {
    /// What may be typed for the options of a preset.
    package static let wordsHint =
        "Any of: lead-in (3 s), last minute (says when one is left), urgent, discard (leaves the list), volume 40. Or empty."

    /// Its options beside mode and length: `lead-in`, `last minute`, `urgent`, `discard`, `volume 40`. A preset without any has none.
    package var words: [String] {
        [
            leadInSeconds > 0 ? "lead-in" : nil, announcesLastMinute ? "last minute" : nil,
            isUrgent ? "urgent" : nil, endAction == .discard ? "discard" : nil,
            volume == Self.fullVolume ? nil : "volume \(volume)",
        ].compactMap(\.self)
    }

    /// Takes typed words with commas between them. What is not named is as usual; a lead-in of another length stays where the
    /// text still names one.
    package mutating func take(words text: String) throws(FieldProblem) {
        let leadIn = leadInSeconds > 0 ? leadInSeconds : Self.usualLeadIn
        (leadInSeconds, announcesLastMinute, isUrgent) = (0, false, false)
        (endAction, volume) = (.preserve, Self.fullVolume)
        for part in text.split(separator: ",") {
            let words = part.lowercased().split { $0.isWhitespace || $0 == "-" }
            switch words.joined(separator: " ") {
            case "": break
            case "lead in": leadInSeconds = leadIn
            case "last minute": announcesLastMinute = true
            case "urgent": isUrgent = true
            case "discard": endAction = .discard
            default: volume = try Self.volume(words, of: LabelSanitizer.label(part))
            }
        }
    }

    private static func volume(_ words: [Substring], of part: String) throws(FieldProblem) -> Int {
        guard words.count == 2, words[0] == "volume", let number = Int(words[1]) else {
            throw FieldProblem("'\(part)' is none of lead-in, last minute, urgent, discard, volume")
        }
        guard 0...fullVolume ~= number else { throw FieldProblem("the volume is 0 to \(fullVolume)") }
        return number
    }
}
