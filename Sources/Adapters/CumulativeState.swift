import CounterModel
import Linux

/// A total: what it grows by counts. It heals every lost message by itself; a fall needs a proof or a second witness.
///
/// In and out are judged together. `last` is what was counted up to, with the numbers of earlier readings where it said nothing of one.
struct CumulativeState: Hashable, Sendable {
    private let rules: CountingRules
    private var last: Reading?
    /// A reading that fell (C7) or jumped (C9), until the next one decides.
    private var held: Reading?
    /// Before a fall that only a second reading proved: the numbers from which it goes on if the fall was none after all. H of C7 and C8.
    private var numbersBeforeFall: InOut?
    /// When the total last began again, or the first reading.
    private var epoch: Reading?
    /// When it was last reset: once at each hour of reset.
    private var lastReset: Timestamp?

    /// An equal reading replaces the last one after this time, so that a jump or a reset is judged by the time since then.
    private static let refresh = Duration.seconds(600)
    /// How far the clock of a device may be off when it resets itself.
    private static let resetMargin = Duration.seconds(600)
    /// For how many people more than its rate a reading may grow.
    private static let burst = 20

    init(_ rules: CountingRules) { self.rules = rules }

    mutating func take(_ new: Reading) -> Verdict {
        guard let last else {
            begin(new)
            return .none(.c1, "the first reading is the baseline: \(new.numbers)")
        }
        var reading = new
        reading.numbers = new.numbers.filled(by: last.numbers)
        if let why = lateness(of: reading, after: last) { return .none(.c2, why) }
        if let verdict = reset(reading, after: last) ?? wrapped(reading, after: last) { return verdict }
        if let held { return decided(held, by: reading, after: last) }
        if reading.numbers.minus(last.numbers).falls { return hold(reading, .c7, "falls") }
        return risen(reading, after: last)
    }

    /// C2
    private func lateness(of reading: Reading, after last: Reading) -> String? {
        let growth = reading.numbers.minus(last.numbers)
        if let epoch, reading.time != nil, reading.isEarlier(than: epoch) {
            return "late: from before the last reset"
        }
        if reading.isEarlier(than: last), !growth.rises { return "late: earlier than the last reading" }
        // It may be of any time. What it brings, the next reading that is sent brings too.
        if reading.isRetained, reading.time == nil || growth.falls, growth.falls || growth.rises {
            return "retained: nobody can tell from when it is"
        }
        return nil
    }

    // MARK: Falls

    /// C4 and C5: a proven reset. What the reading says was counted since zero.
    private mutating func reset(_ reading: Reading, after last: Reading) -> Verdict? {
        let growth = reading.numbers.minus(last.numbers)
        let hasStarted = rules.resetsAtBoot && Self.hasStarted(reading, after: last)
        guard hasStarted || growth.falls && passesReset(reading, after: last),
            isBelievable(reading.numbers, reading, since: last)
        else { return nil }
        begin(reading)
        lastReset = reading.countedAt
        let why = hasStarted ? "the device has started since" : "it was reset at its hour"
        return counted(
            hasStarted ? .c4 : .c5, reading.numbers,
            "\(why): counts from zero; what came before it, after \(last.numbers), is lost",
            isNotable: true)
    }

    /// Whether the uptime fell, and the start lies after the last reading: a late reading has a smaller uptime too.
    private static func hasStarted(_ reading: Reading, after last: Reading) -> Bool {
        guard let uptime = reading.uptime, let before = last.uptime, uptime < before else { return false }
        return reading.countedAt - .seconds(uptime) >= last.countedAt - .seconds(60)
    }

    /// Whether an hour of reset lies between the two at which it was not reset yet.
    private func passesReset(_ reading: Reading, after last: Reading) -> Bool {
        let margin = Self.resetMargin
        let (first, end) = (last.countedAt - margin, reading.countedAt + margin)
        return rules.resets.contains { minute in
            // A reset of this day or of the one before.
            let date = rules.zone.local(at: end).date
            return [date, date.advanced(by: -1)].contains { date in
                let reset = rules.zone.moment(of: date, minute: minute)
                return (first...end).contains(reset) && lastReset.map { $0 < reset - margin } ?? true
            }
        }
    }

    /// C6
    private mutating func wrapped(_ reading: Reading, after last: Reading) -> Verdict? {
        let growth = reading.numbers.minus(last.numbers)
        guard let wrap = rules.wrap, growth.known.count(where: { $0 < 0 }) == 1,
            last.numbers.known.allSatisfy({ $0 < wrap })
        else { return nil }
        let difference = growth.with(growth) { number, _ in number < 0 ? number + wrap : number }
        // From near the end to near the beginning: what falls from far below the end was reset.
        let isOver = last.numbers.with(difference) {
            $0 + $1 < wrap || $0 >= wrap / 4 * 3 && $1 <= wrap / 4 ? 0 : -1
        }
        if isOver.falls { return nil }
        guard isBelievable(difference, reading, since: last) else { return nil }
        begin(reading)
        return counted(.c6, difference, "goes on over its end at \(wrap)")
    }

    /// A new epoch: nothing from before it counts any more.
    private mutating func begin(_ reading: Reading) {
        (last, held, numbersBeforeFall, epoch) = (reading, nil, nil, reading)
    }

    private mutating func hold(_ reading: Reading, _ rule: Verdict.Rule, _ what: String) -> Verdict {
        held = reading
        return .none(
            rule, "\(what): \(reading.numbers); held until the next reading tells what it was",
            isNotable: true)
    }

    // MARK: The reading after a held one

    private mutating func decided(_ held: Reading, by reading: Reading, after last: Reading) -> Verdict {
        let growth = reading.numbers.minus(last.numbers)
        let fell = held.numbers.minus(last.numbers).falls
        if reading.isEarlier(than: held) {
            // From before what is held, which the next one decides.
            return growth.falls
                ? .none(.c2, "late: earlier than the one that is held") : risen(reading, after: last)
        }
        if reading.numbers == held.numbers, !held.isEarlier(than: reading) {
            return .none(fell ? .c7 : .c9, "repeats the one that is held")
        }
        return fell
            ? decidedFall(held, by: reading, after: last)
            : decidedJump(held, by: reading, after: last)
    }

    /// C7
    private mutating func decidedFall(_ held: Reading, by reading: Reading, after last: Reading) -> Verdict {
        guard reading.numbers.minus(last.numbers).falls else {
            self.held = nil
            var verdict = risen(reading, after: last)
            if self.held == nil {
                verdict = counted(
                    .c7, verdict.numbers, "there was no fall (\(held.numbers)); \(verdict.words)",
                    isNotable: true)
            }
            return verdict
        }
        let since = reading.numbers.minus(held.numbers)
        let count = rules.onFall == .zero ? reading.numbers : since
        let origin = rules.onFall == .zero ? last : held
        guard !since.falls, isBelievable(count, reading, since: origin) else {
            return hold(reading, .c7, "falls")
        }
        let before = last.numbers.with((numbersBeforeFall ?? last.numbers).filled(by: last.numbers), max)
        begin(reading)
        (numbersBeforeFall, epoch, lastReset) = (before, held, held.countedAt)
        return counted(
            .c7, count,
            "there was a fall (\(held.numbers)): \(rules.onFall == .zero ? "counts from zero" : "goes on from there")",
            isNotable: true)
    }

    /// C9
    private mutating func decidedJump(_ held: Reading, by reading: Reading, after last: Reading) -> Verdict {
        if reading.numbers.minus(last.numbers).falls { return hold(reading, .c7, "falls") }
        let since = reading.numbers.minus(held.numbers)
        self.held = nil
        guard !since.falls, isBelievable(since, reading, since: held) else {
            return risen(reading, after: last)
        }
        self.last = reading
        let jump = held.numbers.minus(last.numbers).counted
        return counted(.c9, since, "goes on from the jump, which is not counted: \(jump)", isNotable: true)
    }

    // MARK: Rises

    /// C8, and C3 and C9.
    private mutating func risen(_ reading: Reading, after last: Reading) -> Verdict {
        let growth = reading.numbers.minus(last.numbers)
        if let rest = restBeforeFall(reading, after: last), isBelievable(rest, reading, since: last) {
            numbersBeforeFall = nil
            self.last = reading
            return counted(.c8, rest, "the fall was none after all: goes on from before it", isNotable: true)
        }
        guard growth.rises else { return equal(reading, to: last) }
        guard isBelievable(growth, reading, since: last) else {
            return hold(reading, .c9, "jumps by more than \(limit(reading, since: last))")
        }
        self.last = reading
        return counted(.c8, growth, "rises: \(reading.numbers)")
    }

    /// What remains over the numbers before the fall, where one comes from below half of them to them or more in one step.
    private func restBeforeFall(_ reading: Reading, after last: Reading) -> InOut? {
        guard let high = numbersBeforeFall else { return nil }
        let low = last.numbers.with(high) { $0 < ($1 + 1) / 2 ? 1 : 0 }
        let comesBack = reading.numbers.with(high) { $0 >= $1 ? 1 : 0 }.with(low, *)
        guard comesBack.rises else { return nil }
        let rest = reading.numbers.minus(high)
        return rest.with(reading.numbers.minus(last.numbers)) { $0 >= 0 ? $0 : $1 }
    }

    /// C3
    private mutating func equal(_ reading: Reading, to last: Reading) -> Verdict {
        let hasMore = reading.numbers != last.numbers
        if hasMore || reading.countedAt - last.countedAt >= Self.refresh { self.last = reading }
        return .none(.c3, "as before: a sign of life")
    }

    // MARK: What is believed

    private func limit(_ reading: Reading, since other: Reading) -> Int {
        rules.maxRate * reading.seconds(since: other) + Self.burst
    }

    private func isBelievable(_ growth: InOut, _ reading: Reading, since other: Reading) -> Bool {
        let limit = limit(reading, since: other)
        return growth.known.allSatisfy { 0...limit ~= $0 }
    }

    private func counted(_ rule: Verdict.Rule, _ numbers: InOut, _ words: String, isNotable: Bool = false)
        -> Verdict
    {
        Verdict(rule: rule, numbers: numbers.counted, words: words, isNotable: isNotable)
    }
}
