import CounterModel
import CounterTUI

/// All screens as a state machine: inputs and times in, effects out. It reads no clock, no file and no terminal.
package struct PracticeModel {
    package internal(set) var settings: AppSettings
    /// The players that can be read, in the order in which they were made.
    package internal(set) var players: [PlayerData]
    package internal(set) var stage: Stage
    /// What was not saved and why; `nil` while everything is.
    package var unsaved: String?
    /// Something that is told until the next key.
    package var notice: String?
    /// Until when the notice stays, whatever keys come, by the steady clock.
    private var noticeEnd = Duration.zero
    /// The number of the selected player; `nil` while nobody plays.
    var current: Int?
    package internal(set) var session: SessionMetrics?
    /// Measures the time; `nil` while nobody plays or the program is in the background.
    private var meter: PlayMeter?
    /// When it goes on after the limit, as it is said.
    private(set) var untilWhen = ""
    /// Days in a row of the selected player, as of today.
    private(set) var streak = 0
    /// Who else may receive the keys; `nil` where they are this program's own, or that is not known yet.
    private(set) var warning: KeySharing?
    /// What the player who has begun was told of it.
    private var toldWarning: KeySharing?
    /// The cards that were chosen on the way to the present screen, to which it goes back.
    var trail: [Place] = []
    /// Why some players are not in the selection.
    let troubles: [String]

    struct Place: Hashable {
        let deck: Deck
        let index: Int
    }

    /// The first screen. Without a PIN it is the first start.
    package init(
        settings: AppSettings, hasPIN: Bool, players: [PlayerData], troubles: [String] = []
    ) {
        (self.settings, self.players, self.troubles) = (settings, players, troubles)
        let chosen = players.firstIndex { $0.id == settings.lastActivePlayerId } ?? 0
        // Behind a PIN only the grown-up makes players: a new one would have a day's time.
        stage = hasPIN ? .cards(.selection, index: chosen) : .typing(.newPIN(isFirst: true))
    }

    package var player: PlayerData? {
        get { current.map { players[$0] } }
        set { if let current, let newValue { players[current] = newValue } }
    }

    var minutesLeft: Int {
        player.map { $0.today.minutesLeft(of: settings.parentSettings.dailyMinutes(of: $0.id)) } ?? 0
    }

    package func greeting() -> [Effect] { [.say(spoken)] }

    private var spoken: String {
        switch stage {
        case .cards(let deck, let index):
            let content = content(of: deck)
            let status = player.map { Texts.spokenStatus($0, streak, minutesLeft) }
            let state = deck == .home ? [status, isTimeForBreak ? Texts.pause : nil] : []
            return ([Texts.sentence(content.title)] + state + [content[index].spoken]).compactMap(\.self)
                .joined(separator: " ")
        case .typing(let typing):
            return [typing.field.problem, typing.title].compactMap(\.self).joined(separator: " ")
        case .level(let playing): return English.task(playing.level.game)
        case .goOn(let celebration):
            return "\(Texts.solved(celebration.coins)) \(Texts.goOn): \(hasKeys ? "both keys" : "Enter")."
        case .watching(let video, _):
            return "\(Texts.watching(video.title)). \(Texts.comeBack(hasKeys))."
        case .message(let lines, _), .report(let lines, _, _): return lines.joined(separator: " ")
        }
    }

    /// The key that is marked, because the last answer told to press it.
    var nextKey: LevelInput? {
        guard case .level(let playing) = stage else { return nil }
        return playing.answer?.nextKey(in: playing.level.game)
    }

    /// Whether both keys can be pressed, as far as is known; otherwise only Enter chooses.
    var hasKeys: Bool { warning != .noKeys }

    /// Goes to a deck, and says its title and the card: the one that was left where it goes back, otherwise the first.
    mutating func show(_ deck: Deck, at index: Int? = nil) -> [Effect] {
        let place = trail.firstIndex { $0.deck == deck }
        let left = index ?? place.map { trail[$0].index } ?? 0
        if let place { trail.removeSubrange(place...) }
        return show(.cards(deck, index: min(left, content(of: deck).cards.count - 1)))
    }

    mutating func show(_ stage: Stage) -> [Effect] {
        self.stage = stage
        return [.say(spoken)]
    }
}

// MARK: - Input

extension PracticeModel {
    package mutating func take(_ input: PracticeInput, at now: Moment) -> [Effect] {
        if now.steady >= noticeEnd { notice = nil }
        let late = pass(now)
        meter?.key(at: now.steady)
        let effects =
            switch stage {
            case .cards(let deck, let index): turn(deck, index, input, now)
            case .typing(let typing): take(input, in: typing, now)
            case .level(let playing): play(playing, input, now)
            case .goOn(let celebration): goOn(celebration, now)
            case .watching(let video, let start): comeBack(from: video, since: start, input, now)
            case .message(_, let deck): input == .down ? [] : show(deck)
            case .report(let lines, let top, let id): turnPage(lines, top, of: id, input)
            }
        return late.isEmpty ? effects : late.spokenBefore(effects)
    }

    private mutating func turn(
        _ deck: Deck, _ index: Int, _ input: PracticeInput, _ now: Moment
    ) -> [Effect] {
        let content = content(of: deck)
        let count = content.cards.count
        switch input {
        case .key(.up): return select((index + 1) % count, deck, content)
        case .key(.down): return select((index + count - 1) % count, deck, content)
        case .key(.both): return choose(index, deck, content, now)
        case .card(let number):
            guard content.cards.indices.contains(number) else { return [] }
            stage = .cards(deck, index: number)
            return choose(number, deck, content, now)
        case .home: return content.back(&self, now)
        }
    }

    private mutating func choose(
        _ index: Int, _ deck: Deck, _ content: Cards, _ now: Moment
    ) -> [Effect] {
        let before = trail
        trail.append(Place(deck: deck, index: index))
        let effects = content[index].action(&self, now)
        // A card that only changes or refuses something leads nowhere.
        if case .cards(deck, _) = stage { trail = before }
        return effects
    }

    private mutating func select(_ index: Int, _ deck: Deck, _ content: Cards) -> [Effect] {
        stage = .cards(deck, index: index)
        return [.say(content[index].spoken)]
    }

    private mutating func turnPage(
        _ lines: [String], _ top: Int, of id: String, _ input: PracticeInput
    ) -> [Effect] {
        switch input {
        case .key(.up): stage = .report(lines, top: min(top + 1, max(0, lines.count - 1)), of: id)
        case .key(.down): stage = .report(lines, top: max(0, top - 1), of: id)
        case .key(.both), .home: return show(.player(id: id))
        case .card: break
        }
        return []
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

// MARK: - Sessions and time

extension PracticeModel {
    mutating func begin(player id: String, _ now: Moment) -> [Effect] {
        guard let index = players.firstIndex(where: { $0.id == id }) else { return [] }
        current = index
        players[index].today.begin(at: now.time, in: now.calendar)
        session = SessionMetrics(
            sessionId: players[index].nextSessionId, startTime: now.time,
            startHour: now.calendar.zone.local(at: now.time).hour)
        players[index].nextSessionId += 1
        meter = PlayMeter(start: now.steady)
        settings.lastActivePlayerId = id
        settings.currentSessionStartTime = now.time
        note(dayOf: now)
        toldWarning = warning
        return [.save(coins: [], videos: []), .saveSettings]
            + (warning.map { show(.message($0.lines, then: .home)) } ?? show(.home))
    }

    /// Takes what is known now of who else receives the keys. A player is told before the game begins or, where it is known only
    /// then, at once.
    package mutating func warn(_ sharing: KeySharing?, at now: Moment) -> [Effect] {
        warning = sharing
        guard let sharing, current != nil, sharing != toldWarning else { return [] }
        toldWarning = sharing
        // It interrupts what is being said of the screen.
        return tell(sharing.lines.joined(separator: " "), now).spokenBefore([.say(spoken)])
    }

    /// Shows and says a text; a child who plays on must have the time to see it.
    private mutating func tell(_ text: String, _ now: Moment) -> [Effect] {
        (notice, noticeEnd) = (text, now.steady + .seconds(5))
        return [.say(text), .ring]
    }

    package mutating func endSession(_ now: Moment) -> [Effect] {
        let late = pass(now)
        guard let session else { return late }
        player?.end(session: session)
        settings.currentSessionStartTime = nil
        return [.endSession, .saveSettings]
    }

    /// After `endSession` has been stored.
    package mutating func forgetSession() { (session, meter, current) = (nil, nil, nil) }

    package mutating func noteSpoken(lines: Int) { session?.voiceLineCompletions += max(0, lines) }

    /// Whether home proposes a break: after ten minutes, to a player who prefers short sessions.
    var isTimeForBreak: Bool {
        guard let player, let session else { return false }
        return player.learningProfile.prefersShortSessions
            && session.duration >= LearningProfile.shortSession
    }

    /// When to write the time played next, by the steady clock: every 15 s, and once more when it is no longer counted; then `nil`.
    package func nextWrite(after last: Duration) -> Duration? {
        guard let end = meter?.end, last < end else { return nil }
        return min(last + .seconds(15), end)
    }

    /// Adds the time that has passed: before each input, and each time that the player is written. Says that five minutes are left.
    package mutating func pass(_ now: Moment) -> [Effect] {
        guard var player, var meter else { return [] }
        let before = minutesLeft
        let (played, idle) = meter.measure(at: now.steady)
        self.meter = meter
        player.today.add(played, until: now.time, in: now.calendar)
        self.player = player
        if var session {
            session.duration += played + idle
            session.idleTimeTotal += idle
            session.endTime = max(session.startTime, now.time)
            self.session = session
        }
        if case .level(var playing) = stage {
            playing.played += played
            stage = .level(playing)
        }
        note(dayOf: now)
        guard before > 5, 1...5 ~= minutesLeft else { return [] }
        return tell(Texts.lastMinutes, now)
    }

    /// When what moves is to be drawn again, by the steady clock; `nil` while nothing moves.
    package var nextFrame: Duration? {
        guard case .goOn(let celebration) = stage, celebration.frame < Celebration.lastFrame else {
            return nil
        }
        return celebration.shownAt + Celebration.pace * (celebration.frame + 1)
    }

    /// Moves on to the picture of a time of the steady clock.
    package mutating func move(to steady: Duration) {
        guard case .goOn(var celebration) = stage else { return }
        let frame = Int((steady - celebration.shownAt) / Celebration.pace)
        celebration.frame = min(max(celebration.frame, frame), Celebration.lastFrame)
        stage = .goOn(celebration)
    }

    /// The program goes to the background: nothing is measured until `resume`.
    package mutating func pause(_ now: Moment) -> [Effect] {
        let effects = pass(now)
        meter = nil
        return effects
    }

    /// The program comes to the foreground again.
    package mutating func resume(_ now: Moment) {
        if current != nil { meter = PlayMeter(start: now.steady) }
    }

    /// Remembers what depends on the day: the streak, and when it goes on. That is later than tomorrow where the clock was set back.
    mutating func note(dayOf now: Moment) {
        guard let player, let end = player.today.end(in: now.calendar) else { return }
        let isTomorrow = end <= now.calendar.day(containing: now.time).end
        untilWhen = Texts.until(isTomorrow ? "tomorrow" : "on \(now.calendar.zone.local(at: end).date)")
        streak = player.streak(in: now.calendar)
    }
}
