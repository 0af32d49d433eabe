import Practice

/// Carries out what the model asks for.
extension PracticeProgram {
    /// - Returns: whether one of the effects cannot be taken back.
    @discardableResult
    func carryOut(_ effects: [Effect]) -> Bool {
        var isStored = false
        for effect in effects {
            switch effect {
            case .say(let text): say(text)
            case .ring: terminal.bell()
            default:
                isStored = true
                store(effect)
            }
        }
        return isStored
    }

    private func store(_ effect: Effect) {
        switch effect {
        case .say, .ring: break
        case .save(let coins, let videos): save(coins, videos)
        case .endSession:
            save(hasEnded: true)
            model.forgetSession()
        case .saveSettings: storage.save(model.settings)
        case .make(let player): storage.make(player)
        case .erase(let id): storage.erase(id)
        case .set(let pin):
            guard let pin = PIN(pin) else { return note("crypt(3) fails: there is no PIN") }
            storage.set(pin)
        case .check(let pin): carryOut(model.take(storage.check(pin)))
        case .open(let link): if let problem = opener.open(link) { note(problem) }
        case .leave: isDone = true
        }
        followStorage()
    }

    /// Writes the player as it is now, with new rows.
    func save(_ coins: [CoinEntry] = [], _ videos: [VideoRecord] = [], hasEnded: Bool = false) {
        lastWrite = clock.now.steady
        guard let player = model.player else { return }
        model.noteSpoken(lines: voice.takeCompleted())
        storage.save(player, session: model.session, coins: coins, videos: videos, hasEnded: hasEnded)
        followStorage()
        opener.reap()
    }

    /// What is not saved stays on the screen until it is.
    private func followStorage() { model.unsaved = storage.problem }

    /// Shows a line until the next key.
    func note(_ text: String) {
        model.notice = text
        isOutOfDate = true
    }

    private func say(_ text: String) {
        let percent = Int((model.settings.voiceVolume * 100).rounded())
        let problem = voice.say(text, isOn: model.settings.audioEnabled, percent: percent, at: .now)
        if let problem { note("No voice: \(problem).") }
    }
}
