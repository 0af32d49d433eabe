import CounterModel
package import CounterTUI

/// A text that is typed: what is asked for, and what becomes of it.
package struct Typing {
    typealias Submit = (inout PracticeModel, String, Moment) -> [Effect]

    let title: String
    let hint: String
    /// Whether the text is hidden on the screen.
    let isSecret: Bool
    let back: Card.Action
    let submit: Submit
    var field = TextField()

    /// `problem`: why an earlier text was refused.
    init(
        _ texts: Texts.Asked, isSecret: Bool = false, problem: String? = nil, back: @escaping Card.Action,
        submit: @escaping Submit
    ) {
        (title, hint) = texts
        (self.isSecret, self.back, self.submit) = (isSecret, back, submit)
        field.problem = problem
    }
}

// MARK: - What is asked for

extension Typing {
    /// `isFirst`: at the first start, where there is nothing to go back to.
    static func newPIN(isFirst: Bool, problem: String? = nil) -> Typing {
        Typing(
            isFirst ? Texts.firstPIN : Texts.newPIN, isSecret: true, problem: problem,
            back: isFirst ? { _, _ in [.leave] } : opening(.dashboard)
        ) { model, text, _ in
            guard PIN.admits(text) else { return model.refuse(Texts.noPIN) }
            return model.show(.typing(repeatedPIN(text, isFirst: isFirst)))
        }
    }

    private static func repeatedPIN(_ first: String, isFirst: Bool) -> Typing {
        Typing(
            Texts.repeatedPIN, isSecret: true,
            back: isFirst ? asking(newPIN(isFirst: true)) : opening(.dashboard)
        ) { model, text, _ in
            guard text == first else {
                return model.show(.typing(newPIN(isFirst: isFirst, problem: Texts.otherPIN)))
            }
            return [.set(pin: text)] + model.show(isFirst ? .voice : .dashboard)
        }
    }

    static func pin(problem: String? = nil) -> Typing {
        Typing(Texts.pin, isSecret: true, problem: problem, back: opening(.selection)) { _, text, _ in
            text.isEmpty ? [] : [.check(pin: text)]
        }
    }

    static func playerName(fromDashboard: Bool) -> Typing {
        name(
            Texts.playerName,
            back: fromDashboard
                ? opening(.dashboard)
                : { model, _ in model.show(model.players.isEmpty ? .voice : .selection) },
            submit: { model, text, _ in
                if model.players.contains(where: { $0.name == text }) {
                    return model.refuse(Texts.takenName)
                }
                return model.show(.figures(name: text, fromDashboard: fromDashboard))
            })
    }

    static var videoLink: Typing {
        Typing(Texts.videoLink, back: opening(.videos)) { model, text, _ in
            do throws(VideoAddressError) {
                let id = try ApprovedVideo.extractVideoID(from: text)
                return model.show(.typing(videoTitle(id)))
            } catch { return model.refuse(error.message) }
        }
    }

    private static func videoTitle(_ id: String) -> Typing {
        name(Texts.videoTitle, back: opening(.videos)) { model, text, now in
            let isNew = model.settings.parentSettings.video(id) == nil
            let video = ApprovedVideo(id: id, title: text, duration: .zero, addedAt: now.time)
            return model.show(.typing(price(of: video, at: isNew ? .videos : .video(id: id))))
        }
    }

    static func price(of video: ApprovedVideo, at deck: Deck) -> Typing {
        price(at: deck) { $0.approve(video, price: $1) }
    }

    static func videoCategory(_ id: String) -> Typing {
        Typing(Texts.videoCategory, back: opening(.video(id: id))) { model, text, _ in
            guard text.isEmpty || Reward.admits(name: text) else { return model.refuse(Texts.noName) }
            model.settings.parentSettings.change(video: id) { $0.category = text.isEmpty ? nil : text }
            return [.saveSettings] + model.show(.video(id: id))
        }
    }

    static var rewardName: Typing {
        name(Texts.rewardName, back: opening(.rewards)) { model, text, _ in
            model.show(.typing(rewardPrice(text)))
        }
    }

    static func rewardPrice(_ name: String) -> Typing {
        price(at: .rewards) { $0.offer(Reward(name: name, price: $1)) }
    }

    private static func price(
        at deck: Deck, _ change: @escaping (inout ParentSettings, Int) -> Void
    ) -> Typing {
        number(Texts.price, Reward.prices, orElse: ApprovedVideo.standardPrice, at: deck) {
            change(&$0.parentSettings, $1)
        }
    }

    private static func name(
        _ texts: Texts.Asked, back: @escaping Card.Action, submit: @escaping Submit
    ) -> Typing {
        Typing(texts, back: back) { model, text, now in
            Reward.admits(name: text) ? submit(&model, text, now) : model.refuse(Texts.noName)
        }
    }

    /// A number that is asked for at a deck; `orElse`: what nothing typed stands for.
    static func number(
        _ texts: Texts.Asked, _ range: ClosedRange<Int>, orElse usual: Int? = nil, at deck: Deck,
        _ change: @escaping (inout AppSettings, Int) -> Void
    ) -> Typing {
        Typing(texts, back: opening(deck)) { model, text, _ in
            let isNumber = text.allSatisfy(\.isWholeNumber)
            let typed = isNumber ? Int(text).flatMap { range.contains($0) ? $0 : nil } : nil
            guard let number = text.isEmpty ? usual : typed else { return model.refuse(Texts.noNumber) }
            change(&model.settings, number)
            return [.saveSettings] + model.show(deck)
        }
    }
}

// MARK: - Typing

extension PracticeModel {
    package var isTyping: Bool { if case .typing = stage { true } else { false } }

    package mutating func edit(_ event: TerminalEvent) {
        guard case .typing(var typing) = stage else { return }
        typing.field.problem = nil
        if typing.field.edit(event) == .refused { typing.field.problem = Texts.noName }
        stage = .typing(typing)
    }

    mutating func take(_ input: PracticeInput, in typing: Typing, _ now: Moment) -> [Effect] {
        switch input {
        case .key(.up), .key(.down), .card: []
        case .home: typing.back(&self, now)
        case .key(.both): typing.submit(&self, typing.field.text, now)
        }
    }

    fileprivate mutating func refuse(_ problem: String) -> [Effect] {
        guard case .typing(var typing) = stage else { return [] }
        typing.field.problem = problem
        stage = .typing(typing)
        return [.say(problem), .ring]
    }

    /// Takes the answer to `Effect.check(pin:)`: why the dashboard stays closed; `nil` where it opens.
    package mutating func takeCheck(problem: String?) -> [Effect] {
        problem.map { show(.typing(.pin(problem: $0))) } ?? show(.dashboard)
    }
}
