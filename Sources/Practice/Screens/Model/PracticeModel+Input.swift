package import CounterTUI

/// What inputs do.
extension PracticeModel {
    /// Takes a key or a click.
    package mutating func take(_ input: PracticeInput, at now: Moment) -> [Effect] {
        if now.steady >= noticeEnd { notice = nil }
        let late = pass(now)
        noteKey(at: now)
        let effects =
            switch stage {
            case .cards(let deck, let index): turn(deck, index, input, now)
            case .typing(let typing): take(input, in: typing, now)
            case .level(let playing): play(playing, input, now)
            case .goOn(let celebration): goOn(celebration, now)
            case .watching(let watching): comeBack(watching, input, now)
            case .message(_, let deck): input == .down ? [] : show(deck)
            case .page(let lines, let top, let deck): turnPage(lines, top, deck, input)
            }
        return late.isEmpty ? effects : late.spokenBefore(effects)
    }

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

    private mutating func turn(_ deck: Deck, _ index: Int, _ input: PracticeInput, _ now: Moment) -> [Effect]
    {
        let cards = cards(of: deck)
        switch input {
        case .up: return select((index + 1) % cards.count, deck, cards)
        case .down: return select((index + cards.count - 1) % cards.count, deck, cards)
        case .both: return carryOut(cards[min(index, cards.count - 1)].action, now)
        case .card(let number):
            guard cards.indices.contains(number) else { return [] }
            stage = .cards(deck, index: number)
            return carryOut(cards[number].action, now)
        case .home: return leave(deck, now)
        }
    }

    private mutating func select(_ index: Int, _ deck: Deck, _ cards: [Card]) -> [Effect] {
        stage = .cards(deck, index: index)
        return [.say(cards[index].spoken)]
    }

    /// Goes one deck back.
    private mutating func leave(_ deck: Deck, _ now: Moment) -> [Effect] {
        switch deck {
        case .selection: []
        case .home: endSession(now) + show(.selection, at: current ?? 0)
        case .treasure: show(.home)
        case .figures(_, let fromDashboard): show(fromDashboard ? .dashboard : .selection)
        case .dashboard: show(.selection)
        case .player, .videos, .rewards: show(.dashboard)
        case .video: show(.videos)
        case .reward: show(.rewards)
        case .erasing(let id): show(.player(id: id))
        }
    }

    private mutating func turnPage(
        _ lines: [String], _ top: Int, _ deck: Deck, _ input: PracticeInput
    ) -> [Effect] {
        switch input {
        case .up: stage = .page(lines, top: min(top + 1, max(0, lines.count - 1)), then: deck)
        case .down: stage = .page(lines, top: max(0, top - 1), then: deck)
        case .both, .home: return show(deck)
        case .card: break
        }
        return []
    }

    private mutating func goOn(_ celebration: Celebration, _ now: Moment) -> [Effect] {
        session?.celebrationTaps += 1
        session?.celebrationTapDelayTotal += max(.zero, now.steady - celebration.shownAt)
        let cards = cards(of: .home)
        let index = cards.firstIndex { $0.action == .begin(celebration.result.activity) } ?? 0
        return show(.home, at: index)
    }
}

extension [Effect] {
    /// Both, with the texts as one: a later text interrupts an earlier one.
    fileprivate func spokenBefore(_ later: [Effect]) -> [Effect] {
        let all = self + later
        let text = all.compactMap { if case .say(let text) = $0 { text } else { nil } }.joined(separator: " ")
        return all.filter { if case .say = $0 { false } else { true } } + [.say(text)]
    }
}
