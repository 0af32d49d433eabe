import CounterModel
import CounterStore
import CounterTUI
import Glibc
import Linux
import Reports

/// Behind the Admin screen: reads what the journal says of a location, of devices and of ended days, and changes it.
final class AdminTab: TabFeed {
    private let session: CountingSession
    /// The id of the location that was read last; `nil` where the journal has changed since.
    private var current: Identifier?

    init(_ session: CountingSession) { self.session = session }

    func journalChanged() { current = nil }

    func update(_ model: inout ScreensViewModel, at now: Timestamp, isInForeground: Bool) throws {
        let id = model.locations.selected
        guard current != id else { return }
        let location = session.locations.first { $0.id == id }
        model.admin.user = User(id: LoginName.current, role: session.role)
        model.admin.location = location
        model.admin.names = Dictionary(session.locations.map { ($0.id, $0.name) }) { $1 }
        model.admin.state = try location.map { try session.journal.stateOrZero(of: $0.id) }
        model.admin.devices = try session.journal.devices().filter { !Devices.byHand.contains($0.id) }
        model.admin.days = try session.journal.endedDays(of: id)
        if let location { model.admin.show(timesOf: location, at: now) }
        current = id
        if case .question(let question) = model.overlay { follow(question, in: &model) }
    }

    /// Updates an open question with the present state, and closes it when its subject is gone.
    private func follow(_ question: Question, in model: inout ScreensViewModel) {
        guard case .admin(.change(let change)) = question.yes else { return }
        do {
            if let question = try self.question(before: change) { model.askAnew(question) }
        } catch { model.leaveQuestion(ProgramError(error).sentence) }
    }

    /// Carries out the intents of this screen. An error appears in the open field, else as a notice.
    func carryOut(_ intent: AdminIntent, _ model: inout ScreensViewModel) -> [SessionEvent] {
        if session.role == .viewer { return [.refused(CountingSession.viewerNotice)] }
        do {
            switch intent {
            case .askToEndDay(let id): model.ask(try endDayQuestion(try location(id)))
            case .askToEndOverdueDay(let id): model.ask(try endOverdueDayQuestion(try location(id)))
            case .askToHide(let id): model.ask(try hideQuestion(try location(id)))
            case .askToForget(let id): model.ask(.forget(try device(id)))
            case .change(let change):
                let events = try AdminChanges(session).make(change)
                if case .add(let name) = change {
                    try session.select(session.journal.visibleLocation(named: name).id)
                }
                model.closeField()
                return events
            // The view model has handled these.
            case .choose, .edit: break
            }
            return []
        } catch {
            // The screen makes clear which journal it is.
            let reason = (error as? JournalError).map { ProgramError($0.reason) } ?? ProgramError(error)
            return model.refuseField(reason.sentence) ? [] : [.refused(reason.sentence)]
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

    private func question(before change: AdminChange) throws -> Question? {
        switch change {
        case .endDay(let id): try endDayQuestion(try location(id))
        case .endOverdueDay(_, let id): try endOverdueDayQuestion(try location(id))
        case .setting(.isHidden(true), let id): try hideQuestion(try location(id))
        case .forget(let id): .forget(try device(id))
        case .setting, .add, .correction, .rename, .assign, .setActive, .undo: nil
        }
    }

    private func endDayQuestion(_ location: Location) throws -> Question {
        let end = try DayEnd(of: location, in: session.journal, now: WallClock().now)
        return .endDay(of: location, try end.preview(), zone: end.zone)
    }

    private func endOverdueDayQuestion(_ location: Location) throws -> Question {
        let now = WallClock().now
        guard let overdue = try session.journal.overdueDay(of: location, now: now) else {
            throw ProgramError("the day is ended already, or something was counted after it", status: EX_OK)
        }
        let end = try DayEnd(of: location, in: session.journal, now: now, overdue: overdue.day)
        return .endOverdueDay(overdue.day, of: location, try end.preview(), zone: end.zone)
    }

    private func hideQuestion(_ location: Location) throws -> Question {
        try session.journal.requireOther(than: location, usual: session.settings.usualLocation)
        let count = try session.journal.devices().count { $0.locationId == location.id }
        let state = try session.journal.stateOrZero(of: location.id)
        return .hide(location, count: state.currentCount, devices: count)
    }
}

extension AdminViewModel {
    /// Sets the zone for a location's times, from its first ended day to now.
    fileprivate mutating func show(timesOf location: Location, at now: Timestamp) {
        let first = days.map(\.snapshot.from).min() ?? now
        zone = location.calendar(for: min(first, now)...now).zone
        zoneProblem = location.zoneNote
    }
}

/// Makes the changes of the Admin screen, each as one transaction.
struct AdminChanges {
    private let session: CountingSession

    init(_ session: CountingSession) { self.session = session }

    /// Makes a change; it is durable on return.
    ///
    /// - Returns: The events to show.
    /// - Throws: `ProgramError`, `JournalError`, `ZoneError`; then nothing has changed.
    func make(_ change: AdminChange) throws -> [SessionEvent] {
        switch change {
        case .setting(let setting, let id): try set(setting, of: location(id))
        case .add(let name): try add(name)
        case .correction(let correction, let id): try correct(correction, at: location(id))
        case .rename(let id, let name):
            try changeDevice(id, "the device is called \(name)") { try $0.rename(device: id, to: name) }
        case .assign(let id, let locationId):
            try changeDevice(
                id,
                "the device counts into \(try locationId.map { try location($0).name } ?? "the location that counter is run for")"
            ) {
                try $0.assign(device: id, to: locationId)
            }
        case .setActive(let isActive, let id):
            try changeDevice(id, isActive ? "the device counts" : "the device is off: it does not count") {
                try $0.setActive(isActive, device: id)
            }
        case .forget(let id): try changeDevice(id, "the device is forgotten") { try $0.forget(device: id) }
        case .endDay(let id): try endDay(of: location(id))
        case .endOverdueDay(let day, let id): try endDay(of: location(id), overdue: day)
        case .undo(let id): try undo(at: location(id))
        }
    }

    private func location(_ id: Identifier) throws -> Location {
        try session.journal.visibleLocation(named: id.text)
    }

    private func set(_ setting: LocationSetting, of known: Location) throws -> [SessionEvent] {
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

    private func add(_ name: String) throws -> [SessionEvent] {
        try session.change { journal in
            let now = WallClock().now
            try journal.requireFree(name, for: journal.location(named: name)?.id)
            guard let known = try journal.location(named: name) else {
                return try journal.add(
                    new: Location(id: Identifier(name), name: name, timezone: ZoneDatabase().localZone),
                    at: now)
            }
            guard known.isHidden else { throw ProgramError(taken: name, by: known) }
            var shown = known
            shown.isHidden = false
            try journal.change(known, to: shown, at: now)
        }
        return session.answered(done: "\(name) is added")
    }

    private func correct(_ typed: TypedCorrection, at location: Location) throws -> [SessionEvent] {
        let correction = NewCorrection(typed.amount, deviceId: Devices.terminal, reason: typed.reason)
        let receipts = try session.append([.correction(correction)], at: location.id)
        if let refusal = receipts.first?.refusal {
            throw ProgramError("'\(location.name)': \(refusal)", status: EX_UNAVAILABLE)
        }
        guard case .corrected(_, let before, let after) = receipts.first?.outcome else { return [] }
        return session.answered(receipts, done: "\(location.name): \(before) → \(after), \(typed.reason)")
    }

    private func endDay(of location: Location, overdue: OperationalDay? = nil) throws -> [SessionEvent] {
        let snapshot = try session.change {
            try DayEnd(of: location, in: $0, now: WallClock().now, overdue: overdue).end(at: WallClock().now)
        }
        return session.answered(
            done: "\(location.name): the day has ended with \(snapshot.finalLevel); U takes it back")
    }

    private func undo(at location: Location) throws -> [SessionEvent] {
        let receipts = try session.append([.undo(session.undoScope)], at: location.id)
        let level = receipts.last?.level ?? 0
        return session.answered(receipts, done: "\(location.name): taken back; the count is \(level)")
    }

    private func changeDevice(
        _ id: Identifier, _ text: String, _ body: (SQLiteJournal) throws -> Bool
    ) throws -> [SessionEvent] {
        guard try session.change(body) else {
            throw ProgramError("the device '\(id)' is gone", status: EX_UNAVAILABLE)
        }
        return session.answered(done: text)
    }
}
