import Linux

/// A `timerEvent` row of the journal.
package struct TimerRow: Hashable, Sendable {
    /// Its position.
    package let position: Position
    /// When it happened, by the wall clock of then.
    package let timestamp: Timestamp
    /// Who did it; nil where that is unknown.
    package let userId: String?
    /// What happened.
    package let content: TimerRowContent
    /// The journal that it was taken over from, as a number of the repository's; nil for the repository's own rows. Only rows of
    /// one journal have an order and a clock in common.
    package let journal: Int64?

    /// Creates a row.
    package init(
        position: Position, timestamp: Timestamp, userId: String?, content: TimerRowContent,
        journal: Int64? = nil
    ) {
        self.position = position
        self.timestamp = timestamp
        self.userId = userId
        self.content = content
        self.journal = journal
    }
}

/// What a `timerEvent` row holds, as one line of text:
/// `event=started&id=3f2504e0-…&seconds=300&mode=sound&end=discard&label=Robins&clock=BOOT:OFFSET`.
///
/// Names that a reader does not know are for later versions.
package struct TimerRowContent: Hashable, Sendable {
    /// In bytes of UTF-8.
    package static let longest = 16_384

    /// What happened.
    package let event: TimerEvent
    /// The clocks of the machine on which it happened; nil where they are unknown.
    package let clock: ClockReference?

    /// Creates a content.
    package init(_ event: TimerEvent, clock: ClockReference?) {
        self.event = event
        self.clock = clock
    }

    /// Whether a text may be the content of a row.
    package static func admits(_ text: String) -> Bool { TimerRowContent(text: text) != nil }
}

extension TimerRowContent {
    fileprivate enum Word: String {
        case started, paused, resumed, stopped, acknowledged, removed, extended, clockSet, presetSaved,
            presetHidden, presetRestored
    }

    /// Reads a content as `text` writes it.
    ///
    /// - returns: nil where a value is missing or out of its range.
    package init?(text: String) {
        guard text.utf8.count <= Self.longest, let query = QueryText(text),
            let word = query["event"].flatMap(Word.init(rawValue:)),
            let event = Self.event(word, query)
        else { return nil }
        self.init(event, clock: query["clock"].flatMap(ClockReference.init(text:)))
    }

    /// The word for what happened: `started`, `paused`, `presetSaved`.
    package var word: String? { QueryText(text)?["event"] }

    /// The content on one line, without control characters.
    package var text: String {
        var query = QueryText()
        switch event {
        case .started(let id, let setup, let presetId, let replacing):
            query.add(.started, id)
            query.add("preset", presetId?.description)
            query.add("replaces", replacing?.description)
            query.add(setup)
        case .paused(let id): query.add(.paused, id)
        case .resumed(let id): query.add(.resumed, id)
        case .stopped(let id): query.add(.stopped, id)
        case .acknowledged(let id): query.add(.acknowledged, id)
        case .removed(let id): query.add(.removed, id)
        case .extended(let id, let seconds):
            query.add(.extended, id)
            query.add("seconds", String(seconds))
        case .clockSet: query.add("event", Word.clockSet.rawValue)
        case .presetSaved(let id, let setup):
            query.add(.presetSaved, id)
            query.add(setup)
        case .presetHidden(let id): query.add(.presetHidden, id)
        case .presetRestored(let id): query.add(.presetRestored, id)
        }
        query.add("clock", clock?.text)
        return query.text
    }

    private static func event(_ word: Word, _ query: QueryText) -> TimerEvent? {
        if word == .clockSet { return .clockSet }
        guard let id = query["id"].flatMap(UniqueId.init(_:)) else { return nil }
        switch word {
        case .started:
            return TimerSetup(query).map {
                .started(
                    id, $0, presetId: query["preset"].flatMap(UniqueId.init(_:)),
                    replacing: query["replaces"].flatMap(UniqueId.init(_:)))
            }
        case .paused: return .paused(id)
        case .resumed: return .resumed(id)
        case .stopped: return .stopped(id)
        case .acknowledged: return .acknowledged(id)
        case .removed: return .removed(id)
        case .extended:
            return query["seconds"].flatMap { Int($0) }.flatMap {
                TimerDuration.admits($0) ? .extended(id, seconds: $0) : nil
            }
        case .clockSet: return .clockSet
        case .presetSaved: return TimerSetup(query).map { .presetSaved(id, $0) }
        case .presetHidden: return .presetHidden(id)
        case .presetRestored: return .presetRestored(id)
        }
    }
}

extension QueryText {
    fileprivate mutating func add(_ word: TimerRowContent.Word, _ id: UniqueId) {
        add("event", word.rawValue)
        add("id", id.description)
    }

    fileprivate mutating func add(_ setup: TimerSetup) {
        add("seconds", String(setup.seconds))
        add("mode", setup.mode.rawValue)
        add("end", setup.endAction.rawValue)
        for location in setup.locations.ids { add("location", location.text) }
        add("rounds", setup.rounds, unless: 1)
        add("pause", setup.pauseSeconds, unless: 0)
        add("leadIn", setup.leadInSeconds, unless: 0)
        add("lastMinute", setup.announcesLastMinute ? "true" : nil)
        add("urgent", setup.isUrgent ? "true" : nil)
        add("volume", setup.volume, unless: TimerSetup.fullVolume)
        add("label", setup.label.isEmpty ? nil : setup.label)
    }

    fileprivate func number(_ name: String, else usual: Int) -> Int? {
        self[name].map { Int($0) } ?? usual
    }
}

extension TimerSetup {
    fileprivate init?(_ query: QueryText) {
        let locations = query.values("location").map { Identifier($0) }
        guard let seconds = query["seconds"].flatMap({ Int($0) }),
            let mode = query["mode"].flatMap(AlarmMode.init(rawValue:)),
            let endAction = query["end"].flatMap(EndAction.init(rawValue:)),
            let rounds = query.number("rounds", else: 1), let pause = query.number("pause", else: 0),
            let leadIn = query.number("leadIn", else: 0),
            let volume = query.number("volume", else: Self.fullVolume)
        else { return nil }
        self.init(
            label: query["label"] ?? "", seconds: seconds, mode: mode, endAction: endAction,
            locations: locations.isEmpty ? .all : .some(locations), rounds: rounds, pauseSeconds: pause,
            leadInSeconds: leadIn, announcesLastMinute: query["lastMinute"] == "true",
            isUrgent: query["urgent"] == "true", volume: volume)
        guard isValid else { return nil }
    }
}

extension ClockReference {
    fileprivate var text: String { "\(bootId):\(offset)" }

    fileprivate init?(text: String) {
        guard let colon = text.lastIndex(of: ":"), let offset = Int64(text[text.index(after: colon)...])
        else {
            return nil
        }
        self.init(bootId: String(text[..<colon]), offset: offset)
    }
}
