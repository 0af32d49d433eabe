import CounterModel
import CounterStore
import CounterTUI
import Linux
import Reports
import Transfer
import VolumeInput

/// Behind the Count screen and the top line of all screens: shows what the session knows.
struct CountTab {
    let session: CountingSession
    let focusTracker: FocusTracker
    /// Why no input device can be read; nil where one can.
    private var problem: Diagnosis?
    private var overdue = OverdueDayOffer()
    let machines: SyncedMachines

    var dayEnd: Timestamp? { overdue.dayEnd }
    /// When the rate that is shown falls by itself; nil at rest.
    private(set) var rateFalls: Timestamp?

    init(session: CountingSession, focusTracker: FocusTracker) {
        (self.session, self.focusTracker) = (session, focusTracker)
        machines = SyncedMachines(session.journal)
    }

    private var isViewer: Bool { session.role == .viewer }

    /// A viewer counts with no device.
    mutating func inputDevicesChanged() { problem = isViewer ? nil : session.deviceProblem() }

    /// Updates the view model for a screen. Reads nothing from the journal but, once a day, whether the day before was ended, and
    /// where other machines are synced with, what was not sent to them.
    mutating func update(_ count: inout CountViewModel, on tab: Screens.Tab) {
        count.state = session.state
        count.lastChange = session.recent.last.map { "\($0.kind.text) at \($0.at.localTime)" }
        let now = WallClock().now
        count.ratePerMinute = session.recent.perMinute(at: now)
        rateFalls = session.recent.nextFall(after: now)
        (count.sync, count.isSynced) = machines.words(at: now)
        count.notStored = session.waiting
        count.inputDevices = isViewer ? [] : session.inputDevices.map { status(of: $0) }
        count.mayChange = !isViewer
        count.maySpeak = session.announcer.cues.spoken != .never
        count.problem = problem
        let offer = overdue.offer(of: session.location, session.state, in: session.journal, at: now)
        count.overdueAt = offer == nil ? nil : session.location.id
        count.warning =
            session.locationProblem.map { [$0.message + ".", $0.remedy].compactMap(\.self) }
            // On Timers, E has another meaning, and days are of no concern; a wall says it with each location.
            ?? (tab == .timers || isViewer && tab == .live ? [] : [offer].compactMap(\.self))
        let isAlone = session.locations.allSatisfy { $0.isHidden || $0.id == session.location.id }
        count.location = isAlone && session.location.id == Location.defaultId ? nil : session.location.name
        count.step = session.settings.step
        count.keyed = session.keyed
    }

    private func status(of device: InputDevice) -> DeviceStatus {
        let name = session.devices.name(of: device.stableID, own: device.name)
        if device.present.state == .shared,
            let program = session.devices.otherProgram(counting: device.stableID)
        {
            return DeviceStatus(name: name, state: .shared, reason: "counted by \(program)")
        }
        let explanation = device.present.explained(by: focusTracker.policy)
        let isKnob = session.knobs.contains(device.stableID)
        return DeviceStatus(
            name: name, state: device.present.state, location: session.otherLocation(of: device.stableID),
            reason: Self.joined(explanation.reason, isKnob ? InputDevice.knobReason : nil),
            // A remedy for all devices is shown once.
            remedy: problem != nil ? nil : Self.joined(explanation.remedy, isKnob ? device.knobRemedy : nil))
    }

    private static func joined(_ texts: String?...) -> String? {
        let texts = texts.compactMap(\.self)
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}

/// The machines that a journal is synced with, read again where `counter sync` has told more of them.
final class SyncedMachines {
    private let journal: SQLiteJournal
    private var watch: DirectoryWatch?
    private var all: [SyncStatus] = []
    /// When what `words` has said changes by itself.
    private(set) var changesAt: Timestamp?

    init(_ journal: SQLiteJournal) {
        self.journal = journal
        look()
    }

    /// Begins to watch once a location is shared, or another machine is known.
    func look() {
        if watch != nil { return }
        all = SyncStatus.machines(of: journal.directory, at: WallClock().now)
        guard !all.isEmpty || (try? journal.sharedLocations().isEmpty) == false else { return }
        watch = SyncStatus.watch()
    }

    /// The descriptor to poll; nil where nothing is shared.
    var number: CInt? { watch?.number }

    func hasChanged() -> Bool {
        guard let watch, !watch.drain().isEmpty else { return false }
        all = SyncStatus.machines(of: journal.directory, at: WallClock().now)
        return true
    }

    /// What the top line says of the machines that are not reached, or that all are: from the longest form to the shortest.
    func words(at now: Timestamp) -> (forms: [String], isSynced: Bool) {
        changesAt = all.compactMap { $0.nextChange(journal, after: now) }.min()
        let counted = all.map { (status: $0, unsent: try? $0.unsentRows(journal, at: now)) }
        let lost = counted.filter { $0.unsent != 0 || !$0.status.isLive(at: now) }
        if lost.isEmpty {
            let clocks = all.compactMap(\.clockWords)
            if !clocks.isEmpty {
                return (["synced, but " + clocks.joined(separator: ", "), "clocks apart"], false)
            }
            return (all.isEmpty ? [] : ["synced"], true)
        }
        let words = lost.compactMap { status, unsent in
            unsent.map { status.words(unsent: $0, at: now, isBrief: true) }
        }
        return ([words.joined(separator: ", "), "not synced"], false)
    }

    func lines(at now: Timestamp, sharing worlds: Set<String>) -> [AdminMachine] {
        all.map { status in
            AdminMachine(
                peer: status.peer, words: (try? status.words(journal, at: now, isBrief: true)) ?? "",
                notes: [status.why, status.remedy].compactMap(\.self) + status.notices,
                offers: status.offers.filter { !worlds.contains($0.sharing.worldId) }
                    .map { AdminOffer(id: $0.sharing.worldId, name: $0.name) })
        }
    }

    /// What a machine shares, by its id for the world, with the machine's name; nil where it does so no longer.
    func offer(_ world: String, of peer: String) -> (machine: String, SharedLocation)? {
        guard let status = all.first(where: { $0.peer == peer }) else { return nil }
        return status.offers.first { $0.sharing.worldId == world }.map { (status.name, $0) }
    }
}
