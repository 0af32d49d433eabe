package import Linux

/// A row to append, with what the transaction that appends it has to compute.
package struct Request: Hashable, Sendable {
    /// The row. Its position, its time of receipt and the levels before it are the transaction's, unless it has an origin.
    package var row: JournalRow
    package var work: Work
    package var order: Order

    /// What decides the row's place in the order.
    package enum Order: Hashable, Sendable {
        /// It is made now: after all that the journal holds.
        case now
        /// The same; it came without a time, which is that of its receipt, and is known again by its number.
        case atReceipt
        /// It happened at its `timestamp`, by a clock of its own; a line of a file is never before the line above it.
        case ownTime
        /// Its `orderedAt`.
        case given
    }

    package enum Work: Hashable, Sendable {
        case append
        /// The entry so many times, 1 or more, as one change: all of them are made, or none. For those by hand see
        /// `ManualChangeRule`.
        case times(Int)
        /// The difference that leads to this level, for a correction.
        case toLevel(Int)
        /// The voids of the entries of one press, at consecutive positions: of all that are not void, or of none.
        case voidPress(ClosedRange<Position>)
        /// The voids of the location's last change within a scope that is not void: a count, a whole hold, a correction, or a
        /// reset, since the last end of a day.
        case undo(UndoScope)
        /// The rows again that the last undo here has voided, unless something else was changed since.
        case redo(UndoScope)

        /// That of an entry, once or more often.
        package static func count(_ times: Int) -> Work { times == 1 ? .append : .times(times) }
    }

    /// The request for a row of another journal, or of a file.
    package init(_ row: JournalRow) {
        self.row = row
        work = .append
        order =
            switch row.origin {
            case .journal: .given
            case .line: .ownTime
            case nil: .now
            }
    }

    package init(
        locationId: Identifier?, userId: String? = nil, timestamp: Timestamp, _ content: RowContent,
        _ work: Work = .append, order: Order = .now
    ) {
        row = JournalRow(
            locationId: locationId, userId: userId, timestamp: timestamp, receivedAt: timestamp, content)
        (self.work, self.order) = (work, order)
    }
}

extension RowContent {
    /// A void for which the request's work says what it takes back.
    package static let voidByWork = RowContent.void(.start)
}

extension Correction.Amount {
    /// The correction by this amount, with what remains to be computed.
    package func correction(deviceId: Identifier, reason: String?) -> (RowContent, Request.Work) {
        switch self {
        case .by(let difference):
            (.correction(Correction(by: difference, deviceId: deviceId, reason: reason)), .append)
        case .to(let level):
            (.correction(Correction(by: 0, deviceId: deviceId, reason: reason)), .toLevel(level))
        }
    }
}

// MARK: - Undo

/// Which changes of a location an undo may void: those that were made here since its last end of a day.
///
/// | row | is within the scope |
/// |---|---|
/// | appended by this program | always (`own`) |
/// | by hand on the command line, by this user | always |
/// | by hand on a screen, by this user | up to `since`: before this program started |
/// | of a device whose keys this user's programs read | up to `since` |
/// | from a file or of another journal, another user's, another device's | never |
package struct UndoScope: Hashable, Sendable {
    package let userId: String
    /// The input devices whose keys this user's programs read.
    package let deviceIds: Set<Identifier>
    /// The last row before this program started. A command, which starts after all that it may undo, leaves it at the end.
    package let since: Position
    package let own: OwnRows

    package init(
        userId: String, deviceIds: Set<Identifier>, since: Position = Position(.max), own: OwnRows = OwnRows()
    ) {
        (self.userId, self.deviceIds, self.since, self.own) = (userId, deviceIds, since, own)
    }
}

/// The positions of the rows that a program has appended, as ranges: rows of one transaction are consecutive.
package struct OwnRows: Hashable, Sendable {
    /// Beyond this many ranges the oldest are forgotten, so that memory stays bounded (1 MiB) where several programs take
    /// turns.
    package static let most = 65_536

    /// Ascending, not adjacent.
    package private(set) var ranges: [ClosedRange<Int64>] = []

    package init() {}

    /// Adds rows. They are above all rows that were added before.
    package mutating func add(_ rows: ClosedRange<Int64>) {
        if let last = ranges.last, rows.lowerBound <= last.upperBound + 1 {
            ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, rows.upperBound)
            return
        }
        ranges.append(rows)
        // Half at once: removing the first element of an array moves all the others.
        if ranges.count > Self.most { ranges.removeFirst(Self.most / 2) }
    }
}

// MARK: - Answers

package enum Outcome: Hashable, Sendable {
    /// The request was appended; the position of its last row.
    case accepted(Position)
    /// A correction was appended at this position; the level before it and after it.
    case corrected(Position, from: Int, to: Int)
    /// The journal had the same row already, at this position; nothing has changed.
    case duplicate(Position)
    /// The request was appended. Another event had its sequence number, so the device has restarted its numbers.
    case acceptedInNewEpoch(Position, epoch: Int)
    /// A change was voided, the last one or one that was chosen; the position is that of the last void.
    case undone(Position, Undone)
    /// What an undo had voided was appended again; the position of the last row.
    case redone(Position, Undone)
    /// The location has no change within the undo's scope that is not void: none at all, or none since its last day ended.
    case nothingToUndo(since: Timestamp?)
    /// Since the last end of a day nothing was voided, or something was changed since.
    case nothingToRedo
    /// The row is void already, or the location has no such row at this position.
    case nothingToVoid
    /// The request was not appended; the commit's other requests were.
    case refused(Refusal)

    /// Whether it has changed the journal.
    package var isAccepted: Bool {
        switch self {
        case .accepted, .corrected, .acceptedInNewEpoch, .undone, .redone: true
        case .duplicate, .nothingToUndo, .nothingToRedo, .nothingToVoid, .refused: false
        }
    }
}

/// A change that was voided, or appended again.
package struct Undone: Hashable, Sendable {
    package let change: Change
    /// When the change counted; of a hold its last count.
    package let time: Timestamp

    package enum Change: Hashable, Sendable {
        /// A count, or all counts of a hold: 1 or more entries.
        case entries(type: EntryType, count: Int)
        /// A correction that had moved the level by a difference.
        case correction(difference: Int)
        /// A reset that had set the level to a value.
        case reset(value: Int)
        case endOfDay
        /// What had mended the times of rows.
        case clock

        var rowCount: Int { if case .entries(_, let count) = self { count } else { 1 } }
    }

    package init(_ change: Change, at time: Timestamp) { (self.change, self.time) = (change, time) }
}

package struct Receipt: Hashable, Sendable {
    package let request: Request
    package let outcome: Outcome
    /// The level of the location right after the request; 0 where there is no such location.
    package let level: Int

    package init(_ request: Request, _ outcome: Outcome, level: Int) {
        (self.request, self.outcome, self.level) = (request, outcome, level)
    }

    /// How many entries the request makes, where it makes any.
    package var count: Int {
        if case .times(let count) = request.work { count } else { 1 }
    }

    /// The positions of the counts, corrections and resets that it has appended; nil where it has appended none.
    package var rows: ClosedRange<Int64>? {
        switch (outcome, request.row.content) {
        case (.accepted(let last), .entry): last.number - Int64(count) + 1...last.number
        case (.acceptedInNewEpoch(let last, _), .entry), (.accepted(let last), .reset),
            (.accepted(let last), .endOfDay), (.corrected(let last, _, _), _):
            last.number...last.number
        case (.redone(let last, let redone), _): last.number - Int64(redone.change.rowCount) + 1...last.number
        case (.accepted, _), (.acceptedInNewEpoch, _), (.duplicate, _), (.undone, _), (.nothingToUndo, _),
            (.nothingToRedo, _), (.nothingToVoid, _), (.refused, _):
            nil
        }
    }

    /// The count that a location shows right after the request, never below 0 in an occupancy; nil where the request did not
    /// change it.
    package func newCount(of location: Location) -> Int? {
        request.row.locationId == location.id && outcome.isAccepted ? location.count(of: level) : nil
    }
}

// MARK: - Refusals

package enum Refusal: Hashable, Sendable {
    /// The level would leave the range of `Int`.
    case overflow
    /// There is no location with the request's id.
    case unknownLocation
    /// The location has a capacity: entries and End Day change its level, a reset may not.
    case resetOfOccupancy
    /// Changes by hand may not exceed the location's capacity; `room` more fit in, 0 or more.
    case full(room: Int)
    /// Changes by hand may not bring an occupancy below 0; `inside` are inside, 0 or more.
    case empty(inside: Int)
    /// The level is already what a correction would set it to.
    case sameLevel
    /// The difference of a correction is larger than `Correction.largest`.
    case tooLarge
    case invalidSetting
    /// Another row has this identity, or an expected row is missing: one of the two journals was restored to an older state.
    case otherHistory
}

extension Refusal {
    /// Why, in a clause that a remedy or a consequence can follow. `name` is the location's where the reader does not know it.
    package func reason(at name: String? = nil) -> String {
        let location = name.map { "'\($0)'" } ?? "the location"
        let inside = name.map { "inside '\($0)'" } ?? "inside"
        return switch self {
        case .overflow: "the count can go no further"
        case .unknownLocation: "\(location) is gone"
        case .resetOfOccupancy: "\(location) has a capacity and cannot be reset"
        case .full(room: 0): "\(location) is full"
        case .full(let room): "\(location) has room for \(room) only"
        case .empty(inside: 0): "nobody is \(inside)"
        case .empty(let count): "only \(count) are \(inside)"
        case .sameLevel: "the count is that already"
        case .tooLarge: "a correction is \(Correction.range), up or down"
        case .invalidSetting: "no location can have this setting"
        case .otherHistory: "another row has its place: one of the journals was set back to an older state"
        }
    }
}

// MARK: - What a row does to the level

extension RowContent {
    /// By how much it moves the level; 0 where it sets it.
    package var difference: Int {
        switch self {
        case .entry(let entry): entry.type.delta
        case .correction(let correction): correction.difference
        default: 0
        }
    }

    package func level(from level: Int) -> Int {
        switch self {
        case .reset(let reset): reset.value
        case .endOfDay: 0
        default: level + difference
        }
    }
}
