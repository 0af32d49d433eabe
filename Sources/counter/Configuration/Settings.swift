import Alarms
import CounterModel
import Glibc
import KeyProtocol
import Linux
import VolumeInput

/// The settings in effect: the command line overrides variables, which override the configuration file and then the
/// defaults.
struct Settings {
    var dataDirectory: String
    /// The data directory was set explicitly; otherwise it is the default one.
    var isDataDirectoryNamed = false
    /// The data directory may be on a network file system.
    var allowsNetworkFileSystem = false
    var location = Location.defaultId.text
    /// The location that is counted where the command line names none.
    private(set) var usualLocation = Location.defaultId.text
    /// How many a press, a key on a screen and `add` count.
    private(set) var step = 1
    var devicePaths: [String] = []
    var intercept = Intercept.auto
    var always = false
    var role = UserRole.admin
    /// Lines are written, and no screen is drawn.
    private(set) var isPlain = false
    /// How long after its last event or other sign of life a device is stale.
    var staleAfter = Duration.seconds(120)
    /// How long a location may be without events before history calls it silent.
    var silentAfter = Duration.seconds(1800)
    var timing = GestureTiming()
    var meanings = KeyMeanings.volumeKeys
    /// The debounce time of single devices, by device name.
    var deviceDebounce: [String: Duration] = [:]

    /// What is heard of the counting.
    var cues = CountCues()
    /// What is set for timers.
    private(set) var timers = TimerSettings()
    /// The settings of the command line.
    let options: SettingLayer

    /// Merges the settings of all origins.
    ///
    /// - Parameter options: the settings of the command line.
    /// - Throws: `ProgramError`: 64 for the command line and variables, 65 for the file, 78 where no directory for data is known.
    init(options: SettingLayer) throws(ProgramError) {
        self.options = options
        try ProgramFiles.requireText(in: SettingKey.allCases.map(\.variable))
        let file = try ConfigurationFile.read()
        let layers = [file.settings, Self.variables, options]
        dataDirectory =
            layers.contains { $0[.dataDirectory] != nil } ? "" : try ProgramFiles.defaultDataDirectory()
        meanings = file.meanings ?? .volumeKeys
        deviceDebounce = file.deviceDebounce
        for (layer, status) in [(file.settings, EX_DATAERR), (Self.variables, EX_USAGE)] {
            for (key, setting) in layer { try apply(key, setting, status) }
        }
        usualLocation = location
        for (key, setting) in options { try apply(key, setting, EX_USAGE) }
        try check(options: options, file: file.settings)
    }

    static var variables: SettingLayer {
        var layer: SettingLayer = [:]
        for key in SettingKey.allCases {
            guard let value = environmentVariable(key.variable), !value.isEmpty else { continue }
            let values = key == .device ? value.split(separator: ":").map(String.init) : [value]
            layer[key] = Setting(values: values, origin: key.variable)
        }
        return layer
    }

    private mutating func apply(_ key: SettingKey, _ setting: Setting, _ status: CInt) throws(ProgramError) {
        switch key {
        case .dataDirectory:
            dataDirectory = try text(setting, status)
            isDataDirectoryNamed = true
        case .allowNetwork: allowsNetworkFileSystem = try flag(setting, status)
        case .location: location = try text(setting, status)
        case .step: step = try number(setting, in: Self.steps, status)
        case .device:
            devicePaths = setting.values
            let most = KeyClientSettings.maxPaths
            if devicePaths.count > most {
                throw setting.invalid("at most \(most) nodes may be named", status: status)
            }
        case .intercept:
            guard let value = Intercept(rawValue: try text(setting, status)) else {
                throw setting.invalid("is auto or never", status: status)
            }
            intercept = value
        case .always: always = try flag(setting, status)
        case .plain: isPlain = try flag(setting, status)
        case .viewer: role = try flag(setting, status) ? .viewer : .admin
        case .staleAfter: staleAfter = try period(setting, status)
        case .silentAfter: silentAfter = try period(setting, status)
        case .debounce: timing.debounce = try duration(setting, status)
        case .chord: timing.chord = try duration(setting, status)
        case .holdDelay: timing.holdDelay = try duration(setting, status)
        case .repeat: timing.repeatInterval = try duration(setting, status)
        case .bounce: timing.bounce = try duration(setting, status)
        case .holdLimit: timing.holdLimit = try duration(setting, status)
        case .sound, .soundVolume, .speech, .timerMode, .timerUrgent, .alarmVolume, .timerLimit, .presetLimit:
            if let why = set(key, setting.values) { throw setting.invalid(why, status: status) }
        }
    }

    /// Sets what a setting of sounds, speech or timers says.
    ///
    /// - Returns: why the values are not valid; `nil` where they are.
    mutating func set(_ key: SettingKey, _ values: [String]) -> String? {
        switch key {
        case .sound, .soundVolume, .speech: cues.set(key, values)
        default: timers.set(key, values)
        }
    }

    /// Checks the timing settings together. The error names the origin of the invalid setting, or of the one that it
    /// contradicts.
    private func check(options: SettingLayer, file: SettingLayer) throws(ProgramError) {
        do throws(GestureTiming.Invalid) {
            try timing.validate()
        } catch {
            // `hold-delay` is the only setting that others can contradict.
            let concerned = [SettingKey(rawValue: error.setting), .holdDelay].compactMap(\.self)
            for (layer, status) in [(options, EX_USAGE), (Self.variables, EX_USAGE), (file, EX_DATAERR)] {
                guard let key = concerned.first(where: { layer[$0] != nil }) else { continue }
                let subject = key.rawValue == error.setting ? "" : "\(error.setting) "
                throw layer[key]?.invalid("\(subject)must be \(error.requirement)", status: status)
                    ?? ProgramError("\(error)", status: status)
            }
            throw ProgramError("\(error)", status: EX_USAGE)
        }
    }

    /// The timing of an input device, by its name.
    func timing(of device: String) -> GestureTiming {
        var timing = timing
        if let debounce = deviceDebounce[device] { timing.debounce = debounce }
        return timing
    }

    /// The values of `step`: a press is one transaction, which other presses wait for.
    private static let steps = 1...1000

    // MARK: Values

    private func number(_ setting: Setting, in range: ClosedRange<Int>, _ status: CInt) throws(ProgramError)
        -> Int
    {
        guard let number = Int(try text(setting, status)), range.contains(number) else {
            throw setting.invalid(
                "is a number from \(range.lowerBound) to \(range.upperBound)", status: status)
        }
        return number
    }

    private func text(_ setting: Setting, _ status: CInt) throws(ProgramError) -> String {
        guard let value = setting.values.last, !value.isEmpty else {
            throw setting.invalid("must not be empty", status: status)
        }
        return value
    }

    private func flag(_ setting: Setting, _ status: CInt) throws(ProgramError) -> Bool {
        guard let flag = Self.flag(try text(setting, status)) else {
            throw setting.invalid("is true or false", status: status)
        }
        return flag
    }

    /// What a text says; nil where it is neither true nor false.
    static func flag(_ text: String) -> Bool? {
        switch text {
        case "true", "1", "yes": true
        case "false", "0", "no": false
        default: nil
        }
    }

    private func period(_ setting: Setting, _ status: CInt) throws(ProgramError) -> Duration {
        let value = try duration(setting, status)
        guard .seconds(1) ... .seconds(86_400) ~= value else {
            throw setting.invalid("is 1s to 24h, such as 120s", status: status)
        }
        return value
    }

    private func duration(_ setting: Setting, _ status: CInt) throws(ProgramError) -> Duration {
        let text = try text(setting, status)
        guard let duration = DurationText.read(text), duration <= .seconds(86_400) else {
            throw setting.invalid(
                "'\(text)' is no duration; write one with its unit, such as 150ms", status: status)
        }
        return duration
    }
}
