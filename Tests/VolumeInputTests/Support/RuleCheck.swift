import Linux

@testable import KeyProtocol
@testable import VolumeInput

/// Rules of the timing table that the events of one device obey, whatever was pressed.
struct RuleCheck {
    private let timing: GestureTiming
    private var seenUntil = MonotonicTime(microseconds: 0)
    /// When each key last counted at a press, voided or not.
    private var lastPress: [CountedKey: MonotonicTime] = [:]
    /// The repeats that were not taken back, by key, oldest first; only the latest matter.
    private var repeats: [CountedKey: [(id: CountID, at: MonotonicTime)]] = [:]
    private var lastReset: MonotonicTime?

    init(_ timing: GestureTiming) { self.timing = timing }

    /// - Parameters:
    ///   - events: the events of one call.
    ///   - now: the time that the call was given.
    /// - Returns: the first violation; `nil` if there is none.
    mutating func violation(by events: [VolumeEvent], seenUntil now: MonotonicTime) -> String? {
        seenUntil = max(seenUntil, now)
        for event in events {
            if event.timestamp > seenUntil { return "\(event) is told before its time (G13)" }
            if let violation = violation(by: event) { return violation }
        }
        return nil
    }

    private mutating func violation(by event: VolumeEvent) -> String? {
        switch event.type {
        case .volumeUp(let id, let isRepeat): count(.up, id, isRepeat, event)
        case .volumeDown(let id, let isRepeat): count(.down, id, isRepeat, event)
        case .takenBack(let ids): takeBack(Set(ids))
        case .reset: reset(event)
        case .simultaneousBoth, .holdLimitReached, .bothHeld, .bothReleased: nil
        }
    }

    private mutating func count(
        _ key: CountedKey, _ id: CountID, _ isRepeat: Bool, _ event: VolumeEvent
    ) -> String? {
        isRepeat ? countRepeat(key, id, event) : countPress(key, event)
    }

    private mutating func countPress(_ key: CountedKey, _ event: VolumeEvent) -> String? {
        defer { lastPress[key] = event.timestamp }
        guard let last = lastPress[key], event.timestamp - last < timing.debounce else { return nil }
        return "\(event) follows too soon on the press at \(last) (G2)"
    }

    private mutating func countRepeat(_ key: CountedKey, _ id: CountID, _ event: VolumeEvent) -> String? {
        let last = repeats[key]?.last
        repeats[key] = (repeats[key] ?? []).suffix(64) + [(id, event.timestamp)]
        if let last, event.timestamp - last.at < min(timing.repeatInterval, timing.holdDelay) {
            return "\(event) follows too soon on the repeat at \(last.at) (G5)"
        }
        return nil
    }

    private mutating func takeBack(_ ids: Set<CountID>) -> String? {
        for key in repeats.keys { repeats[key]?.removeAll { ids.contains($0.id) } }
        return nil
    }

    private mutating func reset(_ event: VolumeEvent) -> String? {
        defer { lastReset = event.timestamp }
        guard let lastReset, event.timestamp - lastReset < timing.debounce else { return nil }
        return "\(event) follows too soon on the reset at \(lastReset) (G2)"
    }
}
