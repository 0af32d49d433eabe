import CounterModel
import CounterStore
import CounterTUI
import Glibc
import Linux
import Reports

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
