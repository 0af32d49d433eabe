import CounterModel

extension TimerSettings {
    /// The values of the two limits: more could not be overlooked on a screen.
    private static let limits = 1...99

    /// Sets what a setting says.
    ///
    /// - Returns: why the values are not valid; `nil` where they are.
    mutating func set(_ key: SettingKey, _ values: [String]) -> String? {
        let text = values.last ?? ""
        switch key {
        case .timerMode: return set(\.mode, AlarmMode(rawValue: text), "is sound, vibration or silent")
        case .timerUrgent: return set(\.isUrgent, Settings.flag(text), "is true or false")
        case .alarmVolume: return set(\.volume, text.number(in: 0...100), "is 0 to 100, in percent")
        case .timerLimit: return set(\.mostTimers, text.number(in: Self.limits), "is a number from 1 to 99")
        default: return set(\.mostPresets, text.number(in: Self.limits), "is a number from 1 to 99")
        }
    }

    private mutating func set<Value>(
        _ property: WritableKeyPath<TimerSettings, Value>, _ value: Value?, _ rule: String
    ) -> String? {
        guard let value else { return rule }
        self[keyPath: property] = value
        return nil
    }
}

extension String {
    /// The number that the text is; nil where it is none of the range.
    fileprivate func number(in range: ClosedRange<Int>) -> Int? {
        Int(self).flatMap { range.contains($0) ? $0 : nil }
    }
}
