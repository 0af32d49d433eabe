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
        help: Setting.dataDirectory.help,
        completion: .directory)
    var paths: [String] = []

    func validate() throws {
        if paths.count > 1 { throw ValidationError("--data-dir is given twice: name one directory") }
    }

    var layer: SettingLayer {
        .options([.dataDirectory: paths.last.map { [$0] }])
    }
}

/// The journal, and what may be done with it.
struct JournalOptions: ParsableArguments {
    @OptionGroup var directory: DataDirectoryOptions

    @Flag(
        name: .customLong("allow-network-filesystem"),
        help: Setting.allowNetwork.help)
    var allowsNetworkFileSystem = false

    @Flag(help: Setting.viewer.help)
    var viewer = false

    var layer: SettingLayer {
        directory.layer.merging(
            .options([
                .allowNetwork: allowsNetworkFileSystem ? ["true"] : nil, .viewer: viewer ? ["true"] : nil,
            ])
        ) { $1 }
    }
}

/// The location that a command works on.
struct LocationOptions: ParsableArguments {
    // A list, because of an option that is given twice the parser would keep the last without a word.
    @Option(
        name: .customLong("location"),
        help: Setting.location.help,
        completion: .locations)
    var named: [String] = []

    /// The location; nil where the command line names none.
    var location: String? { named.last }

    func validate() throws {
        if named.count > 1 { throw ValidationError("--location is given twice: name one location") }
    }

    var layer: SettingLayer {
        .options([.location: location.map { [$0] }])
    }
}

/// How many a press counts.
struct StepOptions: ParsableArguments {
    @Option(help: Setting.step.help)
    var step: String?

    var layer: SettingLayer { .options([.step: step.map { [$0] }]) }
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
    @Option(help: Setting.device.help, completion: .file()) var device: [String] = []
    @Option(help: Setting.intercept.help, completion: .list(Intercept.allCases.map(\.rawValue)))
    var intercept: String?
    @Flag(help: Setting.always.help) var always = false
    @Option(help: Setting.debounce.help) var debounce: String?
    @Option(help: Setting.chord.help) var chord: String?
    @Option(help: Setting.holdDelay.help) var holdDelay: String?
    @Option(name: .customLong("repeat"), help: Setting.repeat.help) var repeatInterval: String?
    @Option(help: Setting.bounce.help) var bounce: String?
    @Option(help: Setting.holdLimit.help) var holdLimit: String?
    @Option(help: Setting.sound.help) var sound: String?
    @Option(help: Setting.soundVolume.help) var soundVolume: String?
    @Option(help: Setting.speech.help, completion: .list(CountCues.Spoken.allCases.map(\.rawValue)))
    var speech: String?

    var layer: SettingLayer {
        let texts: KeyValuePairs<Setting, String?> = [
            .intercept: intercept, .debounce: debounce, .chord: chord, .holdDelay: holdDelay,
            .repeat: repeatInterval, .bounce: bounce, .holdLimit: holdLimit, .sound: sound,
            .soundVolume: soundVolume, .speech: speech, .always: always ? "true" : nil,
        ]
        var layer = SettingLayer.options([.device: device.isEmpty ? nil : device])
        for (setting, text) in texts {
            if let text { layer[setting] = WrittenValue(values: [text], origin: setting.option) }
        }
        return layer
    }
}

extension Table {
    /// Prints an object for each row, or a table; nothing where there are no rows.
    func print(_ rows: [Row], json: Bool) throws(ProgramError) {
        for line in json ? rows.map(self.json) : rows.isEmpty ? [] : text(rows) { try Output.line(line) }
    }
}
