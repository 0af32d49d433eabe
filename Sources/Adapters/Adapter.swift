package import CounterModel
package import Linux

/// From the messages of one kind of counter to readings.
package struct Adapter {
    /// Where a number of people stands.
    enum Amount: Hashable {
        case path([PayloadSource])
        /// So many, where the conditions hold.
        case add(Int, [PayloadCondition])
    }
    /// A topic that tells whether a device is up.
    struct Alive {
        let topic: PlacePattern
        let up: [String]
        let down: [String]
    }
    enum Span: Hashable {
        case range([PayloadSource], [PayloadSource])
        /// Up to the time.
        case period(Duration)
    }

    package let name: String
    /// Of MQTT and of HTTP: one of them, or both.
    var topic: PlacePattern?
    var path: PlacePattern?
    var format = PayloadFormat.json
    var when: [PayloadCondition] = []
    var unless: [PayloadCondition] = []
    var each: PayloadPath?
    var device: [PayloadSource] = []
    var channel: [PayloadSource] = []
    var `in`: Amount?
    var out: Amount?
    var time: [PayloadSource] = []
    var timeFormat = ReadingTime()
    var span: Span?
    var key: [PayloadSource] = []
    var sequence: [PayloadSource] = []
    var uptime: [PayloadSource] = []
    var edge: [PayloadCondition] = []
    var rules: CountingRules
    var alive: [Alive] = []
    /// How often something is expected.
    package var every: Duration?
    /// Whether its readings count; without, they are signs of life.
    package var counts = true
    // Of a device:
    package var location: String?
    var isIgnored = false
    /// Whether its zone is named; else it is that of the location.
    var hasZone = false

    /// Whether it can be known of its devices that they are gone.
    package var tellsPresence: Bool { !alive.isEmpty || every != nil }

    /// The filters by which a client of MQTT gets its messages.
    package var filters: [String] { ([topic] + alive.map(\.topic)).compactMap { $0?.filter } }

    var places: [PlacePattern] { [topic, path].compactMap(\.self) }

    /// The topic and the path as they are written.
    package var placeTexts: [String] { places.map(\.text) }

    package var mode: String { counts ? rules.mode.rawValue : "sign of life" }
}

/// The zone of where a device counts; nil where that is not known.
package typealias DeviceZone = (Identifier) -> ZoneOffsets?

/// What became of an item of a message, for people.
package struct ReadingOutcome {
    /// The number of its message, from 1, where there are several.
    package var message: Int?
    /// The device's id, where one is known.
    package var device: String?
    package var verdict: Verdict?
    package var location: String?
    package var words: String
    /// Whether it was refused: such a message would never be taken.
    package var isRefused = false
    package var reading: Reading?
    /// The adapter that has understood it.
    package var adapter: Adapter?
    /// Whether it says that the device is up; nil where it says nothing of it.
    package var isUp: Bool?

    /// Whether the adapter has found nothing that it is for.
    package var isPassed: Bool { verdict == nil && isUp == nil && !isRefused }

    /// A sign of life of a device, or its end.
    static func alive(device: String, isUp: Bool) -> ReadingOutcome {
        ReadingOutcome(device: device, words: isUp ? "up: a sign of life" : "down", isUp: isUp)
    }
    /// Not what the adapter is for: nothing is wrong.
    static func passed(_ why: String) -> ReadingOutcome { ReadingOutcome(words: "counts nothing: \(why)") }
    /// It cannot be taken, and never will be.
    static func refused(_ why: String) -> ReadingOutcome {
        ReadingOutcome(words: "refused: \(why)", isRefused: true)
    }
}

extension AdapterFile {
    /// What becomes of a message by adapters; nil where none is for its topic or path. `judge` says what a reading counts, and where.
    package func outcomes<Failure>(
        of message: Message, by adapters: [Adapter], zone: DeviceZone = { _ in nil },
        judge: (Reading, Adapter) throws(Failure) -> (verdict: Verdict, location: String?)
    ) throws(Failure) -> [ReadingOutcome]? {
        var outcomes: [ReadingOutcome]?
        for adapter in adapters {
            let found: [ReadingOutcome]
            do throws(LineError) {
                guard let all = try readings(of: message, by: adapter, zone) else { continue }
                found = all
            } catch { found = [.refused(error.why)] }
            outcomes = outcomes ?? []
            for var outcome in found {
                let adapter = outcome.adapter ?? adapter
                outcome.adapter = adapter
                if let reading = outcome.reading {
                    let (verdict, location) = try judge(reading, adapter)
                    (outcome.verdict, outcome.location, outcome.words) = (verdict, location, verdict.words)
                }
                outcomes?.append(outcome)
            }
        }
        return outcomes
    }

    /// What a message says, item by item, by an adapter, not judged yet; nil where the adapter is not for its topic or path.
    /// Throws `LineError` where the body is not what the adapter expects at all.
    private func readings(
        of message: Message, by adapter: Adapter, _ zone: DeviceZone
    ) throws(LineError) -> [ReadingOutcome]? {
        if let alive = try adapter.sign(in: message) { return [alive] }
        guard let parts = adapter.places.lazy.compactMap({ $0.parts(of: message.place) }).first else {
            return nil
        }
        // What a broker retained is taken away by an empty message.
        if message.body.isEmpty, !adapter.takesEmpty { return [.passed("it is empty")] }
        let body = try adapter.format.read(message.body)
        var messages = [body]
        if case .list(let items) = body { messages = items }
        return messages.flatMap { item -> [ReadingOutcome] in
            let scope = PayloadScope(message: item, parts: parts)
            guard let each = adapter.each else { return [reading(in: scope, of: message, by: adapter, zone)] }
            let found = each.found(in: scope)
            if !found.isEmpty { return found.map { reading(in: $0, of: message, by: adapter, zone) } }
            guard let device = adapter.device.text(in: scope), !device.isEmpty else {
                return [.passed("it has nothing of the adapter's list")]
            }
            return [.alive(device: adapter.id(of: device, nil), isUp: true)]
        }
    }

    private func reading(
        in scope: PayloadScope, of message: Message, by adapter: Adapter, _ zone: DeviceZone
    ) -> ReadingOutcome {
        let device = adapter.device.text(in: scope)
        let channel = adapter.channel.text(in: scope)
        var adapter = self.adapter(adapter, for: device ?? "", channel)
        guard adapter.when.allSatisfy({ $0.holds(in: scope) }) else { return .passed("'when' does not hold") }
        guard adapter.unless.isEmpty || !adapter.unless.allSatisfy({ $0.holds(in: scope) }) else {
            return .passed("'unless' holds")
        }
        if adapter.isIgnored { return .passed("the device is ignored") }
        guard let device, !device.isEmpty else { return .refused("its device is missing") }
        guard adapter.counts else { return .alive(device: adapter.id(of: device, channel), isUp: true) }
        if adapter.needsZone, let zone = zone(Identifier(adapter.id(of: device, channel))) {
            adapter.rules.zone = zone
        }
        do throws(LineError) {
            return try adapter.reading(in: scope, of: message, from: device, channel)
        } catch {
            return .refused(error.why)
        }
    }
}

extension Adapter {
    package var stream: Stream { Stream(rules) }

    /// A topic or path that it is for, in which each part is its own name.
    package var examplePlace: String { places.first?.example ?? "" }

    /// Whether it asks what the local time is where the device counts.
    fileprivate var needsZone: Bool { !hasZone && (!time.isEmpty || span != nil || !rules.resets.isEmpty) }

    /// Whether a message without a body says something: that it was sent.
    fileprivate var takesEmpty: Bool { format == .plain && rules.mode == .event && !rules.hasEdge }

    func id(of device: String, _ channel: String?) -> String {
        "\(name):\(device)" + (channel.map { "/\($0)" } ?? "")
    }

    fileprivate func sign(in message: Message) throws(LineError) -> ReadingOutcome? {
        for topic in alive {
            guard let parts = topic.topic.parts(of: message.place) else { continue }
            let text = try PayloadFormat.text(message.body)
            if text.isEmpty { return .passed("it is empty") }
            let scope = PayloadScope(message: .text(text), parts: parts)
            let device = id(of: device.text(in: scope) ?? message.place, nil)
            if topic.up.contains(text) { return .alive(device: device, isUp: true) }
            if topic.down.contains(text) { return .alive(device: device, isUp: false) }
            return .refused("'\(text.prefix(40))' is neither up nor down")
        }
        return nil
    }

    fileprivate func reading(
        in scope: PayloadScope, of message: Message, from device: String, _ channel: String?
    ) throws(LineError) -> ReadingOutcome {
        let id = id(of: device, channel)
        guard DeviceIdRule.admits(id) else { throw LineError(why: "a device id \(DeviceIdRule.text)") }
        let isAtEdge = try isAtEdge(in: scope)
        let numbers = InOut(in: try number(`in`, "in", scope), out: try number(out, "out", scope))
        if numbers.known.isEmpty { return .passed("it says nothing of people") }
        if isAtEdge == nil, !edge.isEmpty { return .passed("it says nothing of the state") }
        let moment = try moment(time, "time", scope, message)
        let range = try range(moment, scope, message)
        let isUnset = (moment ?? range?.upperBound).map { $0 < ReadingTime.firstPlausible } ?? false
        var reading = Reading(
            stream: Identifier(id), numbers: numbers, time: isUnset ? nil : moment,
            receivedAt: message.receivedAt)
        (reading.range, reading.isClockUnset) = (range, isUnset)
        // Such a clock shows the same again after the next start.
        reading.key = isUnset ? nil : try key(in: scope)
        reading.sequence = try whole(sequence, "seq", scope)
        reading.uptime = try whole(uptime, "uptime", scope)
        (reading.isAtEdge, reading.isRetained) = (isAtEdge, message.isRetained)
        (reading.packet, reading.isRedelivered) = (message.packet, message.isRedelivered)
        return ReadingOutcome(device: id, words: "", reading: reading, adapter: self, isUp: true)
    }

    /// Whether the state is the one that counts; nil where nothing is said of it.
    private func isAtEdge(in scope: PayloadScope) throws(LineError) -> Bool? {
        guard !edge.isEmpty, edge.allSatisfy({ !$0.path.found(in: scope).isEmpty }) else { return nil }
        return edge.allSatisfy { $0.holds(in: scope) }
    }

    private func number(_ amount: Amount?, _ what: String, _ scope: PayloadScope) throws(LineError) -> Int? {
        switch amount {
        case nil: return nil
        case .add(let number, let conditions):
            return conditions.allSatisfy { $0.holds(in: scope) } ? number : nil
        case .path(let sources):
            let found = sources.firstFound(in: scope)
            guard found.count <= 1 else { throw LineError(why: "'\(what)' finds \(found.count) values") }
            guard let number = try whole(sources, what, scope) else { return nil }
            let most = rules.mode == .cumulative ? Reading.largest : 100_000
            guard number <= most else { throw LineError(why: "'\(what)' is \(number), more than \(most)") }
            return number
        }
    }

    /// A whole number of 0 or more, as a number or as a text.
    private func whole(_ sources: [PayloadSource], _ what: String, _ scope: PayloadScope) throws(LineError)
        -> Int?
    {
        guard let value = sources.firstFound(in: scope).first else { return nil }
        let text = value.scalar
        guard let text, let number = Int(text.hasSuffix(".0") ? String(text.dropLast(2)) : text), number >= 0
        else {
            let shown = text.map { "'\($0.prefix(40))'" } ?? "a list or an object"
            throw LineError(why: "'\(what)' is \(shown), no whole number of 0 or more")
        }
        return number
    }

    private func moment(
        _ sources: [PayloadSource], _ what: String, _ scope: PayloadScope, _ message: Message
    ) throws(LineError) -> Timestamp? {
        guard let value = sources.firstFound(in: scope).first else { return nil }
        let text = value.scalar ?? ""
        guard let moment = timeFormat.moment(text, in: rules.zone, near: message.receivedAt),
            Timestamp.journalTimes.contains(moment)
        else { throw LineError(why: "'\(what)' is '\(text.prefix(40))', no time") }
        return moment
    }

    private func range(
        _ time: Timestamp?, _ scope: PayloadScope, _ message: Message
    ) throws(LineError) -> Range<Timestamp>? {
        let start: Timestamp?, end: Timestamp?
        switch span {
        case nil: return nil
        case .range(let from, let to):
            (start, end) = (
                try moment(from, "range", scope, message), try moment(to, "range", scope, message)
            )
        case .period(let period):
            end = time ?? message.receivedAt
            start = end.map { $0 - period }
        }
        guard let start, let end else { throw LineError(why: "its range is missing") }
        guard start < end else { throw LineError(why: "its range ends before it begins") }
        return start..<end
    }

    private func key(in scope: PayloadScope) throws(LineError) -> String? {
        if key.isEmpty { return nil }
        let texts = key.map { [$0].text(in: scope) }
        guard texts.allSatisfy({ $0 != nil }) else { throw LineError(why: "a part of its key is missing") }
        let key = texts.compactMap(\.self).joined(separator: " ")
        guard key.utf8.count <= 500, !key.holdsControlCharacter else {
            throw LineError(why: "its key is longer than 500 bytes, or holds a control character")
        }
        return key
    }
}
