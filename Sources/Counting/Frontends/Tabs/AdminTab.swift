import CounterModel
import CounterStore
import CounterTUI
import Glibc
import Linux
import Reports

/// Behind the Admin screen: reads what the journal says of a location, of devices and of ended days, and changes it.
final class AdminTab: TabFeed {
    private let context: TabContext
    /// The id of the location that was read last; `nil` where the journal has changed since.
    private var current: Identifier?

    private let machines: SyncedMachines
    /// What this journal shares, by the ids for the world.
    private var worlds: Set<String> = []

    init(_ context: TabContext, _ machines: SyncedMachines) {
        (self.context, self.machines) = (context, machines)
    }

    private var session: CountingSession { context.session }

    func journalChanged() { current = nil }

    func update(at now: Timestamp, isInForeground: Bool) throws {
        let (model, id) = (context.screens.admin, context.shared.locations.selected)
        if current == nil {
            machines.look()
            worlds = Set(try session.journal.sharedLocations().map(\.sharing.worldId))
        }
        model.machines = machines.lines(at: now, sharing: worlds)
        guard current != id else { return }
        let location = context.location
        model.user = (LoginName.current, session.role)
        model.names = Dictionary(session.locations.map { ($0.id, $0.name) }) { $1 }
        model.state = try location.map { try session.journal.stateOrZero(of: $0.id) }
        model.devices = try session.journal.devices().filter { !Devices.byHand.contains($0.id) }
        model.days = try session.journal.endedDays(of: id)
        model.isShared = try session.journal.sharedLocations().contains { $0.id == id }
        if let location {
            let first = model.days.map(\.snapshot.from).min() ?? now
            model.zone = location.calendar(for: min(first, now)...now).zone
            model.zoneProblem = location.zoneNote
        }
        current = id
        do { try context.shared.renewQuestion() } catch {
            context.screens.count.notice = ProgramError(error).sentence
        }
    }

    private func location(_ id: Identifier) throws -> Location {
        try session.journal.visibleLocation(named: id.text)
    }

    private func device(_ id: Identifier) throws -> Device {
        guard let device = try session.journal.devices().first(where: { $0.id == id }) else {
            throw ProgramError("the device '\(id)' is gone", status: EX_UNAVAILABLE)
        }
        return device
    }
}

// MARK: - Changes, each one transaction

extension AdminTab: AdminActions {
    func set(_ setting: LocationSetting, of id: Identifier) {
        context.carryOut {
            let known = try location(id)
            var wanted = known
            wanted.apply(setting)
            try session.change { journal in
                if wanted.isHidden {
                    try journal.requireOther(than: known, usual: session.settings.usualLocation)
                }
                try journal.change(known, to: wanted, at: WallClock().now)
            }
            if wanted.isHidden, known.id == session.location.id { try session.selectUsual() }
            return session.answered(done: "\(known.name): \(setting.words)")
        }
    }

    func askToShare(_ id: Identifier) { ask { .share(try self.location(id)) { self.setShared(true, id) } } }

    func askToStopSharing(_ id: Identifier) {
        ask { .stopSharing(try self.location(id)) { self.setShared(false, id) } }
    }

    private func setShared(_ isShared: Bool, _ id: Identifier) {
        context.carryOut {
            let location = try location(id)
            _ = try session.change { try $0.setShared(isShared, location, at: WallClock().now) }
            machines.look()
            return session.answered(
                done: isShared
                    ? "\(location.name) is shared; another machine joins by counter sync --join"
                    : "\(location.name) is no longer shared; what was sent stays where it is")
        }
    }

    func askToJoin(_ offer: AdminOffer, of peer: String) {
        ask {
            guard let (machine, location) = self.machines.offer(offer.id, of: peer) else {
                throw ProgramError("\(peer) shares '\(offer.name)' no longer", status: EX_UNAVAILABLE)
            }
            return .join(offer, of: machine) { self.join(location, of: machine) }
        }
    }

    private func join(_ offer: SharedLocation, of machine: String) {
        context.carryOut {
            let joined = try session.change { try $0.join([offer], from: machine, at: WallClock().now)[0] }
            machines.look()
            guard let joined else { return session.answered(done: "\(offer.name) is shared here already") }
            let events = session.answered(
                done: "\(joined.name) is joined; counter sync brings what was counted on \(machine)")
            try session.select(joined.id)
            return events
        }
    }

    func addLocation(named name: String) {
        context.carryOut {
            let untouched = try session.journal.untouchedDefault()
            try session.change { journal in try Self.add(name, to: journal, at: WallClock().now) }
            let rest = untouched == nil ? "" : "; Left shows the empty default, which you can name"
            let events = session.answered(done: "\(name) is added\(rest)")
            try session.select(session.journal.visibleLocation(named: name).id)
            return events
        }
    }

    private static func add(_ name: String, to journal: SQLiteJournal, at now: Timestamp) throws {
        try journal.requireFree(name, for: journal.location(named: name)?.id)
        guard let known = try journal.location(named: name) else {
            return try journal.add(
                new: Location(id: Identifier(name), name: name, timezone: ZoneDatabase().localZone), at: now)
        }
        guard known.isHidden else { throw ProgramError(taken: name, by: known) }
        var shown = known
        shown.isHidden = false
        try journal.change(known, to: shown, at: now)
    }

    func correct(_ typed: TypedCorrection, at id: Identifier) {
        context.carryOut {
            let location = try location(id)
            let (correction, work) = typed.amount.correction(deviceId: Devices.terminal, reason: typed.reason)
            let receipts = try session.append(correction, work, at: location.id)
            if let refusal = receipts.first?.refusal {
                throw ProgramError("'\(location.name)': \(refusal)", status: EX_UNAVAILABLE)
            }
            guard case .corrected(_, let before, let after) = receipts.first?.outcome else { return [] }
            return session.answered(receipts, done: "\(location.name): \(before) → \(after), \(typed.reason)")
        }
    }

    func rename(device id: Identifier, to name: String) {
        change(id, .name(name), "the device is called \(name)")
    }

    func assign(device id: Identifier, to location: Identifier?) {
        context.carryOut {
            let name =
                try location.map { try self.location($0).name } ?? "the location that counter is run for"
            return try changed(id, .location, to: location, "the device counts into \(name)")
        }
    }

    func setActive(_ isActive: Bool, device id: Identifier) {
        change(
            id, .isActive(isActive), isActive ? "the device counts" : "the device is off: it does not count")
    }

    private func change(_ id: Identifier, _ setting: DeviceSetting, _ text: String) {
        context.carryOut { try changed(id, setting, text) }
    }

    private func changed(
        _ id: Identifier, _ setting: DeviceSetting, to location: Identifier? = nil, _ text: String
    ) throws -> [SessionEvent] {
        let now = WallClock().now
        guard try session.change({ try $0.set(setting, of: id, to: location, at: now) }) else {
            throw ProgramError("the device '\(id)' is gone", status: EX_UNAVAILABLE)
        }
        return session.answered(done: text)
    }

    // MARK: - Changes that ask first

    func askToForget(device id: Identifier) {
        ask {
            .forget(try self.device(id)) {
                self.change(id, .isForgotten, "the device is forgotten")
            }
        }
    }

    func askToHide(_ id: Identifier) {
        ask {
            let (session, location) = (self.session, try self.location(id))
            try session.journal.requireOther(than: location, usual: session.settings.usualLocation)
            let count = try session.journal.devices().count { $0.locationId == location.id }
            let state = try session.journal.stateOrZero(of: location.id)
            return .hide(location, count: state.currentCount, devices: count) {
                self.set(.isHidden(true), of: id)
            }
        }
    }

    /// The day that is over, where one is: what the offer to end it names. Else the present one.
    func askToEndDay(of id: Identifier) {
        ask {
            let (location, now) = (try self.location(id), WallClock().now)
            if let overdue = try self.session.journal.overdueDay(of: location, now: now), overdue.isExpected {
                return try self.endDay(overdue, of: location, now: now)
            }
            let end = try DayEnd(of: location, in: self.session.journal, now: now)
            return .endDay(
                of: location, try end.preview(),
                count: try self.session.journal.stateOrZero(of: id).currentCount, emptySince: end.emptySince,
                zone: end.zone
            ) { self.endDay(of: id) }
        }
    }

    func askToEndOverdueDay(of id: Identifier) {
        ask {
            let (location, now) = (try self.location(id), WallClock().now)
            guard let overdue = try self.session.journal.overdueDay(of: location, now: now) else {
                throw ProgramError("no day that is over is still open", status: EX_OK)
            }
            return try self.endDay(overdue, of: location, now: now)
        }
    }

    private func endDay(_ overdue: OverdueDay, of location: Location, now: Timestamp) throws -> Question {
        let end = try DayEnd(of: location, in: session.journal, now: now, overdue: overdue.day)
        let (days, yes) = (try end.preview(), { self.endDay(of: location.id, overdue: overdue.day) })
        return days.count == 1
            ? .endOverdueDay(of: location, days[0], zone: end.zone, yes: yes)
            : .endDay(of: location, days, count: overdue.count, zone: end.zone, yes: yes)
    }

    func askToTakeBackEnd(_ end: Position, of id: Identifier) {
        ask {
            let location = try self.location(id)
            guard let reopened = try self.session.journal.reopening(end, of: location) else {
                throw ProgramError("the end of the day is taken back already", status: EX_OK)
            }
            let snapshot = reopened.day.snapshot
            let zone = location.calendar(for: snapshot.from...max(snapshot.from, snapshot.to)).zone
            return .takeBackEnd(of: location, snapshot, consequence: reopened.words, zone: zone) {
                self.context.carryOut {
                    self.session.answered(try self.session.append(.void(end), at: id))
                }
            }
        }
    }

    /// Asks a question, and asks it anew when the journal has changed.
    private func ask(_ make: @escaping () throws -> Question) {
        context.carryOut {
            var question = try make()
            question.renew = make
            context.shared.ask(question)
            return []
        }
    }

    private func endDay(of id: Identifier, overdue: OperationalDay? = nil) {
        context.carryOut {
            let location = try location(id)
            let days = try session.change {
                try DayEnd(of: location, in: $0, now: WallClock().now, overdue: overdue).end(
                    at: WallClock().now)
            }
            let what = days.count == 1 ? "the day has ended" : "\(days.count) days have ended, the last"
            return session.answered(
                done:
                    "\(location.name): \(what) with \(days[days.count - 1].finalLevel); \(context.shared.name(of: "x0")) on it below takes it back"
            )
        }
    }
}
