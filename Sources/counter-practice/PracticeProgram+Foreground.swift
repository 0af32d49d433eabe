import Practice
import VolumeInput

/// What the program does in the foreground and in the background.
extension PracticeProgram {
    func followFocus() {
        let mode = focusTracker.captureMode
        take(keys.capture(mode))
        let isInForeground = mode != .off
        if isInForeground == self.isInForeground { return }
        self.isInForeground = isInForeground
        if isInForeground { model.resume(clock.now) } else { leaveForeground() }
    }

    /// Stores what was played.
    func leaveForeground() {
        isInForeground = false
        undo.forget()
        carryOut(model.pause(clock.now))
        save()
    }

    func writeIfDue() {
        let now = clock.now
        guard let due = model.nextWrite(after: lastWrite), now.steady >= due else { return }
        carryOut(model.pass(now))
        save()
        isOutOfDate = true
    }

    /// Says before a player begins whether the presses are this program's alone.
    func followOwnership() {
        let ownership = focusTracker.captureMode == .shared ? .shared : keys.ownership
        model.warning =
            switch ownership {
            case .unknown, .own: []
            case .none: KeySharing.none.lines
            case .shared: KeySharing.shared.lines
            case .taken(let devices): KeySharing.taken(by: devices).lines
            }
    }
}
