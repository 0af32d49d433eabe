package import Linux

/// What happened to a timer or a preset: the content of a `timerEvent` row of the journal.
package enum TimerEvent: Hashable, Sendable {
    /// A timer began. It takes the place of the timer `replacing` in the list, where it is that one, started again.
    case started(UniqueId, TimerSetup, presetId: UniqueId? = nil, replacing: UniqueId? = nil)
    /// A user did something with it. To start it again is the start of another one.
    case action(UniqueId, TimerAction)
    /// The present part of it became longer, by seconds.
    case extended(UniqueId, seconds: Int)
    /// A program noticed that the wall clock was set. The row's `ClockReference` says by how much.
    case clockSet
    /// A preset is new, or was edited.
    case presetSaved(UniqueId, TimerSetup)
    case presetHidden(UniqueId)
    case presetRestored(UniqueId)

    /// What was asked for, of an event that begins a timer or saves a preset.
    package var setup: TimerSetup? {
        switch self {
        case .started(_, let setup, _, _), .presetSaved(_, let setup): setup
        case .action, .extended, .clockSet, .presetHidden, .presetRestored: nil
        }
    }

    /// Has a timer of another journal count in the location that its rows are of here: the other one may call it by another id.
    package mutating func comes(to location: Identifier) {
        guard case .started(let id, var setup, let presetId, let replacing) = self,
            let first = setup.locations.ids.first, first != location
        else { return }
        setup.locations = .some([location])
        self = .started(id, setup, presetId: presetId, replacing: replacing)
    }

    /// The timer that it is about; nil for presets and clocks.
    package var timerId: UniqueId? {
        switch self {
        case .started(let id, _, _, _), .action(let id, _), .extended(let id, _): id
        case .clockSet, .presetSaved, .presetHidden, .presetRestored: nil
        }
    }

    fileprivate var presetId: UniqueId? {
        switch self {
        case .presetSaved(let id, _), .presetHidden(let id), .presetRestored(let id): id
        case .started, .action, .extended, .clockSet: nil
        }
    }

    /// What happened, as rows and the feed name it.
    package var word: String {
        switch self {
        case .started: "started"
        case .action(_, let action): action.words
        case .extended: "extended"
        case .clockSet: "clockSet"
        case .presetSaved: "presetSaved"
        case .presetHidden: "presetHidden"
        case .presetRestored: "presetRestored"
        }
    }
}

package struct TimerRow: Hashable, Sendable {
    package let position: Position
    /// When it happened, by the wall clock of then.
    package let timestamp: Timestamp
    /// Who did it; nil where that is unknown.
    package let userId: String?
    package let content: TimerRowContent
    /// The journal that it was taken over from, as a number of the repository's; nil for the repository's own rows. Only rows of
    /// one journal have an order and a clock in common.
    package let journal: Int64?

    package init(
        position: Position, timestamp: Timestamp, userId: String?, content: TimerRowContent,
        journal: Int64? = nil
    ) {
        (self.position, self.timestamp, self.userId) = (position, timestamp, userId)
        (self.content, self.journal) = (content, journal)
    }
}

/// What a `timerEvent` row holds, as one line of text:
/// `event=started&id=3f2504e0-…&seconds=300&mode=sound&end=discard&label=Robins&clock=BOOT:OFFSET`. Names that a reader does not
/// know are for later versions.
package struct TimerRowContent: Hashable, Sendable {
    /// In bytes of UTF-8.
    package static let longest = 16_384

    package var event: TimerEvent
    /// The clocks of the machine on which it happened; nil where they are unknown.
    package let clock: ClockReference?

    package init(_ event: TimerEvent, clock: ClockReference?) { (self.event, self.clock) = (event, clock) }

    /// Reads a content as `text` writes it; nil where a value is missing or out of its range.
    package init?(text: String) {
        guard text.utf8.count <= Self.longest, let fields = TimerFields(text), let event = TimerEvent(fields)
        else { return nil }
        self.init(event, clock: fields["clock"].flatMap(ClockReference.init(text:)))
    }

    /// The content on one line, without control characters.
    package var text: String {
        var fields = TimerFields()
        event.write(to: &fields)
        fields.add("clock", clock?.text)
        return fields.text
    }

    package static func admits(_ text: String) -> Bool { TimerRowContent(text: text) != nil }
}

// MARK: - Coding

extension TimerEvent {
    fileprivate func write(to fields: inout TimerFields) {
        fields.add("event", word)
        fields.add("id", (timerId ?? presetId)?.description)
        switch self {
        case .started(_, let setup, let presetId, let replacing):
            fields.add("preset", presetId?.description)
            fields.add("replaces", replacing?.description)
            setup.write(to: &fields)
        case .presetSaved(_, let setup): setup.write(to: &fields)
        case .extended(_, let seconds): fields.add("seconds", String(seconds))
        case .action, .clockSet, .presetHidden, .presetRestored: break
        }
    }

    fileprivate init?(_ fields: TimerFields) {
        if fields["event"] == "clockSet" {
            self = .clockSet
            return
        }
        guard let word = fields["event"], let id = fields.id("id") else { return nil }
        let event: TimerEvent?
        switch word {
        case "started":
            event = TimerSetup(fields).map {
                .started(id, $0, presetId: fields.id("preset"), replacing: fields.id("replaces"))
            }
        case "extended":
            let seconds = fields["seconds"].flatMap { Int($0) } ?? 0
            event = TimerDuration.admits(seconds) ? .extended(id, seconds: seconds) : nil
        case "presetSaved": event = TimerSetup(fields).map { .presetSaved(id, $0) }
        case "presetHidden": event = .presetHidden(id)
        case "presetRestored": event = .presetRestored(id)
        default:
            let action = TimerAction.allCases.first { $0 != .again && $0.words == word }
            event = action.map { .action(id, $0) }
        }
        guard let event else { return nil }
        self = event
    }
}

extension TimerSetup {
    fileprivate func write(to fields: inout TimerFields) {
        for option in TimerOption.all { option.texts(self).forEach { fields.add(option.rowName, $0) } }
    }

    fileprivate init?(_ fields: TimerFields) {
        self.init(seconds: 0)
        for option in TimerOption.all {
            guard option.take(&self, fields.values(option.rowName)) else { return nil }
        }
        guard isValid else { return nil }
    }
}

extension ClockReference {
    fileprivate var text: String { "\(bootId):\(offset)" }

    fileprivate init?(text: String) {
        guard let colon = text.lastIndex(of: ":"), let offset = Int64(text[text.index(after: colon)...])
        else { return nil }
        self.init(bootId: String(text[..<colon]), offset: offset)
    }
}

/// Pairs of names and values as one line of text: `name=value&name=value`, as in the query of a URL (RFC 3986, with
/// percent-encoded bytes). Several pairs may have the same name.
private struct TimerFields {
    private var pairs: [(name: String, value: String)] = []

    init() {}

    /// Reads a line; nil where a pair has no `=`, or an encoded byte is none.
    init?(_ text: String) {
        for part in text.split(separator: "&") {
            guard let sign = part.firstIndex(of: "="), let name = String(percentEncoded: part[..<sign]),
                let value = String(percentEncoded: part[part.index(after: sign)...])
            else { return nil }
            pairs.append((name, value))
        }
    }

    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    func values(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    func id(_ name: String) -> UniqueId? { self[name].flatMap(UniqueId.init(_:)) }

    mutating func add(_ name: String, _ value: String?) {
        if let value { pairs.append((name, value)) }
    }

    /// The colon is not reserved within a query.
    var text: String {
        pairs.map { [$0.name, $0.value].map { $0.percentEncoded(besides: "-._~:") }.joined(separator: "=") }
            .joined(separator: "&")
    }
}
