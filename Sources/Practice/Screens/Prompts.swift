import CounterModel
package import CounterTUI

/// What is asked for, and what becomes of the text.
struct Prompt {
    let title: String
    let hint: String
    /// Whether the text is hidden on the screen.
    var isSecret = false
    let back: (inout PracticeModel) -> [Effect]
    let submit: (inout PracticeModel, String, Moment) -> [Effect]

    init(
        _ texts: Texts.Asked, isSecret: Bool = false, back: @escaping (inout PracticeModel) -> [Effect],
        submit: @escaping (inout PracticeModel, String, Moment) -> [Effect]
    ) {
        (title, hint) = texts
        (self.isSecret, self.back, self.submit) = (isSecret, back, submit)
    }
}

private func to(_ deck: Deck) -> (inout PracticeModel) -> [Effect] { { $0.show(deck) } }

extension PracticeModel {
    func prompt(_ purpose: Typing.Purpose) -> Prompt {
        switch purpose {
        // Without a PIN and a player there is nothing to go back to.
        case .firstPIN:
            Prompt(Texts.firstPIN, isSecret: true, back: { _ in [.leave] }) { model, text, _ in
                model.choose(pin: text, isFirst: true)
            }
        case .newPIN:
            Prompt(Texts.newPIN, isSecret: true, back: to(.dashboard)) { model, text, _ in
                model.choose(pin: text, isFirst: false)
            }
        case .repeatedPIN(let first, let isFirst):
            Prompt(
                Texts.repeatedPIN, isSecret: true,
                back: { isFirst ? $0.show(.typing(Typing(.firstPIN))) : $0.show(.dashboard) }
            ) { model, text, _ in model.set(pin: text, first, isFirst) }
        case .pin:
            Prompt(Texts.pin, isSecret: true, back: to(.selection)) { _, text, _ in
                text.isEmpty ? [] : [.check(pin: text)]
            }
        case .playerName(let fromDashboard): playerName(fromDashboard)
        case .minutes(let id):
            Prompt(Texts.minutesPerDay, back: to(.player(id: id))) { model, text, _ in
                model.take(number: text, DailyLimit.range, then: .player(id: id)) {
                    $0.parentSettings.dailyTimeLimits[id] = $1
                }
            }
        case .volume:
            Prompt(Texts.volume, back: to(.dashboard)) { model, text, _ in
                model.take(number: text, 0...100, then: .dashboard) { $0.voiceVolume = Float($1) / 100 }
            }
        case .videoLink:
            Prompt(Texts.videoLink, back: to(.videos)) { model, text, _ in
                do throws(VideoAddressError) {
                    let id = try ApprovedVideo.extractVideoID(from: text)
                    return model.show(.typing(Typing(.videoTitle(id: id))))
                } catch { return model.refuse(error.message) }
            }
        case .videoTitle(let id):
            Prompt(Texts.videoTitle, back: to(.videos)) { model, text, _ in
                model.take(name: text) { $0.show(.typing(Typing(.videoPrice(id: id, title: text)))) }
            }
        case .videoPrice(let id, let title):
            Prompt(Texts.videoPrice, back: to(deck(ofVideo: id))) { model, text, now in
                let next = model.deck(ofVideo: id)
                return model.take(
                    number: text, Reward.prices, orElse: ApprovedVideo.standardPrice, then: next
                ) {
                    $0.parentSettings.approve(id, title, price: $1, at: now.time)
                }
            }
        case .videoLength(let id):
            Prompt(Texts.videoLength, back: to(deck(ofVideo: id))) { model, text, _ in
                model.take(number: text, ApprovedVideo.lengths, orElse: 0, then: .video(id: id)) {
                    settings, minutes in
                    settings.parentSettings.change(video: id) { $0.duration = .seconds(60 * minutes) }
                }
            }
        case .videoCategory(let id):
            Prompt(Texts.videoCategory, back: to(deck(ofVideo: id))) { model, text, _ in
                if text.isEmpty { return model.group(id, nil) }
                return model.take(name: text) { $0.group(id, text) }
            }
        case .rewardName:
            Prompt(Texts.rewardName, back: to(.rewards)) { model, text, _ in
                model.take(name: text) { $0.show(.typing(Typing(.rewardPrice(name: text)))) }
            }
        case .rewardPrice(let name):
            Prompt(Texts.rewardPrice, back: to(.rewards)) { model, text, _ in
                model.take(number: text, Reward.prices, orElse: ApprovedVideo.standardPrice, then: .rewards) {
                    $0.parentSettings.offer(Reward(name: name, price: $1))
                }
            }
        }
    }

    private func playerName(_ fromDashboard: Bool) -> Prompt {
        Prompt(
            Texts.playerName,
            back: {
                if fromDashboard { return $0.show(.dashboard) }
                return $0.show($0.players.isEmpty ? .voice : .selection)
            },
            submit: { model, text, _ in
                model.take(name: text) {
                    if $0.players.contains(where: { $0.player.name == text }) {
                        return $0.refuse(Texts.takenName)
                    }
                    return $0.show(.figures(name: text, fromDashboard: fromDashboard))
                }
            })
    }

    /// The cards of a video, or all where it is not approved yet.
    private func deck(ofVideo id: String) -> Deck {
        settings.parentSettings.video(id) == nil ? .videos : .video(id: id)
    }

    private mutating func group(_ id: String, _ category: String?) -> [Effect] {
        settings.parentSettings.change(video: id) { $0.category = category }
        return [.saveSettings] + show(.video(id: id))
    }
}

extension ParentSettings {
    mutating func change(video id: String, _ change: (inout ApprovedVideo) -> Void) {
        for index in approvedVideos.indices where approvedVideos[index].id == id {
            change(&approvedVideos[index])
        }
    }

    /// A video that is approved already keeps what is known about it.
    fileprivate mutating func approve(_ id: String, _ title: String, price: Int, at now: Timestamp) {
        if video(id) == nil {
            approvedVideos.append(ApprovedVideo(id: id, title: title, duration: .zero, addedAt: now))
        }
        change(video: id) { ($0.title, $0.price) = (title, price) }
    }
}

// MARK: - Typing

extension PracticeModel {
    /// Whether letters and digits go to a text field now.
    package var isTyping: Bool { if case .typing = stage { true } else { false } }

    /// Takes a key of a text field.
    package mutating func edit(_ event: TerminalEvent) -> [Effect] {
        guard case .typing(var typing) = stage else { return [] }
        typing.problem = nil
        if typing.field.edit(event) == .refused { typing.problem = Texts.noName }
        stage = .typing(typing)
        return []
    }

    mutating func take(_ input: PracticeInput, in typing: Typing, _ now: Moment) -> [Effect] {
        switch input {
        case .up, .down, .card: []
        case .home: prompt(typing.purpose).back(&self)
        case .both: prompt(typing.purpose).submit(&self, typing.field.text, now)
        }
    }

    private mutating func refuse(_ problem: String) -> [Effect] {
        guard case .typing(var typing) = stage else { return [] }
        typing.problem = problem
        stage = .typing(typing)
        return [.say(problem), .ring]
    }

    private mutating func take(
        name text: String, then: (inout PracticeModel) -> [Effect]
    ) -> [Effect] {
        Reward.admits(name: text) ? then(&self) : refuse(Texts.noName)
    }

    /// `orElse`: what nothing typed stands for.
    private mutating func take(
        number text: String, _ range: ClosedRange<Int>, orElse usual: Int? = nil, then deck: Deck,
        _ change: (inout AppSettings, Int) -> Void
    ) -> [Effect] {
        let isNumber = text.allSatisfy(\.isWholeNumber)
        let typed = isNumber ? Int(text).flatMap { range.contains($0) ? $0 : nil } : nil
        guard let number = text.isEmpty ? usual : typed else { return refuse(Texts.noNumber) }
        change(&settings, number)
        return [.saveSettings] + show(deck)
    }

    // MARK: The PIN

    private mutating func choose(pin text: String, isFirst: Bool) -> [Effect] {
        guard PIN.admits(text) else { return refuse(Texts.noPIN) }
        return show(.typing(Typing(.repeatedPIN(text, isFirst: isFirst))))
    }

    private mutating func set(pin text: String, _ first: String, _ isFirst: Bool) -> [Effect] {
        guard text == first else {
            return show(.typing(Typing(isFirst ? .firstPIN : .newPIN, problem: Texts.otherPIN)))
        }
        return [.set(pin: text)] + show(isFirst ? .voice : .dashboard)
    }

    /// Takes the answer to `Effect.check(pin:)`.
    package mutating func take(_ answer: PINAnswer) -> [Effect] {
        let problem: String
        switch answer {
        case .right: return show(.dashboard)
        case .wrong: problem = Texts.wrongPIN
        case .wait(let duration): problem = Texts.wait(duration)
        case .failed(let reason): problem = reason
        }
        return show(.typing(Typing(.pin, problem: problem)))
    }
}
