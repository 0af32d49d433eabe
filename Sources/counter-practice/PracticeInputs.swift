import CounterTUI
import Glibc
import Linux
import Practice
import Sound
import VolumeInput

/// From the terminal's keys and clicks to the model's inputs.
extension PracticeProgram {
    /// Returns whether it had an effect that cannot be taken back.
    @discardableResult
    func take(_ input: PracticeInput) -> Bool {
        let effects = model.take(input, at: clock.now)
        isOutOfDate = true
        return carryOut(effects)
    }

    func handle(_ event: TerminalEvent, at now: MonotonicTime) {
        switch event {
        case .focusGained: focus(.gained)
        case .focusLost:
            take(keys.releaseTerminalKeys(at: now))
            focus(.lost)
        case .volumeKey(let changes):
            if focusTracker.captureMode != .off { take(keys.receive(terminal: changes, at: now)) }
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
            model.edit(event)
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

// MARK: - Effects

extension PracticeProgram {
    /// Returns whether one of the effects cannot be taken back, because it is stored.
    @discardableResult
    func carryOut(_ effects: [Effect]) -> Bool {
        for effect in effects { carryOut(effect) }
        followStorage()
        return effects.contains { if case .say = $0 { false } else { $0 != .ring } }
    }

    private func carryOut(_ effect: Effect) {
        switch effect {
        case .say(let text): say(text)
        case .ring: terminal.bell()
        case .save(let coins, let videos): save(coins, videos)
        case .endSession:
            save(hasEnded: true)
            model.forgetSession()
        case .saveSettings: storage.save(model.settings)
        case .make(let player): storage.save(player)
        case .erase(let id): storage.erase(id)
        case .set(let pin):
            guard let pin = PIN(pin) else { return note("crypt(3) fails: there is no PIN") }
            storage.set(pin)
        case .check(let pin): carryOut(model.takeCheck(problem: storage.check(pin)))
        case .open(let link): open(link)
        case .leave: isDone = true
        }
    }

    /// Writes the player as it is now, with new rows.
    func save(_ coins: [CoinEntry] = [], _ videos: [VideoRecord] = [], hasEnded: Bool = false) {
        lastWrite = clock.now.steady
        guard let player = model.player else { return }
        model.noteSpoken(lines: speech?.takeCompleted() ?? 0)
        storage.save(player, session: model.session, coins: coins, videos: videos, hasEnded: hasEnded)
        followStorage()
        browsers.removeAll { $0.endStatus() != nil }
    }

    /// What is not saved stays on the screen until it is.
    private func followStorage() { model.unsaved = storage.problem }

    /// Shows a line until the next key.
    func note(_ text: String) {
        model.notice = text
        isOutOfDate = true
    }

    /// Says an English text, which interrupts what is being said. A new volume begins a new connection, as it is told once.
    private func say(_ text: String) {
        guard speaks || model.settings.audioEnabled else { return }
        let percent = Int((model.settings.voiceVolume * 100).rounded())
        if percent != spokenPercent { speech = nil }
        let speech = speech ?? Speech(language: "en", volume: 2 * percent - 100)
        (self.speech, spokenPercent) = (speech, percent)
        if let problem = speech.say(text, at: .now) { note("No voice: \(problem).") }
    }

    /// Opens a link that was made from a video's ID, never one that somebody typed, in the desktop's browser. Where it cannot, the
    /// screen shows the address.
    private func open(_ link: String) {
        guard DesktopSession.hasDisplay else {
            return note("There is no desktop here: open the address elsewhere.")
        }
        do throws(SystemCallError) { browsers.append(try DetachedProcess(["xdg-open", link])) } catch {
            note(error.errno == ENOENT ? "xdg-open is missing: install xdg-utils." : "\(error)")
        }
    }
}
