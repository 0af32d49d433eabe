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
            throw gone(id)
        }
        return device
    }

    private func gone(_ device: Identifier) -> ProgramError {
        ProgramError("the device '\(device)' is gone", status: EX_UNAVAILABLE)
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

    func set(_ setting: DeviceSetting, of id: Identifier, to location: Identifier?) {
        context.carryOut {
            let done =
                switch setting {
                case .name(let name): "the device is called \(name)"
                case .location:
                    try "the device counts into "
                        + (location.map { try self.location($0).name }
                            ?? "the location that counter is run for")
                case .isActive(true): "the device counts"
                case .isActive(false): "the device is off: it does not count"
                case .isForgotten: "the device is forgotten"
                }
            let now = WallClock().now
            guard try session.change({ try $0.set(setting, of: id, to: location, at: now) }) else {
                throw gone(id)
            }
            return session.answered(done: done)
        }
    }

    // MARK: - Changes that ask first

    func askToShare(_ id: Identifier) {
        ask {
            let name = try self.location(id).name
            return Question(
                title: "Share the location?", subject: name, gist: "Machines that reach this one may join",
                paragraphs: [
                    "Machines that reach this one by counter sync may join \(name).",
                    "They get all that was counted there, and count there too.",
                ]
            ) { self.setShared(true, id) }
        }
    }

    func askToStopSharing(_ id: Identifier) {
        ask {
            let name = try self.location(id).name
            return Question(
                title: "Share it no longer?", subject: name, gist: "Nothing more travels",
                paragraphs: [
                    "Nothing of \(name) travels any more, either way. What was sent stays where it is."
                ]
            ) { self.setShared(false, id) }
        }
    }

    func askToJoin(_ offer: AdminOffer, of peer: String) {
        ask {
            guard let (machine, location) = self.machines.offer(offer.id, of: peer) else {
                throw ProgramError("\(peer) shares '\(offer.name)' no longer", status: EX_UNAVAILABLE)
            }
            return Question(
                title: "Join the location?", subject: offer.name,
                gist: "What is counted there is counted here",
                paragraphs: [
                    "\(machine) shares \(offer.name). All that was counted there comes here, and what is counted here goes there.",
                    "It becomes a location of this journal. A default that nothing was counted in gives its place.",
                ]
            ) { self.join(location, of: machine) }
        }
    }

    func askToForget(device id: Identifier) {
        ask {
            let name = try self.device(id).name
            return Question(
                title: "Forget the device?", subject: name, gist: "No longer listed",
                paragraphs: [
                    "\(name) is no longer listed, and loses its name and its location. What it counted stays.",
                    "It is listed again, as a new one, as soon as it is seen.",
                ]
            ) { self.set(.isForgotten, of: id, to: nil) }
        }
    }

    func askToHide(_ id: Identifier) {
        ask {
            let (session, location) = (self.session, try self.location(id))
            try session.journal.requireOther(than: location, usual: session.settings.usualLocation)
            let devices = try session.journal.devices().count { $0.locationId == location.id }
            let count = try session.journal.stateOrZero(of: location.id).currentCount
            let still = devices == 1 ? "1 device still counts" : "\(devices) devices still count"
            return Question(
                title: "Hide the location?", subject: location.name, gist: "No longer shown",
                paragraphs: [
                    "\(location.name) will not be shown. Nothing is deleted: adding its name brings it back.",
                    count == 0 ? nil : "Its count is \(count).",
                    devices == 0 ? nil : "\(still) into it.",
                ].compactMap(\.self)
            ) { self.set(.isHidden(true), of: id) }
        }
    }

    /// The day that is over, where one is: what the offer to end it names. Else the present one.
    func askToEndDay(of id: Identifier) {
        ask {
            let (location, now) = (try self.location(id), WallClock().now)
            let overdue = try self.session.journal.overdueDay(of: location, now: now)
            return try self.question(
                toEnd: overdue?.isExpected == true ? overdue : nil, of: location, now: now)
        }
    }

    func askToEndOverdueDay(of id: Identifier) {
        ask {
            let (location, now) = (try self.location(id), WallClock().now)
            guard let overdue = try self.session.journal.overdueDay(of: location, now: now) else {
                throw ProgramError("no day that is over is still open", status: EX_OK)
            }
            return try self.question(toEnd: overdue, of: location, now: now)
        }
    }

    /// Whether to end the present day, or one that is over at its own end, and days before it that were left open, with what would be
    /// archived.
    private func question(toEnd overdue: OverdueDay?, of location: Location, now: Timestamp) throws
        -> Question
    {
        let end = try DayEnd(of: location, in: session.journal, now: now, overdue: overdue?.day)
        let days = try end.preview()
        let count = try overdue?.count ?? session.journal.stateOrZero(of: location.id).currentCount
        let texts = days.map { SnapshotTexts($0, zone: end.zone, capacity: location.maxCapacity) }
        let isOneOverdue = overdue != nil && days.count == 1
        let change =
            isOneOverdue ? "\(days[0].finalLevel) becomes 0 at \(texts[0].end)" : "\(count) becomes 0"
        let single =
            isOneOverdue
            ? "End the day that is over?" : end.emptySince == nil ? "End the day?" : "End an empty day?"
        let leftOpen = days.count > 1 ? "Days were left open: each is archived at its own end." : nil
        let empty = end.emptySince.map {
            "Nothing was counted since the last day ended at \(end.zone.text(of: $0))."
        }
        return Question(
            title: days.count > 1 ? "End \(days.count) days?" : single, subject: location.name, gist: change,
            paragraphs: [empty, leftOpen].compactMap(\.self)
                + texts.flatMap { ["\(location.name): \($0.span)", $0.facts] }
                + ["This is archived, and \(change). X in the list of ended days takes it back."]
        ) { self.endDay(of: location.id, overdue: overdue?.day) }
    }

    func askToTakeBackEnd(_ end: Position, of id: Identifier) {
        ask {
            let location = try self.location(id)
            guard let reopened = try self.session.journal.reopening(end, of: location) else {
                throw ProgramError("the end of the day is taken back already", status: EX_OK)
            }
            let snapshot = reopened.day.snapshot
            let zone = location.calendar(for: snapshot.from...max(snapshot.from, snapshot.to)).zone
            let texts = SnapshotTexts(snapshot, zone: zone, capacity: location.maxCapacity)
            return Question(
                title: "Take back the end of the day?", subject: location.name, gist: reopened.words,
                paragraphs: [
                    "\(location.name): \(texts.span)", texts.facts, reopened.words,
                    "The end stays in the history, marked with your name and the time.",
                ]
            ) {
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

    private func endDay(of id: Identifier, overdue: OperationalDay?) {
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
