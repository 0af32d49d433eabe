import Alarms
import CounterModel
import CounterTUI
import Counting
import Glibc
import KeyProtocol
import Linux
import VolumeInput

struct WrittenValue {
    /// One text, or several for a setting that may be repeated.
    let values: [String]
    /// How an error names the origin: `--debounce`, `COUNTER_DEBOUNCE`, `/…/config.toml:12`.
    let origin: String

    func invalid(_ why: String, status: CInt) -> ProgramError {
        ProgramError("\(origin): \(why)", status: status)
    }
}

/// The settings of one origin.
typealias SettingLayer = [Setting: WrittenValue]

extension SettingLayer {
    /// What the options of a command line say; nil for those that were not given.
    static func options(_ texts: KeyValuePairs<Setting, String?>) -> SettingLayer {
        texts.reduce(into: [:]) { layer, option in
            layer[option.key] = option.value.map { WrittenValue(values: [$0], origin: option.key.option) }
        }
    }
}

extension [SettingLayer] {
    /// What later ones say replaces what earlier ones do.
    var merged: SettingLayer { reduce(into: [:]) { $0.merge($1) { $1 } } }
}

/// The settings in effect: the command line overrides variables, which override the configuration file and then the
/// defaults.
struct Settings {
    var dataDirectory: String
    /// The data directory was set explicitly; otherwise it is the default one.
    let isDataDirectoryNamed: Bool
    var allowsNetworkFileSystem = false
    var session = SessionSettings()
    /// Where the location is named; nil where it is by an option, or nowhere.
    private(set) var locationOrigin: String?
    var devicePaths: [String] = []
    var intercept = Intercept.auto
    var always = false
    var isViewer = false
    var role: UserRole { isViewer ? .viewer : .admin }
    /// Lines are written, and no screen is drawn.
    var isPlain = false
    /// The screen that is shown first, where one was named.
    var screen: Screens.Tab?
    var timing = GestureTiming()
    private let meanings: KeyMeanings
    /// The debounce time of single devices, by device name.
    private let deviceDebounce: [String: Duration]
    /// What the user has set for timers, sounds and speech.
    var preferences = Preferences()
    private let options: SettingLayer
    /// What is wrong in the configuration file or in variables without stopping this command.
    private(set) var problems: [ConfigurationFile.Problem]

    /// Merges a command's option groups with the environment variables and the configuration file. With `reportsMistakes` no mistake in
    /// the file stops the command. Throws `ProgramError`: 64 for the command line and variables, 65 for the file, 78 where no directory
    /// for data is known.
    init(_ layers: SettingLayer..., reportsMistakes: Bool = false) throws(ProgramError) {
        options = layers.merged
        try ProgramFiles.requireText(in: Setting.all.map(\.variable))
        let file = ConfigurationFile.read()
        if !reportsMistakes, let problem = file.problems.first(where: { $0.stopsAll }) { throw problem.error }
        let variables = Self.variables
        isDataDirectoryNamed = [file.settings, variables, options].contains { $0[.dataDirectory] != nil }
        dataDirectory = isDataDirectoryNamed ? "" : try ProgramFiles.defaultDataDirectory()
        meanings = file.meanings ?? .volumeKeys
        deviceDebounce = file.deviceDebounce
        problems = file.problems
        let stops = { (setting: Setting) in !setting.isOfCounting && !reportsMistakes }
        try read(file.settings, EX_DATAERR, stop: stops)
        try read(variables, EX_USAGE, stop: stops)
        session.usualLocation = session.location
        if options[.location] == nil {
            locationOrigin = (variables[.location] ?? file.settings[.location])?.origin
        }
        try read(options, EX_USAGE)
        do throws(ProgramError) {
            try check([(options, EX_USAGE), (variables, EX_USAGE), (file.settings, EX_DATAERR)])
        } catch {
            guard !options.keys.contains(where: \.isOfCounting) else { throw error }
            problems.append(.init(error: error, stopsAll: false))
            timing = GestureTiming()
        }
    }

    private static var variables: SettingLayer {
        Setting.all.reduce(into: [:]) { layer, setting in
            guard let value = environmentVariable(setting.variable), !value.isEmpty else { return }
            let values = setting == .device ? value.split(separator: ":").map(String.init) : [value]
            layer[setting] = WrittenValue(values: values, origin: setting.variable)
        }
    }

    /// Reads a layer. A mistake where it does not `stop` this command stops only those that need the setting.
    private mutating func read(
        _ layer: SettingLayer, _ status: CInt, stop: (Setting) -> Bool = { _ in true }
    ) throws(ProgramError) {
        for setting in Setting.all {
            guard let problem = problem(of: setting, in: layer, status) else { continue }
            if stop(setting) { throw problem }
            problems.append(.init(error: problem, setting: setting, stopsAll: !setting.isOfCounting))
        }
    }

    private mutating func problem(
        of setting: Setting, in layer: SettingLayer, _ status: CInt
    ) -> ProgramError? {
        guard let written = layer[setting] else { return nil }
        if let why = setting.read(written.values, into: &self) { return written.invalid(why, status: status) }
        guard status == EX_DATAERR, setting == .dataDirectory, !dataDirectory.hasPrefix("/") else {
            return nil
        }
        return written.invalid(
            "must begin with / or ~/: '\(dataDirectory)' is another one in each directory", status: status)
    }

    /// Requires the whole configuration file and all variables to be right, for what counts.
    func requireNoMistake() throws(ProgramError) {
        if let problem = problems.first { throw problem.error }
    }

    /// Requires a setting to be right, unless an option replaces it, of those that not every command needs.
    func require(_ setting: Setting) throws(ProgramError) {
        guard options[setting] == nil,
            let problem = problems.last(where: { $0.setting == setting }),
            problem.error.status == EX_USAGE || Self.variables[setting] == nil
        else { return }
        throw problem.error
    }

    /// Checks the timing settings together. The error names the origin of the invalid setting, or of the one that it
    /// contradicts.
    private func check(_ layers: [(SettingLayer, status: CInt)]) throws(ProgramError) {
        do throws(GestureTiming.Invalid) {
            try timing.validate()
        } catch {
            // `hold-delay` is the only setting that others can contradict.
            let concerned = Setting.all.filter { $0.key == error.setting } + [.holdDelay]
            for (layer, status) in layers {
                guard let key = concerned.first(where: { layer[$0] != nil }) else { continue }
                let subject = key.key == error.setting ? "" : "\(error.setting) "
                throw layer[key]?.invalid("\(subject)must be \(error.requirement)", status: status)
                    ?? ProgramError("\(error)", status: status)
            }
            throw ProgramError("\(error)", status: EX_USAGE)
        }
    }
}

// MARK: For the input devices

extension Settings {
    /// The timing of an input device, by its name.
    func timing(of device: String) -> GestureTiming {
        var timing = timing
        if let debounce = deviceDebounce[device] { timing.debounce = debounce }
        return timing
    }

    /// The client of the system's key server, or else of one that it starts from this executable. The server reads the keys and
    /// devices that are set, and leaves the input devices of these ids alone.
    func keyClient(_ executable: String, ignoring ignored: Set<Identifier>) -> KeyClient {
        var keys = KeyClientSettings()
        keys.meanings = meanings
        keys.onlyPaths = devicePaths
        for device in ignored { keys.ignore(device) }
        return KeyClient(executable: executable, service: ProgramFiles.keyService, settings: keys)
    }
}

// MARK: Preferences

extension Settings {
    /// Changes one of these settings in the configuration file, to a value as it was typed. Returns what is set then.
    func change(_ preference: Preference, to text: String) throws(ProgramError) -> Preferences {
        let (setting, value) = (Setting(preference), text.filter { !$0.isWhitespace && $0 != "%" })
        if let written = options[setting] ?? Self.variables[setting] {
            throw ProgramError(
                "it is set by \(written.origin), until this program ends", status: EX_UNAVAILABLE)
        }
        var checked = self
        if let why = setting.read([value], into: &checked) {
            throw ProgramError("it \(why)", status: EX_USAGE)
        }
        try ConfigurationFile.change(setting, to: value)
        return try Settings(options).preferences
    }
}

extension Setting {
    fileprivate init(_ preference: Preference) {
        self =
            switch preference {
            case .mode: .timerMode
            case .urgency: .timerUrgent
            case .alarmVolume: .alarmVolume
            case .sounds: .sound
            case .soundVolume: .soundVolume
            case .speech: .speech
            }
    }
}
