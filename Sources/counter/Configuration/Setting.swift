import Alarms
import ArgumentParser
import CounterModel
import CounterTUI
import Counting
import KeyProtocol
import Linux
import Sound
import VolumeInput

/// A setting: its names, the help of its option, and how its text is read into `Settings`.
struct Setting: Hashable, Sendable {
    /// The name of the option.
    let key: String
    /// The section of the configuration file in which it stands; nil above all sections.
    let section: String?
    /// Its name in the configuration file.
    let name: String
    private let words: String
    private let discussion: String
    private let valueName: String?
    private let reader: @Sendable (inout Settings, [String]) -> String?

    private init<Value>(
        _ key: String, in section: String? = nil, as name: String? = nil,
        _ property: any WritableKeyPath<Settings, Value> & Sendable, _ reader: Reader<Value>,
        help: String = "", discussion: String = "", value: String? = nil
    ) {
        (self.key, self.section, self.name) = (key, section, name ?? key)
        (words, self.discussion, valueName) = (help, discussion, value)
        self.reader = { settings, texts in
            switch reader.read(texts) {
            case .success(let value):
                settings[keyPath: property] = value
                return nil
            case .failure(let error): return error.text
            }
        }
    }

    static func == (left: Setting, right: Setting) -> Bool { left.key == right.key }
    func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// The environment variable, such as `COUNTER_HOLD_DELAY`.
    var variable: String { "COUNTER_" + key.uppercased().replacing("-", with: "_") }

    var option: String { "--\(key)" }

    var help: ArgumentHelp { ArgumentHelp(words, discussion: discussion, valueName: valueName) }

    /// Reads its texts, of which there are several where it may be repeated. Returns why they are not valid.
    func read(_ texts: [String], into settings: inout Settings) -> String? { reader(&settings, texts) }
}

// MARK: All settings

extension Setting {
    static let all = [
        dataDirectory, allowNetwork, location, step, device, intercept, always, debounce, chord, holdDelay,
        `repeat`, bounce, holdLimit, viewer, staleAfter, silentAfter, sound, soundVolume, speech, plain,
        screen,
        timerMode, timerUrgent, alarmVolume, timerLimit, presetLimit,
    ]

    /// The setting with a name in the configuration file.
    static func named(_ name: String, in section: String? = nil) -> Setting? {
        all.first { $0.section == section && $0.name == name }
    }

    /// Whether only what counts needs it.
    var isOfCounting: Bool {
        ![.dataDirectory, .allowNetwork, .location, .viewer, .staleAfter, .silentAfter].contains(self)
    }

    static let dataDirectory = Setting(
        "data-dir", \.dataDirectory, .directory, help: "The directory of the journal and of practice.",
        discussion: "Default: $XDG_DATA_HOME/counter", value: "dir")
    static let allowNetwork = Setting(
        "allow-network-filesystem", \.allowsNetworkFileSystem, .required(.flag),
        help: "Let the journal lie on a network file system that no other machine uses.")
    static let viewer = Setting(
        "viewer", \.isViewer, .required(.flag),
        help: "Show everything, change nothing. Prevents accidents, not malice.")
    static let location = Setting(
        "location", \.session.location, .text, help: "A location, by its name or id.",
        discussion: "Default: default; for status, watch and export: all", value: "name")
    /// A press is one transaction, which other presses wait for.
    static let step = Setting(
        "step", \.session.step, .required(.number(in: 1...1000)),
        help: "How many each press, key or time counts, 1 to 1000; all of them are one change. Default: 1",
        value: "number")
    static let plain = Setting(
        "plain", \.isPlain, .required(.flag),
        help: "For screen readers: writes a line for each change instead of the screens.")
    static let screen = Setting(
        "screen", \.screen,
        .one("must be count, live, history, admin or timers") { text in
            Screens.Tab.allCases.first { $0.word == text }.map(Optional.some)
        },
        help: "The screen that is shown first; with --viewer without keys, for a wall. Default: count",
        value: "name")
    static let staleAfter = Setting("stale-after", \.session.staleAfter, .required(.period("2min")))
    static let silentAfter = Setting("silent-after", \.session.silentAfter, .required(.period("30min")))

    // MARK: Input devices

    static let device = Setting(
        "device", \.devicePaths, .paths, help: "Only this node, such as /dev/input/event5. May be repeated.",
        value: "path")
    static let intercept = Setting(
        "intercept", \.intercept, .required(.choice(of: "must be auto or never")),
        help: "Keep the system's volume unchanged (auto), or let it change too (never).", value: "auto|never")
    static let always = Setting(
        "always", \.always, .required(.flag),
        help:
            "Count in the background too, and intercept the keys there; shared while another user is active.")
    static let debounce = Setting(
        "debounce", \.timing.debounce, .required(.duration("150ms")),
        help: "How long a key that has counted does not count again. Default: 150ms", value: "time")
    static let chord = Setting(
        "chord", \.timing.chord, .required(.duration("100ms")),
        help: "How far apart both keys may go down to reset. Default: 100ms", value: "time")
    static let holdDelay = Setting(
        "hold-delay", \.timing.holdDelay, .required(.duration("400ms")),
        help: "How long a key is down before it repeats. Default: 400ms", value: "time")
    static let `repeat` = Setting(
        "repeat", \.timing.repeatInterval, .required(.duration("150ms")),
        help: "The time between repeats. Default: 150ms", value: "time")
    static let bounce = Setting(
        "bounce", \.timing.bounce, .required(.duration("25ms")),
        help: "How soon after a release a press is contact bounce. Default: 25ms", value: "time")
    static let holdLimit = Setting(
        "hold-limit", \.timing.holdLimit, .required(.duration("30s")),
        help: "How long a long press may last. Default: 30s", value: "time")

    // MARK: Sounds and timers

    static let sound = Setting(
        "sound", in: "sound", as: "cues", \.preferences.cues.sounds, .cues,
        help: "What sounds: all, none, or some of up,down,reset,target,error. Default: none", value: "cues")
    static let soundVolume = Setting(
        "sound-volume", in: "sound", as: "volume", \.preferences.cues.volume, .percent,
        help: "How loud, in percent. Default: 80", value: "percent")
    static let speech = Setting(
        "speech", in: "speech", as: "count", \.preferences.cues.spoken,
        .choice(of: "must be one of \(CountCues.Spoken.allCases.map(\.rawValue).joined(separator: ", "))"),
        help: "When the count is spoken; key: on the key . only. Default: never",
        value: "never|each|tenth|key")
    static let timerMode = Setting(
        "timer-mode", in: "timers", as: "mode", \.preferences.timers.usual.mode,
        .choice(of: "must be sound, vibration or silent")
    )
    static let timerUrgent = Setting(
        "timer-urgent", in: "timers", as: "urgent", \.preferences.timers.usual.isUrgent, .flag)
    static let alarmVolume = Setting(
        "alarm-volume", in: "timers", as: "volume", \.preferences.timers.usual.volume, .percent)
    /// More could not be overlooked on a screen; so are presets.
    static let timerLimit = Setting(
        "timer-limit", in: "timers", as: "limit", \.preferences.timers.mostTimers, .number(in: 1...99))
    static let presetLimit = Setting(
        "preset-limit", in: "timers", as: "presets", \.preferences.timers.mostPresets, .number(in: 1...99))
}

// MARK: Reading

/// Reads the texts of a setting.
private struct Reader<Value>: Sendable {
    /// A problem is a clause that follows the setting's origin.
    let read: @Sendable ([String]) -> Result<Value, FieldProblem>

    /// One text, the last of several; `rule` says what it has to be.
    static func one(_ rule: String, _ value: @escaping @Sendable (String) -> Value?) -> Reader {
        Reader { texts in value(texts.last ?? "").map(Result.success) ?? .failure(FieldProblem(rule)) }
    }

    /// A text that must not be empty.
    static func required(_ reader: Reader) -> Reader {
        Reader { ($0.last ?? "").isEmpty ? .failure(FieldProblem("must not be empty")) : reader.read($0) }
    }
}

extension Reader<String> {
    fileprivate static var text: Reader { .required(.one("") { $0 }) }

    /// A directory; `~` is the user's own, also where no shell has replaced it.
    fileprivate static var directory: Reader {
        Reader { texts in
            let text = texts.last ?? ""
            guard text == "~" || text.hasPrefix("~/") else { return Self.text.read(texts) }
            guard let home = ProgramFiles.home else {
                return .failure(FieldProblem("no home directory is known: name the whole path"))
            }
            return .success(home + text.dropFirst())
        }
    }
}

extension Reader<Bool> {
    fileprivate static var flag: Reader { .one("is true or false", \.flag) }
}

extension Reader<Int> {
    fileprivate static func number(in range: ClosedRange<Int>) -> Reader {
        .number("is a number from \(range.lowerBound) to \(range.upperBound)", in: range)
    }

    fileprivate static var percent: Reader { .number("is 0 to 100, in percent", in: 0...100) }

    private static func number(_ rule: String, in range: ClosedRange<Int>) -> Reader {
        .one(rule) { text in Int(text).flatMap { range.contains($0) ? $0 : nil } }
    }
}

extension Reader<Duration> {
    fileprivate static func duration(_ example: String) -> Reader {
        Reader { texts in
            let text = texts.last ?? ""
            guard let duration = DurationText.read(text), duration <= .seconds(86_400) else {
                return .failure(
                    FieldProblem("'\(text)' is no duration; write one with its unit, such as \(example)"))
            }
            return .success(duration)
        }
    }

    fileprivate static func period(_ example: String) -> Reader {
        Reader { texts in
            duration(example).read(texts).flatMap { value in
                .seconds(1) ... .seconds(86_400) ~= value
                    ? .success(value) : .failure(FieldProblem("must be 1s to 24h, such as \(example)"))
            }
        }
    }
}

extension Reader where Value: RawRepresentable<String> & Sendable {
    fileprivate static func choice(of rule: String) -> Reader { .one(rule) { Value(rawValue: $0) } }
}

extension Reader<[String]> {
    fileprivate static var paths: Reader {
        Reader { paths in
            let most = KeyClientSettings.maxPaths
            return paths.count > most
                ? .failure(FieldProblem("at most \(most) nodes may be named")) : .success(paths)
        }
    }
}

extension Reader<Set<Cue>> {
    fileprivate static var cues: Reader {
        Reader { texts in
            let names = texts.flatMap { $0.split(separator: "," as Character).map(String.init) }
            if names == ["all"] { return .success(Set(Cue.allCases)) }
            if names == ["none"] { return .success([]) }
            let cues = names.map { Cue(rawValue: $0) }
            guard !cues.isEmpty, !cues.contains(nil) else {
                let all = Cue.allCases.map(\.rawValue).joined(separator: ",")
                return .failure(FieldProblem("must be all, none, or some of \(all)"))
            }
            return .success(Set(cues.compactMap(\.self)))
        }
    }
}

extension String {
    /// What a text says; nil where it is neither true nor false.
    var flag: Bool? {
        switch self {
        case "true", "1", "yes": true
        case "false", "0", "no": false
        default: nil
        }
    }
}
