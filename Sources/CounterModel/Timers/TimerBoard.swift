/// All timers and presets of a journal: the fold of its `timerEvent` rows.
package struct TimerBoard: Sendable {
    /// All timers that ever were, in the order of their starts.
    package private(set) var all: [TimerData] = []
    /// All presets, hidden ones too, in the order in which they were first saved.
    package private(set) var allPresets: [TimerPreset] = []
    /// The last row that was applied, by its position; `.start` before the first.
    package private(set) var position = Position.start
    private var timerIndex: [UniqueId: Int] = [:]
    private var presetIndex: [UniqueId: Int] = [:]
    /// The timers that may still be in the list.
    private var open: [Int] = []
    private var clocks: [Int64?: Clock] = [:]

    /// The clock of the machine on which a journal is written to.
    private struct Clock {
        var reference: ClockReference?
        /// When it was last set.
        var setting = Position.start
    }

    package init() {}

    /// Applies a row. Rows come in their order; one that does not fit what is there changes nothing.
    package mutating func apply(_ row: TimerRow) {
        position = max(position, row.position)
        let now = row.timestamp
        let setting = followClock(row)
        switch row.content.event {
        case .started(let id, let setup, let presetId, let replacing):
            start(setup, id: id, presetId: presetId, replacing: replacing, row, after: setting)
        case .clockSet: break
        case .presetSaved(let id, let setup): save(setup, id: id, at: now)
        case .presetHidden(let id):
            if let index = presetIndex[id] { allPresets[index].isHiddenInList = true }
        case .presetRestored(let id): restore(id)
        case .action(let id, _), .extended(let id, _):
            if let index = timerIndex[id] { all[index].apply(row, after: setting) }
        }
    }

    /// Tells the timers if the clock was set since the row before, and returns the last setting.
    private mutating func followClock(_ row: TimerRow) -> Position {
        var clock = clocks[row.journal] ?? Clock()
        let shift = row.content.clock?.shift(since: clock.reference)
        if row.content.clock != nil { clock.reference = row.content.clock }
        if shift != nil || row.content.event == .clockSet {
            clock.setting = row.position
            let setting = ClockSetting(position: row.position, begin: row.timestamp, journal: row.journal)
            for index in all.indices { all[index].follow(setting, shift: shift) }
        }
        clocks[row.journal] = clock
        return clock.setting
    }

    private mutating func start(
        _ setup: TimerSetup, id: UniqueId, presetId: UniqueId?, replacing: UniqueId?, _ row: TimerRow,
        after setting: Position
    ) {
        guard timerIndex[id] == nil else { return }
        let now = row.timestamp
        let replaced = replacing.flatMap { timerIndex[$0] }
        if let replaced { all[replaced].beReplaced(at: now) }
        open.removeAll { !all[$0].isListed(at: now) }
        let taken = open.map { all[$0].number }
        let wanted = replaced.map { all[$0].number }.flatMap { taken.contains($0) ? nil : $0 }
        timerIndex[id] = all.count
        open.append(all.count)
        all.append(
            TimerData(
                setup, id: id, number: wanted ?? Self.free(besides: taken), presetId: presetId,
                row: row, after: setting))
        if let preset = presetId.flatMap({ presetIndex[$0] }) { allPresets[preset].lastUsedAt = now }
    }

    private mutating func save(_ setup: TimerSetup, id: UniqueId, at now: Timestamp) {
        if let index = presetIndex[id] {
            allPresets[index].setup = setup
            return
        }
        presetIndex[id] = allPresets.count
        allPresets.append(
            TimerPreset(
                id: id, number: Self.free(besides: presets.map(\.number)), setup: setup, createdAt: now,
                lastUsedAt: nil, isHiddenInList: false))
    }

    private mutating func restore(_ id: UniqueId) {
        guard let index = presetIndex[id], allPresets[index].isHiddenInList else { return }
        let taken = presets.map(\.number)
        if taken.contains(allPresets[index].number) { allPresets[index].number = Self.free(besides: taken) }
        allPresets[index].isHiddenInList = false
    }

    private static func free(besides taken: [Int]) -> Int {
        (1...taken.count + 1).first { !taken.contains($0) } ?? taken.count + 1
    }
}

extension TimerBoard {
    /// The timers in the list, by their numbers.
    package func timers(at now: Timestamp) -> [TimerData] {
        open.map { all[$0] }.filter { $0.isListed(at: now) }.sorted { $0.number < $1.number }
    }

    /// The presets in sight, by their numbers.
    package var presets: [TimerPreset] {
        allPresets.filter { !$0.isHiddenInList }.sorted { $0.number < $1.number }
    }

    package func timer(_ id: UniqueId) -> TimerData? { timerIndex[id].map { all[$0] } }

    /// A preset, hidden or not.
    package func preset(_ id: UniqueId) -> TimerPreset? { presetIndex[id].map { allPresets[$0] } }

    package func active(at now: Timestamp) -> [TimerData] {
        timers(at: now).filter { $0.state(at: now).isActive }
    }

    /// Whether this machine's clock was set since the last row of its own.
    package func isBehind(_ clock: ClockReference?) -> Bool {
        clock?.shift(since: clocks[nil]?.reference) != nil
    }

    /// Whether a timer runs of which a later setting of this machine's clock could not be told: it runs since before the
    /// present boot, or came from another journal.
    package func needsReference(_ clock: ClockReference?, at now: Timestamp) -> Bool {
        guard let clock, clocks[nil]?.reference?.bootId != clock.bootId else { return false }
        return !running(at: now).isEmpty
    }

    /// After which row of its own this machine's clock was last set, as far as that was noted.
    package var lastSetting: Position { clocks[nil]?.setting ?? .start }

    /// The board as it is at a moment. If the clock was set since the last row, the timers are as if that had been noted now:
    /// programs that only read see it too. Nothing was counted since, because each append notes it first.
    package func seen(at moment: TimerMoment) -> TimerBoard {
        guard isBehind(moment.clock) else { return self }
        var board = self
        board.apply(
            TimerRow(
                position: Position(.max), timestamp: moment.now, userId: nil,
                content: TimerRowContent(.clockSet, clock: moment.clock)))
        board.position = position
        return board
    }

    package func running(at now: Timestamp) -> [TimerData] {
        timers(at: now).filter { $0.state(at: now) == .running }
    }

    /// Those whose end nobody has acknowledged, in the order of their ends.
    package func ringing(at now: Timestamp) -> [TimerData] {
        timers(at: now).filter { $0.state(at: now) == .ringing }
            .sorted { ($0.endDate ?? now, $0.number) < ($1.endDate ?? now, $1.number) }
    }

    /// Those that ring and are to be heard or seen.
    package func alarms(at now: Timestamp) -> [TimerData] { ringing(at: now).filter(\.isVibrationOn) }

    package func nextEnd(at now: Timestamp) -> Timestamp? { running(at: now).compactMap(\.endDate).min() }

    /// The timers that were started in a range, in the list or not.
    package func timers(startedIn range: Range<Timestamp>) -> [TimerData] {
        all.filter { range.contains($0.createdAt) }
    }
}

// MARK: - Names

extension TimerBoard {
    /// The timer in the list that a user names by its number or its label.
    package func timer(named name: String, at now: Timestamp) throws(TimerRefusal) -> TimerData {
        let listed = timers(at: now)
        if let timer = listed.first(where: { String($0.number) == name || $0.id.description == name }) {
            return timer
        }
        let found = listed.called(name, \.setup.title)
        guard let timer = found.first else { throw .unknownTimer(name, among: listed.map(\.setup.title)) }
        if found.count > 1 { throw .ambiguousTimer(name, found.map(\.number)) }
        return timer
    }

    /// The preset that a user names by its number or its label; where `hidden`, one that was removed, the last of several.
    package func preset(named name: String, hidden: Bool = false) throws(TimerRefusal) -> TimerPreset {
        let candidates = hidden ? allPresets.filter(\.isHiddenInList).reversed() : presets
        let found =
            (hidden ? nil : candidates.first { String($0.number) == name })
            ?? candidates.called(name, \.setup.title).first ?? candidates.first { $0.id.description == name }
        guard let found else { throw .unknownPreset(name, among: candidates.map(\.setup.title)) }
        return found
    }
}

extension Collection {
    /// Those that a user may mean by a name: those that have exactly this one, or else those that have it in other capitals.
    fileprivate func called(_ name: String, _ title: (Element) -> String) -> [Element] {
        let exact = filter { title($0) == name }
        return exact.isEmpty ? filter { title($0).isCalled(name) } : exact
    }
}

extension String {
    /// Whether a user who types a name means this one.
    func isCalled(_ name: String) -> Bool { lowercased() == name.lowercased() }
}

// MARK: - The clocks of a machine

/// What tells whether the wall clock was set: its distance from a clock that nobody sets.
package struct ClockReference: Hashable, Sendable {
    /// Which run of the kernel; see `/proc/sys/kernel/random/boot_id`. Distances of different runs cannot be compared.
    package let bootId: String
    /// CLOCK_REALTIME − CLOCK_BOOTTIME, in microseconds.
    package let offset: Int64

    /// NTP moves the wall clock slowly, by 500 ppm at most, and two clocks are read one after the other: such differences need no
    /// row each, and what was counted in them is told by the order of the rows; see `TimerWindow`.
    static let tolerance = Duration.seconds(1)

    package init(bootId: String, offset: Int64) { (self.bootId, self.offset) = (bootId, offset) }

    /// By how much the wall clock was set between another reading and this one: positive where it was set forwards; nil where it
    /// was not set, or that is unknown.
    package func shift(since other: ClockReference?) -> Duration? {
        guard let other, other.bootId == bootId else { return nil }
        let (shift, overflow) = offset.subtractingReportingOverflow(other.offset)
        let isSmall = shift.magnitude <= Self.tolerance.microseconds.magnitude
        return overflow || isSmall ? nil : .microseconds(shift)
    }
}

/// The present time, as the clocks of a machine tell it.
package struct TimerMoment: Hashable, Sendable {
    package let now: Timestamp
    /// What tells whether the wall clock was set; nil where the machine does not say.
    package let clock: ClockReference?

    package init(now: Timestamp, clock: ClockReference? = nil) { (self.now, self.clock) = (now, clock) }
}
