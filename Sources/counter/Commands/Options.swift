import Alarms
import ArgumentParser
import CounterModel
import CounterStore
import Glibc
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
    @Option(name: .customLong("data-dir"), help: Setting.dataDirectory.help, completion: .directory)
    var paths: [String] = []

    func validate() throws {
        if paths.count > 1 { throw ValidationError("--data-dir is given twice: name one directory") }
    }

    var layer: SettingLayer { .options([.dataDirectory: paths.last]) }
}

/// The journal, and what may be done with it.
struct JournalOptions: ParsableArguments {
    @OptionGroup var directory: DataDirectoryOptions

    @Flag(name: .customLong("allow-network-filesystem"), help: Setting.allowNetwork.help)
    var allowsNetworkFileSystem = false

    @Flag(help: Setting.viewer.help) var viewer = false

    var layer: SettingLayer {
        let flags = SettingLayer.options([
            .allowNetwork: allowsNetworkFileSystem ? "true" : nil, .viewer: viewer ? "true" : nil,
        ])
        return [directory.layer, flags].merged
    }
}

/// The location that a command works on, and its journal.
struct LocationOptions: ParsableArguments {
    @OptionGroup var journal: JournalOptions

    // A list, because of an option that is given twice the parser would keep the last without a word.
    @Option(name: .customLong("location"), help: Setting.location.help, completion: .locations)
    var named: [String] = []

    /// The location; nil where the command line names none.
    var location: String? { named.last }

    func validate() throws {
        if named.count > 1 { throw ValidationError("--location is given twice: name one location") }
    }

    var layer: SettingLayer { [journal.layer, .options([.location: location])].merged }
}

struct StepOptions: ParsableArguments {
    @Option(help: Setting.step.help) var step: String?

    var layer: SettingLayer { .options([.step: step]) }
}

struct InputDeviceOptions: ParsableArguments {
    @Option(help: Setting.device.help, completion: .file()) var device: [String] = []
    @Option(help: Setting.intercept.help, completion: .list(Intercept.allCases.map(\.rawValue)))
    var intercept: String?
    @Flag(help: Setting.always.help) var always = false

    var layer: SettingLayer {
        var layer = SettingLayer.options([.intercept: intercept, .always: always ? "true" : nil])
        if !device.isEmpty {
            layer[.device] = WrittenValue(values: device, origin: Setting.device.option)
        }
        return layer
    }
}

struct CueOptions: ParsableArguments {
    @Option(help: Setting.sound.help) var sound: String?
    @Option(help: Setting.soundVolume.help) var soundVolume: String?
    @Option(help: Setting.speech.help, completion: .list(CountCues.Spoken.allCases.map(\.rawValue)))
    var speech: String?

    var layer: SettingLayer { .options([.sound: sound, .soundVolume: soundVolume, .speech: speech]) }
}

/// For the commands that count with the keys: where, with which input devices, how presses become counts, what is heard
/// of them, and what begins with the first one.
struct ListeningOptions: ParsableArguments {
    @OptionGroup var place: LocationOptions
    @OptionGroup var devices: InputDeviceOptions
    @Option(help: Setting.debounce.help) var debounce: String?
    @Option(help: Setting.chord.help) var chord: String?
    @Option(help: Setting.holdDelay.help) var holdDelay: String?
    @Option(name: .customLong("repeat"), help: Setting.repeat.help) var repeatInterval: String?
    @Option(help: Setting.bounce.help) var bounce: String?
    @Option(help: Setting.holdLimit.help) var holdLimit: String?
    @OptionGroup var cues: CueOptions
    @Option(
        name: .customLong("start"),
        help: ArgumentHelp(
            "Starts a timer of this preset with the first count. With a lead-in that count only starts it.",
            valueName: "preset"),
        completion: .presets)
    var preset: String?
    @OptionGroup var step: StepOptions

    var layer: SettingLayer {
        let timing = SettingLayer.options([
            .debounce: debounce, .chord: chord, .holdDelay: holdDelay, .repeat: repeatInterval,
            .bounce: bounce, .holdLimit: holdLimit,
        ])
        return [place.layer, devices.layer, timing, cues.layer, step.layer].merged
    }
}

extension Table {
    /// Prints an object for each row, or a table; nothing where there are no rows.
    func print(_ rows: [Row], json: Bool) throws(ProgramError) {
        for line in json ? rows.map(self.json) : rows.isEmpty ? [] : text(rows) { try Output.line(line) }
    }
}

extension Output {
    /// Says on standard error what was done, where a person reads it: at a terminal.
    static func note(_ text: String, remedy: String? = nil) {
        if isatty(STDERR_FILENO) == 1 { tell(text, remedy: remedy) }
    }
}

/// A question at the terminal, before a command changes what is hard to see again.
enum Confirmation {
    /// Returns only where the answer is yes; without a terminal throws `ProgramError` (64). `command` does the same without a
    /// question.
    static func require(_ question: String, without command: RemedyCommand) throws {
        guard isatty(STDIN_FILENO) != 0 else {
            throw ProgramError(
                "confirmation needed: use --yes", remedy: "Without a question: \(command.text)",
                status: EX_USAGE)
        }
        try Output.write("\(question.quotable) [y/N] ", to: STDERR_FILENO)
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
            Output.tell("nothing was changed")
            throw ExitCode.failure
        }
    }
}

// MARK: Completion

/// What shells offer as values of options and arguments. A journal that cannot be read offers nothing.
extension CompletionKind {
    /// The ids of the visible locations.
    static let locations = custom { words, _, _ in
        offered(words) { try $0.locations().filter { !$0.isHidden }.map(\.id.text) }
    }

    static let groups = custom { words, _, _ in
        offered(words) { Array(Set(try $0.locations().compactMap(\.group))).sorted() }
    }

    /// The ids of the known devices, without those of counts by hand.
    static let devices = custom { words, _, _ in
        offered(words) { try $0.devices().map(\.id).filter { !Devices.byHand.contains($0) }.map(\.text) }
    }

    static let timers = custom { words, _, _ in
        offered(words) { try TimerAccess($0).numbers }
    }

    static let presets = custom { words, _, _ in
        offered(words) { try TimerAccess($0).board.presets.map(\.setup.title) }
    }

    static let ranges = custom { _, _, _ in
        quoted([
            "today", "yesterday", "10min", "1h", "24h", "7d", "30d", "this week", "last week", "this month",
            "last month",
        ])
    }

    // The command line so far may name the directory of the journal.
    private static func offered(_ words: [String], _ names: (SQLiteJournal) throws -> [String]) -> [String] {
        var layer: SettingLayer = [:]
        if let option = words.lastIndex(of: "--data-dir"), option + 1 < words.count {
            layer = .options([.dataDirectory: words[option + 1]])
        }
        let found = try? names(SQLiteJournal.existing(try Settings(layer)))
        return quoted(found ?? [])
    }

    /// The shells fish and zsh quote what they insert. In bash the words pass `compgen -W`, which takes one level of
    /// quotes off, and are then inserted as they are.
    private static func quoted(_ words: [String]) -> [String] {
        guard environmentVariable("SAP_SHELL") == "bash" else { return words }
        return words.map { $0.escapedForBash.escapedForBash }
    }
}

extension String {
    private static let literal = Set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./,+@%=".unicodeScalars)

    /// With a backslash before each ASCII character that bash may interpret.
    fileprivate var escapedForBash: String {
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if scalar.isASCII && !Self.literal.contains(scalar) { text.append("\\") }
            text.append(scalar)
        }
        return String(text)
    }
}
