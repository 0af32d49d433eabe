import CounterModel
import Linux

/// The ranges of time that a stream has told, with their numbers.
struct IntervalState: Hashable, Sendable {
    private struct Told: Hashable, Sendable {
        let range: Range<Timestamp>
        /// The largest that were told.
        var numbers: InOut
        var uptime: Int?
    }

    private let rules: CountingRules
    /// In the order of time; none cuts another.
    private var told: [Told] = []

    init(_ rules: CountingRules) { self.rules = rules }

    mutating func take(_ reading: Reading) -> Verdict {
        guard let range = reading.range else { preconditionFailure("an interval has a range") }
        if let refusal = refusal(of: range, reading) { return refusal }
        // The index of the first range that does not begin before this one: mostly it is the end.
        let place = told.lastIndex { $0.range.lowerBound < range.lowerBound }.map { $0 + 1 } ?? 0
        if place < told.count, told[place].range == range { return again(reading, at: place) }
        // I4
        let neighbours = told[max(0, place - 1)..<min(told.count, place + 1)]
        if let other = neighbours.first(where: { $0.range.overlaps(range) }) {
            return .none(
                .i4, "overlap: cuts \(rules.zone.text(of: other.range)), which is told already",
                isNotable: true)
        }
        let verdict = new(
            reading, range, after: place > 0 ? told[place - 1].range : nil, isLast: place == told.count
        )
        told.insert(Told(range: range, numbers: reading.numbers, uptime: reading.uptime), at: place)
        forget(until: reading.receivedAt)
        return verdict
    }

    /// I7, and what is older than all that is known.
    private func refusal(of range: Range<Timestamp>, _ reading: Reading) -> Verdict? {
        if let since = rules.since, range.lowerBound < since {
            return .none(
                .i7, "begins before \(rules.zone.text(of: since)), since when the device counts",
                isNotable: true)
        }
        // A clock that is ahead is not believed.
        if let last = told.last,
            min(last.range.upperBound, reading.receivedAt) - range.lowerBound > Stream.memory
        {
            return .none(
                .i7, "is 90 days older than the last: too old to tell whether it has been counted",
                isNotable: true)
        }
        return nil
    }

    /// Seldom, as the others move.
    private mutating func forget(until now: Timestamp) {
        guard let end = told.last.map({ min($0.range.upperBound, now) }), told.count.isMultiple(of: 1024)
        else { return }
        told.removeFirst(told.prefix { end - $0.range.lowerBound > Stream.memory }.count)
    }

    /// I1, and I5 where it leaves a hole before it or fills one.
    private func new(
        _ reading: Reading, _ range: Range<Timestamp>, after previous: Range<Timestamp>?, isLast: Bool
    ) -> Verdict {
        var verdict = Verdict(
            rule: .i1, numbers: reading.numbers.counted,
            time: range.upperBound.counted(receivedAt: reading.receivedAt),
            words: reading.numbers.rises ? "a new range" : "a new range without anybody: a sign of life",
            isStored: true)
        guard let previous else { return verdict }
        if !isLast {
            (verdict.rule, verdict.words) = (.i5, "fills a hole, and counts in its own time")
        } else if previous.upperBound < range.lowerBound {
            (verdict.rule, verdict.isNotable) = (.i5, true)
            verdict.words +=
                "; missing before it: \(rules.zone.text(of: previous.upperBound..<range.lowerBound))"
        }
        return verdict
    }

    /// I2, I3, I6: a range that is there.
    private mutating func again(_ reading: Reading, at place: Int) -> Verdict {
        let old = told[place]
        // I6
        if let uptime = reading.uptime, let before = old.uptime, uptime > before {
            told[place].uptime = uptime
            return Verdict(
                rule: .i6, numbers: reading.numbers.counted, time: reading.receivedAt,
                words: "clock: it has told this range, and has run on since; counts when it came",
                isNotable: true, isStored: true)
        }
        let growth = reading.numbers.minus(old.numbers.filled(by: .zero))
        // I2
        guard growth.falls || growth.rises else { return .none(.i2, "has been counted") }
        // I3
        let more = growth.counted.with(.zero, max)
        told[place].numbers = reading.numbers.filled(by: .zero).with(old.numbers.filled(by: .zero), max)
        let words =
            more.rises
            ? "revised: it was \(old.numbers), the growth counts"
            : "is smaller than before (\(old.numbers)): counts nothing"
        return Verdict(
            rule: .i3, numbers: more, time: old.range.upperBound.counted(receivedAt: reading.receivedAt),
            words: words, isNotable: true, isStored: told[place].numbers != old.numbers)
    }
}

extension ZoneOffsets {
    /// `2026-11-21 14:03:00 to 2026-11-21 14:04:00`
    fileprivate func text(of range: Range<Timestamp>) -> String {
        "\(text(of: range.lowerBound)) to \(text(of: range.upperBound))"
    }
}
