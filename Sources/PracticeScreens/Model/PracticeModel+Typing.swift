import CounterModel
import Practice

/// What typed texts do.
extension PracticeModel {
    mutating func take(_ input: PracticeInput, in typing: Typing, _ now: Moment) -> [Effect] {
        switch input {
        case .up, .down: return []
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
        case .videoLink, .videoTitle, .videoPrice: return show(.videos)
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
            return show(.figures(name: text, fromDashboard: fromDashboard))
        case .minutes(let id):
            guard let minutes = number(text, DailyLimit.range) else { return refuse(Texts.noNumber) }
            settings.parentSettings.dailyTimeLimits[id] = minutes
            return [.saveSettings] + show(.player(id: id))
        case .volume:
            guard let percent = number(text, 0...100) else { return refuse(Texts.noNumber) }
            settings.voiceVolume = Float(percent) / 100
            return [.saveSettings] + show(.dashboard)
        case .videoLink, .videoTitle, .videoPrice, .rewardName, .rewardPrice:
            return submit(treasure: text, purpose, now)
        }
    }

    private mutating func submit(treasure text: String, _ purpose: Typing.Purpose, _ now: Moment) -> [Effect]
    {
        switch purpose {
        case .videoLink:
            do throws(VideoAddressError) {
                let id = try ApprovedVideo.extractVideoID(from: text)
                return show(.typing(Typing(.videoTitle(id: id))))
            } catch { return refuse(error.message) }
        case .videoTitle(let id):
            guard Reward.admits(name: text) else { return refuse(Texts.noName) }
            return show(.typing(Typing(.videoPrice(id: id, title: text))))
        case .videoPrice(let id, let title):
            guard let price = number(text, Reward.prices) else { return refuse(Texts.noNumber) }
            settings.parentSettings.approvedVideos.removeAll { $0.id == id }
            settings.parentSettings.approvedVideos.append(
                ApprovedVideo(id: id, title: title, duration: .zero, addedAt: now.time, price: price))
            return [.saveSettings] + show(.videos)
        case .rewardName:
            guard Reward.admits(name: text) else { return refuse(Texts.noName) }
            return show(.typing(Typing(.rewardPrice(name: text))))
        case .rewardPrice(let name):
            guard let price = number(text, Reward.prices) else { return refuse(Texts.noNumber) }
            settings.parentSettings.rewards.append(Reward(name: name, price: price))
            return [.saveSettings] + show(.rewards)
        case .firstPIN, .newPIN, .repeatedPIN, .pin, .playerName, .minutes, .volume: return []
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

    private mutating func refuse(_ problem: String) -> [Effect] {
        guard case .typing(var typing) = stage else { return [] }
        typing.problem = problem
        stage = .typing(typing)
        return [.say(problem), .ring]
    }

    private func number(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        guard text.allSatisfy(\.isWholeNumber), let number = Int(text), range.contains(number) else {
            return nil
        }
        return number
    }
}
