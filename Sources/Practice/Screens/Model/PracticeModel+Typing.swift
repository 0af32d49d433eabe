import CounterModel

/// What typed texts do.
extension PracticeModel {
    mutating func take(_ input: PracticeInput, in typing: Typing, _ now: Moment) -> [Effect] {
        switch input {
        case .up, .down, .card: return []
        case .home: return escape(typing.purpose)
        case .both: return submit(typing.field.text, typing.purpose, now)
        }
    }

    private mutating func escape(_ purpose: Typing.Purpose) -> [Effect] {
        switch purpose {
        // Without a PIN and a player there is nothing to go back to.
        case .firstPIN, .repeatedPIN(_, isFirst: true): return [.leave]
        case .playerName(fromDashboard: false): return players.isEmpty ? [.leave] : show(.selection)
        case .pin: return show(.selection)
        case .minutes(let id): return show(.player(id: id))
        case .videoLink, .videoTitle: return show(.videos)
        case .videoPrice(let id, _), .videoLength(let id), .videoCategory(let id):
            return settings.parentSettings.video(id) == nil ? show(.videos) : show(.video(id: id))
        case .rewardName, .rewardPrice: return show(.rewards)
        case .newPIN, .repeatedPIN, .playerName, .volume: return show(.dashboard)
        }
    }

    private mutating func submit(_ text: String, _ purpose: Typing.Purpose, _ now: Moment) -> [Effect] {
        switch purpose {
        case .firstPIN, .newPIN:
            guard PINAttempts.admits(text) else { return refuse(Texts.noPIN) }
            return show(.typing(Typing(.repeatedPIN(text, isFirst: purpose == .firstPIN))))
        case .repeatedPIN(let first, let isFirst): return setPIN(text, first, isFirst)
        case .pin: return text.isEmpty ? [] : [.check(pin: text)]
        case .playerName(let fromDashboard):
            guard Reward.admits(name: text) else { return refuse(Texts.noName) }
            guard !players.contains(where: { $0.player.name == text }) else { return refuse(Texts.takenName) }
            return show(.figures(name: text, fromDashboard: fromDashboard))
        case .minutes(let id):
            guard let minutes = number(text, DailyLimit.range) else { return refuse(Texts.noNumber) }
            settings.parentSettings.dailyTimeLimits[id] = minutes
            return [.saveSettings] + show(.player(id: id))
        case .volume:
            guard let percent = number(text, 0...100) else { return refuse(Texts.noNumber) }
            settings.voiceVolume = Float(percent) / 100
            return [.saveSettings] + show(.dashboard)
        case .videoLink, .videoTitle, .videoPrice, .videoLength, .videoCategory, .rewardName, .rewardPrice:
            return submit(treasure: text, purpose, now)
        }
    }

    private mutating func setPIN(_ text: String, _ first: String, _ isFirst: Bool) -> [Effect] {
        guard text == first else {
            return show(.typing(Typing(isFirst ? .firstPIN : .newPIN, problem: Texts.otherPIN)))
        }
        let next: [Effect] =
            isFirst && players.isEmpty
            ? show(.typing(Typing(.playerName(fromDashboard: false))))
            : show(isFirst ? .selection : .dashboard)
        return [.set(pin: text)] + next
    }

    mutating func refuse(_ problem: String) -> [Effect] {
        guard case .typing(var typing) = stage else { return [] }
        typing.problem = problem
        stage = .typing(typing)
        return [.say(problem), .ring]
    }

    func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        guard text.allSatisfy(\.isWholeNumber), let number = Int(text), range.contains(number) else {
            return nil
        }
        return number
    }
}
