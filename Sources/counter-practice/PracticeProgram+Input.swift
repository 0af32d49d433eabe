import CounterTUI
import Glibc
import Linux
import Practice
import VolumeInput

/// From keys and clicks to the model's inputs.
extension PracticeProgram {
    func take(_ events: [PracticeKeys.Event]) {
        for event in events {
            switch event {
            case .press(let id, let input):
                let before = model
                undo.note(id, before: before, isStored: take(input))
            case .takenBack(let ids):
                if let before = undo.takeBack(ids) { model = before }
                isOutOfDate = true
            case .input(let input): if undo.acts() { take(input) }
            case .devicesChanged: followOwnership()
            case .trouble(let reason): note(reason)
            }
        }
    }

    /// - Returns: whether it had an effect that cannot be taken back.
    @discardableResult
    private func take(_ input: PracticeInput) -> Bool {
        let effects = model.take(input, at: clock.now)
        isOutOfDate = true
        return carryOut(effects)
    }

    func handle(_ event: TerminalEvent, at now: MonotonicTime) {
        switch event {
        case .focusGained: focus(.gained)
        case .focusLost:
            take(keys.releaseTerminalKeys())
            focus(.lost)
        case .volumeKey(let key, let stroke):
            if focusTracker.captureMode != .off { take(keys.receive(key, stroke, at: now)) }
        case .resize: isOutOfDate = true
        case .click(let point): if let input = page?.input(at: point) { take(input) }
        case .character("\u{3}"), .character("\u{1C}"): isDone = true
        case .character("\u{C}"):
            terminal.repaint()
            isOutOfDate = true
        case .character("\u{1A}"): kill(0, SIGTSTP)
        case .scroll: break
        case .pasteCutOff: note(TerminalEvent.pasteNotice)
        case .key, .character, .pasted: type(event)
        }
    }

    private func type(_ event: TerminalEvent) {
        switch event {
        case .key(.enter): take(.both)
        case .key(.escape): take(.home)
        case _ where model.isTyping:
            carryOut(model.edit(event))
            isOutOfDate = true
        case .key(.up), .key(.right), .character("+"): take(.up)
        case .key(.down), .key(.left), .character("-"): take(.down)
        case .character(" "): take(.both)
        default: break
        }
    }

    private func focus(_ focus: CapturePolicy.Focus) {
        focusTracker.focus(focus)
        followFocus()
    }
}
