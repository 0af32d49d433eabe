import Alarms
import ArgumentParser
import Linux
import Reports
import VolumeInput

/// Where the journal is, and practice below it.
///
/// The argument parser gives an option of `counter` itself to the first command that declares it, and from there to others by
/// the type of the option group. So each of these options is declared once, in a group that all commands share: a second
/// declaration would stay empty.
struct DataDirectoryOptions: ParsableArguments {
    // A list, as of an option that is given twice the parser would keep the last without a word.
    @Option(
        name: .customLong("data-dir"),
        help: ArgumentHelp(
            "The directory of the journal and of practice.", discussion: "Default: $XDG_DATA_HOME/counter",
            valueName: "dir"),
        completion: .directory)
    var paths: [String] = []

    func validate() throws {
        if paths.count > 1 { throw ValidationError("--data-dir is given twice: name one directory") }
    }

    var layer: SettingLayer {
        paths.last.map { [.dataDirectory: Setting(values: [$0], origin: "--data-dir")] } ?? [:]
    }
}

/// The journal, and what may be done with it.
struct JournalOptions: ParsableArguments {
    @OptionGroup var directory: DataDirectoryOptions

    @Flag(
        name: .customLong("allow-network-filesystem"),
        help: "Let the journal lie on a network file system that no other machine uses.")
    var allowsNetworkFileSystem = false

    @Flag(help: "Show everything, change nothing. Prevents accidents, not malice.")
    var viewer = false

    var layer: SettingLayer {
        var layer = directory.layer
        if allowsNetworkFileSystem {
            layer[.allowNetwork] = Setting(values: ["true"], origin: "--allow-network-filesystem")
        }
        if viewer { layer[.viewer] = Setting(values: ["true"], origin: "--viewer") }
        return layer
    }
}

/// The location that a command works on.
struct LocationOptions: ParsableArguments {
    // A list, because of an option that is given twice the parser would keep the last without a word.
    @Option(
        name: .customLong("location"),
        help: ArgumentHelp(
            "A location, by its name or id.",
            discussion: "Default: default; for status, watch and export: all",
            valueName: "name"),
        completion: .locations
    )
    var named: [String] = []

    /// The location; nil where the command line names none.
    var location: String? { named.last }

    func validate() throws {
        if named.count > 1 { throw ValidationError("--location is given twice: name one location") }
    }

    var layer: SettingLayer {
        location.map { [.location: Setting(values: [$0], origin: "--location")] } ?? [:]
    }
}

/// How many a press counts.
struct StepOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How many each press, key or time counts, 1 to 1000; all of them are one change. Default: 1",
            valueName: "number"))
    var step: String?

    var layer: SettingLayer { step.map { [.step: Setting(values: [$0], origin: "--step")] } ?? [:] }
}

/// What begins with the first count; for the commands that count.
struct StartOptions: ParsableArguments {
    @Option(
        name: .customLong("start"),
        help: ArgumentHelp(
            "Starts a timer of this preset with the first count.", valueName: "preset"),
        completion: .presets)
    var preset: String?
}

/// Which input devices are used, and how presses become counts.
struct ListeningOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Only this node, such as /dev/input/event5. May be repeated.", valueName: "path"),
        completion: .file())
    var device: [String] = []

    @Option(
        help: ArgumentHelp(
            "Keep the system's volume unchanged (auto), or let it change too (never).",
            valueName: "auto|never"),
        completion: .list(Intercept.allCases.map(\.rawValue)))
    var intercept: String?

    @Flag(
        help:
            "Count in the background too, and intercept the keys there; shared while another user is active."
    )
    var always = false

    @Option(
        help: ArgumentHelp(
            "How long a key that has counted does not count again. Default: 150ms", valueName: "time"))
    var debounce: String?

    @Option(
        help: ArgumentHelp("How far apart both keys may go down to reset. Default: 100ms", valueName: "time"))
    var chord: String?

    @Option(help: ArgumentHelp("How long a key is down before it repeats. Default: 400ms", valueName: "time"))
    var holdDelay: String?

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp("The time between repeats. Default: 150ms", valueName: "time"))
    var repeatInterval: String?

    @Option(
        help: ArgumentHelp(
            "How soon after a release a press is contact bounce. Default: 25ms", valueName: "time"))
    var bounce: String?

    @Option(help: ArgumentHelp("How long a long press may last. Default: 30s", valueName: "time"))
    var holdLimit: String?

    @Option(
        help: ArgumentHelp(
            "What sounds: all, none, or some of up,down,reset,target,error. Default: none", valueName: "cues")
    )
    var sound: String?

    @Option(help: ArgumentHelp("How loud, in percent. Default: 80", valueName: "percent"))
    var soundVolume: String?

    @Option(
        help: ArgumentHelp(
            "When the count is spoken; key: on the key . only. Default: never",
            valueName: "never|each|tenth|key"),
        completion: .list(CountCues.Spoken.allCases.map(\.rawValue)))
    var speech: String?

    var layer: SettingLayer {
        let texts: [(SettingKey, String?)] = [
            (.sound, sound), (.soundVolume, soundVolume), (.speech, speech),
            (.intercept, intercept), (.debounce, debounce), (.chord, chord), (.holdDelay, holdDelay),
            (.repeat, repeatInterval), (.bounce, bounce), (.holdLimit, holdLimit),
        ]
        var layer: SettingLayer = [:]
        for case (let key, let text?) in texts {
            layer[key] = Setting(values: [text], origin: "--\(key.rawValue)")
        }
        if always { layer[.always] = Setting(values: ["true"], origin: "--always") }
        if !device.isEmpty { layer[.device] = Setting(values: device, origin: "--device") }
        return layer
    }
}

extension Settings {
    /// Merges a command's option groups with the environment variables and the configuration file.
    init(_ layers: SettingLayer...) throws(ProgramError) {
        try self.init(options: layers.reduce(into: [:]) { $0.merge($1) { $1 } })
    }
}

extension Table {
    /// Prints an object for each row, or a table; nothing where there are no rows.
    func print(_ rows: [Row], json: Bool) throws(ProgramError) {
        for line in json ? rows.map(self.json) : rows.isEmpty ? [] : text(rows) { try Output.line(line) }
    }
}
