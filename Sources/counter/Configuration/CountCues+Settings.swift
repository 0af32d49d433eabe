import Alarms
import Sound

extension CountCues {
    /// Sets what a setting says.
    ///
    /// - Returns: why the values are not valid; `nil` where they are.
    mutating func set(_ key: SettingKey, _ values: [String]) -> String? {
        switch key {
        case .sound: setSounds(values.flatMap { $0.split(separator: ",").map(String.init) })
        case .soundVolume: setVolume(values.last ?? "")
        default: setSpoken(values.last ?? "")
        }
    }

    private mutating func setSounds(_ names: [String]) -> String? {
        if names == ["all"] || names == ["none"] {
            sounds = names == ["all"] ? Set(Cue.allCases) : []
            return nil
        }
        let cues = names.map { Cue(rawValue: $0) }
        guard !cues.isEmpty, !cues.contains(nil) else {
            return "is all, none, or some of \(Cue.allCases.map(\.rawValue).joined(separator: ","))"
        }
        sounds = Set(cues.compactMap(\.self))
        return nil
    }

    private mutating func setVolume(_ text: String) -> String? {
        guard let percent = Int(text), 0...100 ~= percent else { return "is 0 to 100, in percent" }
        volume = percent
        return nil
    }

    private mutating func setSpoken(_ text: String) -> String? {
        guard let choice = Spoken(rawValue: text) else {
            return "is \(Spoken.allCases.map(\.rawValue).joined(separator: ", "))"
        }
        spoken = choice
        return nil
    }
}
