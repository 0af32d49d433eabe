import Linux
import Sound

/// The voice: speaks where it is switched on, at the volume of the settings.
final class PracticeVoice {
    private let isAlwaysOn: Bool
    private var speech: Speech?
    private var percent = 100
    private var noted = 0

    /// - Parameter isAlwaysOn: speak, whatever the settings say.
    init(isAlwaysOn: Bool) { self.isAlwaysOn = isAlwaysOn }

    /// Says a text; it interrupts what is being said.
    ///
    /// - Parameters:
    ///   - text: in English.
    ///   - isOn: what the settings say.
    ///   - percent: the volume, 0...100. A new one begins a new connection, as it is told once.
    ///   - now: the present moment.
    /// - Returns: why nothing can be said; `nil` where that is not known.
    func say(_ text: String, isOn: Bool, percent: Int, at now: MonotonicTime) -> String? {
        guard isAlwaysOn || isOn else { return nil }
        let speech = self.percent == percent ? self.speech : nil
        let current = speech ?? Speech(language: "en", volume: 2 * percent - 100)
        if speech == nil { (self.speech, self.percent, noted) = (current, percent, 0) }
        return current.say(text, at: now)
    }

    /// How many texts were spoken to their end since the last call.
    func takeCompleted() -> Int {
        let completed = speech?.completed ?? 0
        defer { noted = completed }
        return max(0, completed - noted)
    }

    var deadline: MonotonicTime? { speech?.deadline }
    func watch(_ polled: inout PollSet) { speech?.watch(&polled) }

    /// Handles what has happened.
    ///
    /// - Returns: why nothing can be said; `nil` where nothing is wrong.
    func handle(_ polled: PollSet, at now: MonotonicTime) -> String? { speech?.handle(polled, at: now) }
}
