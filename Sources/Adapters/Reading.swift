package import CounterModel
package import Linux

/// Numbers of people in and out; nil where nothing was said of one.
package struct InOut: Hashable, Sendable {
    package var `in`: Int?
    package var out: Int?

    package static let zero = InOut(in: 0, out: 0)

    var known: [Int] { [`in`, out].compactMap(\.self) }
    var falls: Bool { known.contains { $0 < 0 } }
    package var rises: Bool { known.contains { $0 > 0 } }
    /// For counting: what nothing was said of is 0.
    var counted: InOut { InOut(in: `in` ?? 0, out: out ?? 0) }
    var swapped: InOut { InOut(in: out, out: `in`) }

    /// Number by number; nil where one of the two is.
    func with(_ other: InOut, _ combine: (Int, Int) -> Int) -> InOut {
        func both(_ one: Int?, _ two: Int?) -> Int? { one.flatMap { one in two.map { combine(one, $0) } } }
        return InOut(in: both(`in`, other.in), out: both(out, other.out))
    }

    func minus(_ other: InOut) -> InOut { with(other, -) }

    /// With the other's numbers where it has none.
    func filled(by other: InOut?) -> InOut { InOut(in: `in` ?? other?.in, out: out ?? other?.out) }
}

extension InOut: CustomStringConvertible {
    /// `in 3, out 0`
    package var description: String {
        [("in", `in`), ("out", out)].compactMap { name, number in number.map { "\(name) \($0)" } }
            .joined(separator: ", ")
    }
}

/// What one item of a message says of a stream.
package struct Reading: Hashable, Sendable {
    /// `adapter:device` or `adapter:device/channel`; the device id of the entries.
    package let stream: Identifier
    package var numbers: InOut
    /// By the device's clock; nil where it tells none.
    let time: Timestamp?
    package let receivedAt: Timestamp
    var range: Range<Timestamp>?
    /// What makes the message this one.
    var key: String?
    /// A number that grows by 1 with each message.
    var sequence: Int?
    /// Seconds since the device's start.
    var uptime: Int?
    /// Whether the state counts, of an adapter with `edge`.
    var isAtEdge: Bool?
    var isRetained = false
    /// As of its message.
    var packet: Int?
    var isRedelivered = false
    /// Whether its clock was not set yet: it has no time then, and counts when it came.
    var isClockUnset = false

    /// Of a total.
    static let largest = 1 << 50

    /// When what it says counts: a clock that is ahead is not believed.
    var countedAt: Timestamp { (time ?? receivedAt).counted(receivedAt: receivedAt) }

    private var isAhead: Bool { time.map { $0 > receivedAt } ?? false }

    /// Whether the device said it before the other, by its clock, else by its number. A clock that was ahead and is not any more was set.
    func isEarlier(than other: Reading) -> Bool {
        if let time, let otherTime = other.time {
            return time < (other.isAhead && !isAhead ? other.receivedAt : otherTime)
        }
        guard time == nil, let sequence, let otherSequence = other.sequence else { return false }
        return sequence < otherSequence
    }

    /// The seconds since another reading: by the clock that says more, as one of them may stand still.
    func seconds(since other: Reading) -> Int {
        let longest = max(countedAt - other.countedAt, receivedAt - other.receivedAt, .zero)
        return Int(longest.microseconds / 1_000_000)
    }
}

// MARK: - As a row

extension Reading {
    /// The `text` of its row in the journal, an object: what is not in the row's other columns. Members that say nothing are left out.
    package var text: String {
        let object: JSONLine = [
            "in": .number(numbers.in), "out": .number(numbers.out), "time": .time(time),
            "from": .time(range?.lowerBound), "to": .time(range?.upperBound), "key": .text(key),
            "seq": .number(sequence), "uptime": .number(uptime), "isAtEdge": .flag(isAtEdge),
            "isRetained": .flag(isRetained ? true : nil),
            "isClockUnset": .flag(isClockUnset ? true : nil), "packet": .number(packet),
        ]
        return object.text
    }

    /// The reading of a row; nil where the text is none that this version has written.
    package init?(stream: Identifier, receivedAt: Timestamp, text: String) {
        guard let members = (try? JSONValue(json: Array(text.utf8)[...]))?.members else { return nil }
        func number(_ name: String) -> Int? {
            members[name]?.scalar.flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 }
        }
        func moment(_ name: String) -> Timestamp? {
            members[name]?.scalar.flatMap { Timestamp(iso8601: $0) }
                .flatMap { Timestamp.journalTimes.contains($0) ? $0 : nil }
        }
        func flag(_ name: String) -> Bool? { members[name] == nil ? nil : members[name] == .flag(true) }
        self.init(
            stream: stream, numbers: InOut(in: number("in"), out: number("out")), time: moment("time"),
            receivedAt: receivedAt)
        guard numbers.known.allSatisfy({ $0 <= Self.largest }) else { return nil }
        if let from = moment("from"), let to = moment("to") {
            guard from < to else { return nil }
            range = from..<to
        }
        key = members["key"]?.scalar
        (sequence, uptime, packet) = (number("seq"), number("uptime"), number("packet"))
        (isAtEdge, isRetained) = (flag("isAtEdge"), flag("isRetained") ?? false)
        isClockUnset = flag("isClockUnset") ?? false
    }
}

/// What a reading meant: how many people it counts, and why.
package struct Verdict: Hashable, Sendable {
    /// The rules of docs/devices.md by their numbers.
    package enum Rule: String, CaseIterable, Sendable {
        case e1, e2, e3, e4, e5
        case i1, i2, i3, i4, i5, i6, i7
        case c1, c2, c3, c4, c5, c6, c7, c8, c9

        package var text: String { rawValue.uppercased() }
    }

    package var rule: Rule
    /// An entry for each person.
    package var numbers = InOut.zero
    package var time: Timestamp?
    /// For people.
    package var words: String
    /// Whether people should hear of it: something is lost, doubtful, or set wrongly.
    package var isNotable = false
    /// Whether the stream is another one after it. Only such readings are stored: from them alone the same stream arises again.
    package var isStored = false

    static func none(_ rule: Rule, _ words: String, isNotable: Bool = false) -> Verdict {
        Verdict(rule: rule, words: words, isNotable: isNotable)
    }
}

/// How the readings of a stream are to be understood: what an adapter says of it, but for the places of the values.
struct CountingRules: Hashable, Sendable {
    enum Mode: String, CaseIterable {
        case event, interval, cumulative
    }
    enum OnFall: String, CaseIterable {
        case baseline, zero
    }

    let mode: Mode
    /// The number at which a total begins again.
    var wrap: Int?
    /// The local times at which a total is reset, in minutes of the day.
    var resets: [Int] = []
    /// Whether the start of the device resets a total.
    var resetsAtBoot = false
    var onFall = OnFall.baseline
    /// People a second and direction that are believed.
    var maxRate = 3
    var hasEdge = false
    /// For how long after a count no other counts.
    var minGap = Duration.zero
    /// What began before is refused.
    var since: Timestamp?
    /// Whether the device is mounted the other way round.
    var isSwapped = false
    /// Of its clock where it tells no offset, and of its hours of reset.
    var zone = ZoneOffsets.utc
}

/// Everything that is known of a stream: a fold over its stored readings.
package struct Stream: Sendable {
    /// For how long keys and ranges are known. What is older is not counted, as nobody can tell whether it was.
    package static let memory = Duration.seconds(90 * 86_400)
    /// So many late readings in a row mean that the clock is wrong.
    private static let manyLate = 10

    let rules: CountingRules
    // Only the one of its mode is used. Three, as a case of an enumeration cannot be changed without being copied.
    private(set) var events: EventState
    private(set) var intervals: IntervalState
    private(set) var total: CumulativeState
    private var lateInRow = 0
    /// The ids of the last packets. A broker that has not heard of an acknowledgement delivers the same packet again.
    private(set) var packets: [Int] = []
    /// As many as a broker may have on their way, if it is set so.
    private static let knownPackets = 1_024

    init(_ rules: CountingRules) {
        self.rules = rules
        (events, intervals, total) = (EventState(rules), IntervalState(rules), CumulativeState(rules))
    }

    package mutating func take(_ reading: Reading) -> Verdict {
        // A range says itself that it was there.
        guard let packet = reading.packet, rules.mode != .interval else { return judge(reading) }
        if reading.isRedelivered, packets.contains(packet) {
            return .none(rules.mode == .cumulative ? .c2 : .e3, "delivered again: packet \(packet)")
        }
        var verdict = judge(reading)
        // An event, or a state: nothing else tells that it was there.
        if rules.mode == .event {
            verdict.isStored = verdict.isStored || verdict.rule == .e3 || verdict.rule == .e4
        }
        if verdict.isStored {
            if packets.count >= Self.knownPackets { packets.removeFirst(Self.knownPackets / 2) }
            packets.append(packet)
        }
        return verdict
    }

    private mutating func judge(_ reading: Reading) -> Verdict {
        var verdict: Verdict
        switch rules.mode {
        case .event: verdict = events.take(reading)
        case .interval: verdict = intervals.take(reading)
        case .cumulative:
            let before = total
            verdict = total.take(reading)
            verdict.isStored = total != before
            tellLate(&verdict)
        }
        verdict.time = verdict.time ?? reading.countedAt
        if rules.isSwapped { verdict.numbers = verdict.numbers.swapped }
        tellClock(reading, &verdict)
        return verdict
    }

    /// A clock that was not set, or is ahead, counts when the reading came, and is told, one that is ahead from an hour on. One that is
    /// behind looks like a late message.
    private func tellClock(_ reading: Reading, _ verdict: inout Verdict) {
        if reading.isClockUnset {
            verdict.time = reading.receivedAt
            verdict.words += "; its clock is not set"
            verdict.isNotable = true
        }
        guard let time = reading.time, time - reading.receivedAt >= .seconds(3600) else { return }
        let seconds = Int((time - reading.receivedAt).microseconds / 1_000_000)
        verdict.words += "; its clock is \(DurationText.short(seconds: seconds)) ahead"
        verdict.isNotable = true
    }

    private mutating func tellLate(_ verdict: inout Verdict) {
        lateInRow = verdict.rule == .c2 ? lateInRow + 1 : 0
        guard lateInRow >= Self.manyLate else { return }
        verdict.words += "; \(lateInRow) in a row: its clock is wrong"
        verdict.isNotable = true
    }

    /// Takes what was stored, and says nothing of it.
    package mutating func follow(_ stored: Reading) {
        // The adapter had another mode. A total from before that would count again what was counted meanwhile.
        if rules.mode == .interval, stored.range == nil { return }
        if rules.mode == .cumulative, stored.range != nil {
            total = CumulativeState(rules)
            return
        }
        _ = take(stored)
    }
}

// MARK: - Events

/// Each message is one event, or the change of a state.
struct EventState: Hashable, Sendable {
    private let rules: CountingRules
    /// The keys that have counted, with their times.
    private var keys: [String: Timestamp] = [:]
    private var isAtEdge: Bool?
    private var lastCount: Timestamp?
    private var sequence: Int?

    init(_ rules: CountingRules) { self.rules = rules }

    mutating func take(_ reading: Reading) -> Verdict {
        if rules.hasEdge { return edge(reading) }
        // E1
        if reading.isRetained { return .none(.e1, "retained: nobody can tell from when it is") }
        if let refusal = known(reading) { return refusal }
        var verdict = Verdict(rule: reading.key == nil ? .e3 : .e2, words: "an event")
        verdict.isStored = reading.key != nil || reading.sequence != nil
        if let key = reading.key { remember(key, reading) }
        follow(reading, &verdict)
        count(reading, &verdict)
        return verdict
    }

    /// E2 and, by its number, E5: whether the message has counted already, or is too old to tell.
    private func known(_ reading: Reading) -> Verdict? {
        if let key = reading.key {
            if keys[key] != nil { return .none(.e2, "has been counted: \(key)") }
            if reading.receivedAt - reading.countedAt > Stream.memory {
                return .none(
                    .e2, "is older than 90 days: too old to tell whether it has been counted", isNotable: true
                )
            }
        } else if let number = reading.sequence, number == sequence {
            return .none(.e5, "number \(number) again")
        }
        return nil
    }

    private mutating func remember(_ key: String, _ reading: Reading) {
        keys[key] = reading.countedAt
        // Seldom, as all keys are looked at.
        guard keys.count.isMultiple(of: 1024) else { return }
        keys = keys.filter { reading.receivedAt - $0.value <= Stream.memory }
    }

    /// E5: a hole in the numbers is told; a smaller number begins a new epoch.
    private mutating func follow(_ reading: Reading, _ verdict: inout Verdict) {
        guard let number = reading.sequence else { return }
        defer { sequence = number }
        guard let sequence else { return }
        let missing = number - sequence - 1
        if missing > 0 {
            (verdict.rule, verdict.isNotable) = (.e5, true)
            verdict.words += "; \(missing) before it are missing"
        } else if missing < 0 {
            verdict.rule = .e5
            verdict.words += "; its numbers begin again"
        }
    }

    /// E4: the change to the value counts; the first message only says how it stands, and a retained one too.
    private mutating func edge(_ reading: Reading) -> Verdict {
        guard let now = reading.isAtEdge else { return .none(.e4, "says nothing of the state") }
        let before = isAtEdge
        isAtEdge = now
        var verdict = Verdict.none(.e4, "the first message says how it stands")
        verdict.isStored = before != now
        if before == nil { return verdict }
        if reading.isRetained {
            (verdict.rule, verdict.words) = (.e1, "retained: says how it stands")
        } else if now, before == false {
            verdict.words = "the state has changed"
            count(reading, &verdict)
        } else {
            verdict.words = "no change to the value that counts"
        }
        return verdict
    }

    /// Counts, unless it is too soon after the last count.
    private mutating func count(_ reading: Reading, _ verdict: inout Verdict) {
        let time = reading.countedAt
        if let lastCount, lastCount <= time, time - lastCount < rules.minGap {
            verdict.words += "; does not count, so soon after the last one"
            return
        }
        verdict.numbers = reading.numbers.counted
        guard rules.minGap > .zero else { return }
        verdict.isStored = true
        lastCount = time
    }
}
