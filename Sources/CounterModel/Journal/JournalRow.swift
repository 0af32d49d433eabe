package import Linux

/// A row of the journal: what a key makes, the disk keeps, the feed and the files hold, and History shows.
package struct JournalRow: Identifiable, Hashable, Sendable {
    /// Its position in the journal that holds it, or that has sent it; `.start` before it is appended.
    package var id: Position
    /// Where it was first written down; nil for a row that this journal wrote itself.
    package var origin: RowOrigin?
    /// nil where it is of no location: a device is named, or counts where it is plugged in; a journal has a name.
    package var locationId: Identifier?
    /// Who did it; nil for a device, and where that is unknown.
    package var userId: String?
    /// When it happened, by the reporter's clock.
    package var timestamp: Timestamp
    /// When the journal that wrote it first received it, by the clock of its machine.
    package var receivedAt: Timestamp
    /// Its place in the order in which rows count, which the journal that wrote it has decided. Rows with the same one are ordered
    /// by their identities.
    package var orderedAt: Timestamp
    package var content: RowContent

    package init(
        id: Position = .start, origin: RowOrigin? = nil, locationId: Identifier?, userId: String? = nil,
        timestamp: Timestamp, receivedAt: Timestamp, orderedAt: Timestamp? = nil, _ content: RowContent
    ) {
        (self.id, self.origin, self.locationId, self.userId) = (id, origin, locationId, userId)
        (self.timestamp, self.receivedAt, self.content) = (timestamp, receivedAt, content)
        self.orderedAt = orderedAt ?? timestamp.counted(receivedAt: receivedAt)
    }

    package var isTakenOver: Bool { if case .journal = origin { true } else { false } }

    /// When it counts: `timestamp`, or `receivedAt` where `timestamp` is later.
    package var countedAt: Timestamp { timestamp.counted(receivedAt: receivedAt) }
}

/// What a row says. What makes the rare ones large is kept beside them, since every row is copied on its way.
package enum RowContent: Hashable, Sendable {
    case entry(Entry)
    indirect case correction(Correction)
    /// Takes a row back, by its position in a journal: this one, or another one by its id.
    case void(Position, of: String? = nil)
    case reset(Reset)
    /// Ends the operational day: its figures are archived, and the level becomes 0. `levelBefore` is that of this journal.
    indirect case endOfDay(DaySnapshot, levelBefore: Int = 0)
    case setting(LocationSetting)
    /// Something happened to a timer or a preset; `TimerRowContent` reads what. It moves no level.
    case timerEvent(String)
    /// Mends the times of rows of its location that a wrong clock has given.
    case clock(ClockMend)
    /// A location is added, with the name and the zone that it has until settings change them. Of several, the last in the order holds.
    case location(name: String, timezone: String)
    case device(Identifier, DeviceSetting)
    /// The name of the journal that wrote the row first.
    case journal(name: String)
    /// The journal that wrote the row shares the location from here on, or no longer.
    case sharing(LocationSharing)
    /// What a counter of people has told, by which its next reading is judged; the text is the adapter's. It moves no level.
    case reading(Identifier, text: String)
    /// What a later version has written in another journal. It counts nothing here, and is passed on as it is.
    case unknown(UnknownContent)

    /// What it is to its reader: the end of a day of a file, which is a correction, is an end of a day.
    package var shown: RowContent {
        guard case .correction(let correction) = self, let day = correction.endedDay else { return self }
        return .endOfDay(day, levelBefore: day.finalLevel)
    }

    /// The device that reported it, or where it was typed; nil where there is none.
    package var deviceId: Identifier? {
        switch self {
        case .entry(let entry): entry.deviceId
        case .correction(let correction): correction.deviceId
        case .reset(let reset): reset.deviceId
        case .device(let id, _), .reading(let id, _): id
        default: nil
        }
    }
}

/// The kinds of rows, with the numbers that they have in a journal.
package enum RowKind: Int64, CaseIterable, CustomStringConvertible, Sendable {
    case entry = 1, void, reset, setting, correction, timerEvent, clock
    case location = 21, device, journal
    case sharing = 11, unknown, reading

    /// The number, as statements of SQL have it.
    package var description: String { String(rawValue) }

    /// The word in the table `kind`, and in JSON.
    package var name: String {
        switch self {
        case .entry: "entry"
        case .void: "void"
        case .reset: "reset"
        case .setting: "setting"
        case .correction: "correction"
        case .timerEvent: "timerEvent"
        case .clock: "clock"
        case .location: "location"
        case .device: "device"
        case .journal: "journal"
        case .sharing: "sharing"
        case .unknown: "unknown"
        case .reading: "reading"
        }
    }
}

extension RowContent {
    /// An end of a day is a reset with a snapshot.
    package var kind: RowKind {
        switch self {
        case .entry: .entry
        case .correction: .correction
        case .void: .void
        case .reset, .endOfDay: .reset
        case .setting: .setting
        case .timerEvent: .timerEvent
        case .clock: .clock
        case .location: .location
        case .device: .device
        case .journal: .journal
        case .sharing: .sharing
        case .unknown: .unknown
        case .reading: .reading
        }
    }
}

/// One count: one in or one out.
package struct Entry: Hashable, Sendable {
    package var type: EntryType
    /// An unknown device is added to the journal's devices.
    package var deviceId: Identifier
    package var source: EventSource
    /// The device's own number for it, any `Int`, where the device numbers its events. An event with the same number and the same
    /// content is a duplicate.
    package var sequenceNumber: Int?
    /// Whether it is a repeat of the same hold as this device's previous entry.
    package var continuesHold: Bool
    /// Why, for a count by hand.
    package var reason: String?

    package init(
        _ type: EntryType, deviceId: Identifier, source: EventSource, sequenceNumber: Int? = nil,
        continuesHold: Bool = false, reason: String? = nil
    ) {
        (self.type, self.deviceId, self.source, self.reason) = (type, deviceId, source, reason)
        (self.sequenceNumber, self.continuesHold) = (sequenceNumber, continuesHold)
    }
}

package enum EntryType: String, Sendable, CaseIterable {
    case `in`, out

    package var delta: Int { self == .in ? 1 : -1 }

    package init?(delta: Int) {
        guard let type = Self.allCases.first(where: { $0.delta == delta }) else { return nil }
        self = type
    }
}

package enum EventSource: String, Sendable, CaseIterable {
    /// A device: a volume key, a remote, a door counter.
    case hardware
    /// A person, by hand: a key of the terminal, a subcommand.
    case manual
    case `import`
}

/// A level set to an absolute value.
package struct Reset: Hashable, Sendable {
    /// The level from here on; any `Int`.
    package var value: Int
    /// The device whose keys requested it; nil where no device did.
    package var deviceId: Identifier?
    /// The level before it. The transaction that appends it sets it.
    package var levelBefore: Int

    package init(to value: Int, deviceId: Identifier? = nil, levelBefore: Int = 0) {
        (self.value, self.deviceId, self.levelBefore) = (value, deviceId, levelBefore)
    }
}

// MARK: - Sharing

/// Whether a journal shares a location with others, by the location's id for the world.
package struct LocationSharing: Hashable, Sendable {
    /// 128 random bits, the same in every journal that has the location.
    package var worldId: String
    package var isShared: Bool
    /// The machine from which it was joined; nil where it was shared first.
    package var machine: String?

    package init(worldId: String, isShared: Bool = true, machine: String? = nil) {
        (self.worldId, self.isShared, self.machine) = (worldId, isShared, machine)
    }

    package var words: String {
        isShared ? machine.map { "joined from \($0)" } ?? "shared" : "no longer shared"
    }
}

/// A row's `type`, and the members of its JSON object that not every row has.
package struct UnknownContent: Hashable, Sendable {
    package let type: String
    /// As they were sent, `"name":value` each.
    package let members: [String]

    package init(type: String, members: [String]) { (self.type, self.members) = (type, members) }

    package var words: String { "'\(type)', of a later version" }
}

// MARK: - Corrections

/// A level moved by a difference, though nobody came or went.
package struct Correction: Hashable, Sendable {
    /// The largest difference of one correction, up or down. Sums over a minute of such rows stay within `Int64`.
    package static let largest = 1_000_000_000
    package static let range = "1 to 1,000,000,000"

    /// Not 0, unless it ends a day, and at most ``largest``.
    package var difference: Int
    /// Where it was entered: `Devices.terminal` or `Devices.commandLine`; of an imported line any id.
    package var deviceId: Identifier
    /// Why; see `ReasonRule`. nil only for a row of an earlier version, or of a file, that has none.
    package var reason: String?
    /// The level before it, set by the transaction that appends it; nil in a row of an earlier version.
    package var levelBefore: Int?
    /// The day of a file that it ends: it takes off what the file's counts of that day have left over.
    package var endedDay: DaySnapshot?

    package init(
        by difference: Int, deviceId: Identifier, reason: String?, levelBefore: Int? = nil,
        endedDay: DaySnapshot? = nil
    ) {
        (self.difference, self.deviceId, self.reason) = (difference, deviceId, reason)
        (self.levelBefore, self.endedDay) = (levelBefore, endedDay)
    }

    package var levelAfter: Int? {
        levelBefore.flatMap { level in
            let (sum, overflow) = level.addingReportingOverflow(difference)
            return overflow ? nil : sum
        }
    }

    /// The levels before and after it, `50 → 45`; where they are not known the difference, `+3`. `arrow` stands for the arrow
    /// where that cannot be shown.
    package func words(arrow: String = "→") -> String {
        guard let levelBefore, let levelAfter else {
            return difference > 0 ? "+\(difference)" : "\(difference)"
        }
        return "\(levelBefore) \(arrow) \(levelAfter)"
    }

    package static func admits(_ difference: Int) -> Bool {
        difference != 0 && -largest...largest ~= difference
    }

    package var isAdmitted: Bool { Self.admits(difference) || endedDay != nil && difference == 0 }

    package enum Amount: Hashable, Sendable {
        /// This difference, not 0.
        case by(Int)
        /// What leads to this level. The transaction that appends the row computes the difference.
        case to(Int)

        /// Reads `+3`, `-3`, `=45` or `=-45`; nil for another text, and for a difference that no correction has.
        package init?(_ text: some StringProtocol) {
            let digits = text.dropFirst()
            guard let sign = text.first, let first = digits.utf8.first, let number = Int(digits) else {
                return nil
            }
            let isPlain = UInt8(ascii: "0")...UInt8(ascii: "9") ~= first
            switch sign {
            case "+" where isPlain && Correction.admits(number): self = .by(number)
            case "-" where isPlain && Correction.admits(number): self = .by(-number)
            case "=" where isPlain || first == UInt8(ascii: "-"): self = .to(number)
            default: return nil
            }
        }
    }
}

// MARK: - Ended days

/// The totals of an operational day, archived at its end.
package struct DaySnapshot: Hashable, Sendable {
    /// Where it begins: the End Day before it, or the start of the operational day.
    package let from: Timestamp
    package let to: Timestamp
    /// The level at the end, before the reset to 0.
    package let finalLevel: Int
    /// The entries in and out, without corrections.
    package let totalIn, totalOut: Int
    /// The hour with the most entries in, the earliest of several; nil where there were none.
    package let peakHour: PeakHour?
    package let highestLevel: Int
    /// The average level, weighted by time; nil where no time has passed.
    package let averageOccupancy: Double?
    /// Whether it ended by itself, at the start of the next operational day.
    package let isAutomatic: Bool

    package struct PeakHour: Hashable, Sendable {
        package let start: Timestamp
        /// The number of entries in, 1 or more.
        package let totalIn: Int

        package init(start: Timestamp, totalIn: Int) { (self.start, self.totalIn) = (start, totalIn) }
    }

    package init(
        from: Timestamp, to: Timestamp, finalLevel: Int, totalIn: Int, totalOut: Int, peakHour: PeakHour?,
        highestLevel: Int, averageOccupancy: Double?, isAutomatic: Bool = false
    ) {
        (self.from, self.to, self.finalLevel, self.isAutomatic) = (from, to, finalLevel, isAutomatic)
        (self.totalIn, self.totalOut, self.peakHour) = (totalIn, totalOut, peakHour)
        (self.highestLevel, self.averageOccupancy) = (highestLevel, averageOccupancy)
    }
}

/// A day that has ended, as the journal stores it.
package struct EndedDay: Identifiable, Hashable, Sendable {
    /// The position of the reset that ended it.
    package let id: Position
    /// The user who ended it; nil where it ended by itself, or the user is unknown.
    package let userId: String?
    package let snapshot: DaySnapshot

    package init(id: Position, userId: String?, snapshot: DaySnapshot) {
        (self.id, self.userId, self.snapshot) = (id, userId, snapshot)
    }
}

// MARK: - Identity

/// A row, the same in every journal that has it: the journal that it was first appended to, and its position there.
package struct RowIdentity: Hashable, Sendable {
    package let journalId: String
    package let position: Position

    package init(journalId: String, position: Position) {
        (self.journalId, self.position) = (journalId, position)
    }

    /// As one word: `JOURNAL:POSITION`.
    package var text: String { "\(journalId):\(position.number)" }

    package init?(text: String) {
        guard let colon = text.lastIndex(of: ":"), colon > text.startIndex,
            let position = Int64(text[text.index(after: colon)...]), position > 0
        else { return nil }
        self.init(journalId: String(text[..<colon]), position: Position(position))
    }
}

/// Where a row comes from that a journal did not write itself. A journal stores what has the same origin once.
package enum RowOrigin: Hashable, Sendable {
    /// A line of a file. It counts as received when it is imported.
    case line(ImportLine)
    /// A row of another journal, taken over as it is.
    case journal(RowIdentity)

    /// The line by which it is stored; a row of another journal has a line too.
    package var line: ImportLine {
        switch self {
        case .line(let line): line
        case .journal(let identity): ImportLine(identity)
        }
    }

    /// The row of another journal that it is; a line may name one.
    package var identity: RowIdentity? {
        switch self {
        case .line(let line): line.identity
        case .journal(let identity): identity
        }
    }
}

/// The same line of the same file is the same event.
package struct ImportLine: Hashable, Sendable {
    /// A hash of the whole file's content, in any fixed spelling.
    package let fileHash: String
    /// The number of the line, from 1.
    package let number: Int

    package init(fileHash: String, number: Int) { (self.fileHash, self.number) = (fileHash, number) }

    /// One of the rows of a line that stands for several; the first, part 0, is the line's own.
    package init(fileHash: String, number: Int, part: Int) {
        self.init(fileHash: fileHash, number: number + part << 32)
    }

    package static let journalPrefix = "journal:"

    /// The line that stands for a row of a journal.
    package init(_ row: RowIdentity) {
        self.init(fileHash: Self.journalPrefix + row.journalId, number: Int(row.position.number))
    }

    /// The row that it stands for; nil if it is a line of a file.
    package var identity: RowIdentity? {
        guard fileHash.hasPrefix(Self.journalPrefix) else { return nil }
        return RowIdentity(
            journalId: String(fileHash.dropFirst(Self.journalPrefix.count)), position: Position(Int64(number))
        )
    }
}
