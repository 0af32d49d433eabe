import CounterModel

/// The time played. It is measured before each input, and each time that the player is written.
extension PracticeModel {
    /// When to write the time played next: every 15 s, and once more when it is no longer counted.
    ///
    /// - Parameter last: when it was last written, by the steady clock.
    /// - Returns: `nil` while no time is counted.
    package func nextWrite(after last: Duration) -> Duration? {
        guard meter != nil, last < lastKey + PlayMeter.longestPause else { return nil }
        return min(last + Self.writePause, lastKey + PlayMeter.longestPause)
    }

    private static let writePause = Duration.seconds(15)

    /// Adds the time that has passed.
    ///
    /// - Returns: what is to be said, such as that five minutes are left.
    package mutating func pass(_ now: Moment) -> [Effect] {
        guard var player, var meter else { return [] }
        let before = limit
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
        guard before.isOpen, limit.isEnding else { return [] }
        // A child who plays on must have the time to see it.
        (notice, noticeEnd) = (Texts.lastMinutes, now.steady + .seconds(5))
        return [.say(Texts.lastMinutes), .ring]
    }

    /// A key was pressed.
    mutating func noteKey(at now: Moment) {
        meter?.key(at: now.steady)
        lastKey = now.steady
    }

    /// The program goes to the background: nothing is measured until `resume`.
    package mutating func pause(_ now: Moment) -> [Effect] {
        let effects = pass(now)
        meter = nil
        return effects
    }

    /// The program comes to the foreground again.
    package mutating func resume(_ now: Moment) {
        guard current != nil else { return }
        meter = PlayMeter(start: now.steady)
        lastKey = now.steady
    }

    /// Remembers when the next day begins.
    mutating func note(dayOf now: Moment) {
        guard let player, let end = DailyLimit.end(of: player.today, in: now.calendar) else { return }
        let local = now.calendar.zone.local(at: end)
        let minute = local.minute < 10 ? "0\(local.minute)" : "\(local.minute)"
        untilWhen = Texts.until("\(local.hour):\(minute)")
    }
}

extension DailyLimit.State {
    var isOpen: Bool { if case .open = self { true } else { false } }
    var isEnding: Bool { if case .ending = self { true } else { false } }
}
