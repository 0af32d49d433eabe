import CounterModel
import CounterStore
import CounterTUI
import Glibc
import Linux

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
