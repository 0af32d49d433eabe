import Practice
import VolumeInput

/// Takes back the press that began a chord: up is pressed first, acts, and turns out to be half of both keys.
struct ChordUndo {
    private var last: (id: CountID, before: PracticeModel)?
    /// The press cannot be taken back, because it is stored: the chord then does nothing else.
    private var isTooLate = false

    /// A press has acted.
    ///
    /// - Parameters:
    ///   - id: the press.
    ///   - before: the model before it.
    ///   - isStored: whether it had an effect that cannot be taken back.
    mutating func note(_ id: CountID, before: PracticeModel, isStored: Bool) {
        last = isStored ? nil : (id, before)
    }

    /// Presses belong to a chord.
    ///
    /// - Returns: the model before them; `nil` where they stay.
    mutating func takeBack(_ ids: [CountID]) -> PracticeModel? {
        defer { last = nil }
        guard let last, ids.contains(last.id) else {
            isTooLate = true
            return nil
        }
        return last.before
    }

    /// The chord itself.
    ///
    /// - Returns: whether it is to act.
    mutating func acts() -> Bool {
        defer { isTooLate = false }
        return !isTooLate
    }

    /// Presses from before now cannot be taken back.
    mutating func forget() { last = nil }
}
