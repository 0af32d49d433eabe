import Alarms
import Sound
import TestSupport

extension SoundSink.Heard {
    /// The cue whose first note it begins with.
    var cue: Cue? {
        let notes: [(Cue, Double)] = [
            (.up, 880), (.down, 440), (.reset, 660), (.target, 523.25), (.error, 165),
        ]
        return notes.first { abs($0.1 - frequency) < $0.1 * 0.08 }?.0
    }
}
