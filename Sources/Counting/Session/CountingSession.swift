import Alarms
import CounterModel
package import CounterStore
import CounterTUI
import Glibc
import KeyProtocol
package import Linux
import Reports
import VolumeInput

/// Counts, whatever the frontend: takes gestures, appends entries to the journal, and reports the results.
package final class CountingSession {
    /// How long a commit may wait for another program, in seconds: far less than the key server waits for this one.
    package static let busyTimeout = 0.1

    private var places: SessionLocations
    let settings: SessionSettings
    private let surroundings: SessionSurroundings
    private(set) var preferences: Preferences
    private(set) var devices: Devices

    package let journal: SQLiteJournal
    private let writer: JournalWriter
    private let ingestion: DeviceIngestionService
    private let listener: VolumeListener
    private let follower: JournalFollower
    let announcer: Announcer
    package let timers: SessionTimers
    private var nextDayEnd: NextDayEnd
    private(set) var clock: SessionClock
    /// The journal's last row when the session began.
    private let openedAfter: Position
    private var hasTyped = false
    private var connected: ConnectedDevices
    /// The ids of the input devices that turned out to be knobs, so that their detents are not counted.
    private(set) var knobs: Set<Identifier> = []

    /// Prepares to count into a journal; no key is read before `capture`.
    package init(
        _ journal: SQLiteJournal, _ settings: SessionSettings, _ preferences: Preferences,
        _ surroundings: SessionSurroundings
    ) throws(ProgramError) {
        (self.journal, self.settings, self.preferences) = (journal, settings, preferences)
        self.surroundings = surroundings
        do {
            let named = try journal.existingLocation(named: settings.location)
            places = try SessionLocations(
                journal, showing: journal.role == .viewer ? named : try named.requireVisible())
            writer = JournalWriter(journal, retries: .whileLocked)
            openedAfter = try journal.lastPosition()
            ingestion = DeviceIngestionService(writer, location: places.shown.id)
            connected = ConnectedDevices(journal)
            devices = try Self.devices(journal, ingestion)
            follower = try JournalFollower(journal)
            announcer = Announcer(
                preferences.cues,
                client: RingerClient(executable: surroundings.ringer, journal: journal.directory))
            nextDayEnd = NextDayEnd(of: places.all, now: WallClock().now)
            timers = try SessionTimers(journal, preferences.timers)
            clock = try SessionClock(journal)
        } catch { throw ProgramError(error) }
        listener = VolumeListener(
            client: surroundings.keyClient(devices.inactive), heldChord: SessionTimers.againAfter,
            timing: surroundings.timing)
        listener.admitsChords = { [unowned self] device in
            // Both keys acknowledge an alarm in every location. An occupancy is never reset: there they count one each.
            timers.isRinging || places.location(ingestion.location(of: device))?.maxCapacity == nil
        }
    }

    // MARK: - For the loop

    func watch(_ polled: inout PollSet) {
        polled.add(follower.number)
        listener.watch(&polled)
        announcer.watch(&polled)
    }

    /// When to call `receive` and `followJournal` though no descriptor is readable.
    var deadline: MonotonicTime? {
        [
            listener.deadline, follower.deadline, writer.retryAt, nextDayEnd.retryAt, announcer.deadline,
            timers.retryAt, clock.deadline,
        ].compactMap(\.self).min()
    }

    /// The same by the wall clock, which goes on while the machine sleeps.
    var wallDeadline: Timestamp? { [nextDayEnd.time, timers.next].compactMap(\.self).min() }

    var locations: [Location] { places.all }
    /// The location that is counted where nothing names another.
    var location: Location { places.shown }
    /// The committed state of `location`. No other count may be shown.
    var state: CounterState { places.state }
    var recent: ChangeRate { places.recent }
    var keyed: [KeyedLocation] { places.keyed }

    var waiting: Int { writer.waiting }
    var inputDevices: [InputDevice] { listener.inputDevices }

    /// Looks at the machine why no input device can count; `nil` where one can.
    func deviceProblem() -> Diagnosis? {
        Diagnosis(
            unreadable: listener.environment, inputDevices, listener.serviceFault,
            on: surroundings.machine(), for: role)
    }

    /// The problem of the location that is counted, with its remedy; `nil` where there is none.
    var locationProblem: ProgramError? {
        guard location.isHidden else { return nil }
        return ProgramError(
            "'\(location.name)' is hidden, yet counted here",
            remedy: location.remedyToShow,
            status: EX_OK)
    }

    var role: UserRole { journal.role }

    /// Sets the capture mode of the volume keys. A viewer counts nothing, so the mode stays off.
    func capture(_ captureMode: CaptureMode) -> [SessionEvent] {
        translate(listener.capture(role == .viewer ? .off : captureMode, at: .now))
    }

    /// Handles all key presses that can be read and all deadlines that have passed; their counts are committed together.
    func receive(at now: MonotonicTime) -> [SessionEvent] {
        var events = endDueDays(at: now) + translate(listener.receive(at: now))
        if let retryAt = writer.retryAt, now >= retryAt { events += commit() }
        return events + moved(clock.receive(at: now)) + takeNewId() + receiveTimers() + announcements(at: now)
    }

    func clockWasSet() -> [SessionEvent] {
        timers.clockWasSet()
        places.clockWasSet()
        let events = moved(clock.follow(at: .now)) + endDueDays(at: .now)
        nextDayEnd.follow(locations, now: WallClock().now)
        return events + [.changedElsewhere]
    }

    /// Handles volume keys that the terminal itself delivered; `moment` is when they were read.
    func receive(terminal changes: [KeyChange], at moment: MonotonicTime) -> [SessionEvent] {
        if devices.inactive.contains(NodeReport.terminal.stableID) { return [] }
        if role == .viewer { return changes.contains(where: \.isDown) ? [.refused(Self.viewerNotice)] : [] }
        return translate(listener.receive(terminal: changes, at: moment)) + receiveTimers()
    }

    /// Releases all keys of the terminal, which can no longer report a release.
    func releaseTerminalKeys() -> [SessionEvent] { translate(listener.releaseTerminalKeys(at: .now)) }

    func followJournal(at now: MonotonicTime) -> [SessionEvent] {
        guard follower.hasChanged(at: now) else { return [] }
        let wasHidden = location.isHidden
        reload()
        timers.journalChanged()
        return [.changedElsewhere] + (location.isHidden && !wasHidden ? [.isHidden] : []) + takeReached()
            + receiveTimers()
    }

    /// Changes the location that is shown, and that is counted where nothing names another. What waits still counts where it
    /// was meant. Throws `JournalError`; then nothing has changed.
    func select(_ id: Identifier) throws(JournalError) {
        if try places.show(id) { ingestion.ownLocation = id }
    }

    /// Selects the location that is counted where the command line names none. Throws `ProgramError` where it is gone.
    func selectUsual() throws { try select(journal.existingLocation(named: settings.usualLocation).id) }

    /// The name of the location that an input device counts into; nil where that is the present one.
    func otherLocation(of device: Identifier) -> String? {
        guard let other = places.other(ingestion.location(of: device)) else { return nil }
        return other.isHidden ? "\(other.name) (hidden)" : other.name
    }

    // MARK: - By hand

    // These wait for `commit`, so that changes typed together are stored together.

    func count(_ type: EntryType, at id: Identifier? = nil) {
        let entry = Entry(type, deviceId: Devices.terminal, source: .manual)
        add(.entry(entry), .count(settings.step), at: id)
    }

    func reset() { add(.reset(Reset(to: 0))) }

    func undo(at id: Identifier? = nil) { add(.voidByWork, .undo(undoScope), at: id) }

    func redo(at id: Identifier? = nil) { add(.voidByWork, .redo(undoScope), at: id) }

    /// Queues what was typed. A viewer may make no change.
    private func add(_ content: RowContent, _ work: Request.Work = .append, at id: Identifier? = nil) {
        hasTyped = true
        guard role == .admin else { return }
        writer.add(
            Request(
                locationId: id ?? location.id, userId: LoginName.current, timestamp: WallClock().now, content,
                work))
    }

    var undoScope: UndoScope {
        UndoScope(
            userId: LoginName.current, deviceIds: devices.keysHere(of: LoginName.current), since: openedAfter,
            own: writer.own)
    }

    func commitTyped() -> [SessionEvent] {
        guard hasTyped else { return [] }
        hasTyped = false
        return role == .viewer ? [.refused(Self.viewerNotice)] : commit() + receiveTimers()
    }

    /// Appends all waiting requests as one transaction. Where that fails they keep waiting.
    func commit() -> [SessionEvent] {
        do throws(JournalError) {
            let receipts = try writer.commit(at: WallClock().now)
            note(receipts)
            return answered(receipts)
        } catch { return error.reason == .busy ? [.waits] : [.notice("\(error)")] }
    }
}

// MARK: - Immediate changes, whose result the caller needs

extension CountingSession {
    static let viewerNotice = "read-only view: nothing was changed"

    /// Appends a change of a location by hand. Throws `JournalError`; then nothing was appended.
    func append(
        _ content: RowContent, _ work: Request.Work = .append, at id: Identifier
    ) throws(JournalError) -> [Receipt] {
        try settle()
        let now = WallClock().now
        let request = Request(locationId: id, userId: LoginName.current, timestamp: now, content, work)
        let receipts = try writer.append([request], at: now)
        note(receipts)
        return receipts
    }

    /// The events for receipts that were noted, after `done` where none was refused; refusals have their own messages.
    func answered(_ receipts: [Receipt] = [], done: String? = nil) -> [SessionEvent] {
        let isRefused = receipts.contains { $0.refusal != nil }
        let events = done.map { isRefused ? [] : [SessionEvent.done($0)] } ?? []
        return events + [.answered(receipts)] + takeReached()
    }

    private func takeReached() -> [SessionEvent] {
        let reached = places.takeReached()
        if !reached.isEmpty { announcer.note(.target) }
        return reached.map(SessionEvent.targetReached)
    }

    /// Makes a change that is no count, and reads again what the session knows of the journal.
    func change<T>(_ body: (SQLiteJournal) throws -> T) throws -> T {
        try settle()
        defer { reload() }
        return try body(journal)
    }

    /// Commits waiting requests first, because an undo would otherwise void another change.
    private func settle() throws(JournalError) {
        guard waiting > 0 else { return }
        _ = commit()
        if let error = writer.error { throw error }
    }
}

// MARK: - Preferences

extension CountingSession {
    /// Stores another value of a setting, as it was typed; it applies at once. Throws where it is not valid or not stored.
    func set(_ preference: Preference, to text: String) throws(ProgramError) {
        preferences = try surroundings.changePreference(preference, text).get()
        announcer.cues = preferences.cues
        timers.apply(preferences.timers)
    }
}

// MARK: - From gestures to requests

extension CountingSession {
    private func translate(_ events: [ListenerEvent]) -> [SessionEvent] {
        let clock = WallClock()
        var result: [SessionEvent] = []
        let before = waiting
        var hasGestures = false
        for event in events {
            switch event {
            case .gesture(let device, let gesture):
                hasGestures = true
                result += queue(gesture, of: device, at: clock.timestamp(of: gesture.timestamp))
            case .inputDevicesChanged:
                if !result.contains(where: \.concernsInputDevices) { result.append(.inputDevicesChanged) }
            case .knob(let device): result += noteKnob(device)
            case .trouble(let text): result.append(.notice(text))
            case .fellBack(let fault): result.append(.notice("the counter-keys service \(fault.reason)"))
            }
        }
        if hasGestures, waiting > 0 || before > 0 { result += commit() }
        if result.contains(where: \.concernsInputDevices) { note(listener.inputDevices, at: clock.now) }
        return result
    }

    private func queue(_ gesture: VolumeEvent, of device: Identifier, at time: Timestamp) -> [SessionEvent] {
        var result: [SessionEvent] = []
        func count(_ type: EntryType, _ id: CountID, _ isRepeat: Bool) {
            ingestion.receive(
                Entry(type, deviceId: device, source: .hardware, continuesHold: isRepeat),
                times: settings.step,
                timestamp: time, token: id.rawValue)
            result += hiddenTarget(of: device)
        }
        switch gesture.type {
        case .volumeUp(let id, let isRepeat): count(.in, id, isRepeat)
        case .volumeDown(let id, let isRepeat): count(.out, id, isRepeat)
        case .takenBack(let counts):
            writer.takeBack(tokens: counts.map(\.rawValue), timestamp: time)
        case .simultaneousBoth where timers.isRinging: return acknowledgeAlarms(byKeys: true)
        case .simultaneousBoth, .reset:
            let reset = Reset(to: 0, deviceId: device)
            writer.add(
                Request(locationId: ingestion.location(of: device), timestamp: time, .reset(reset)))
        case .holdLimitReached:
            return [.notice("a key was down for too long; it is taken as released")]
        case .bothHeld: return startAcknowledgedTimersAgain()
        case .bothReleased: timers.forgetAcknowledged()
        }
        return result
    }

    func acknowledgeAlarms(byKeys: Bool = false) -> [SessionEvent] {
        if role == .viewer { return [.refused(Self.viewerNotice)] }
        do {
            try timers.acknowledgeAll(byKeys: byKeys)
            return receiveTimers()
        } catch { return [.notice(ProgramError(error).notice)] }
    }

    private func startAcknowledgedTimersAgain() -> [SessionEvent] {
        do {
            try timers.startAcknowledgedAgain()
            return receiveTimers()
        } catch { return [.notice(ProgramError(error).notice)] }
    }

    /// Says that an input device counts into a hidden location other than the present one, which has its own warning.
    private func hiddenTarget(of device: Identifier) -> [SessionEvent] {
        guard let hidden = places.other(ingestion.location(of: device)), hidden.isHidden else { return [] }
        let name = devices.name(
            of: device, own: inputDevices.first { $0.stableID == device }?.name ?? device.text)
        return [
            .refused("\(name) counts into '\(hidden.name)', which is hidden.", remedy: hidden.remedyToShow)
        ]
    }

    private func note(_ present: [InputDevice], at time: Timestamp) {
        connected.note(present.map { ($0.stableID, $0.name) }, at: time, location: ingestion.location(of:))
    }

    private func noteKnob(_ id: Identifier) -> [SessionEvent] {
        guard knobs.insert(id).inserted, let device = inputDevices.first(where: { $0.stableID == id }) else {
            return []
        }
        let name = devices.name(of: id, own: device.name)
        return [.refused("\(name) \(InputDevice.knobReason); \(device.knobRemedy)")]
    }

    /// What is due of the timers. `counter-ringer` is told the next end, so that it rings though no `counter` runs.
    func receiveTimers() -> [SessionEvent] {
        let events = timers.receive()
        if !events.isEmpty {
            announcer.note(
                nextEnd: timers.board.nextEnd(at: WallClock().now),
                hasEnded: events.contains(where: \.isEndOfTimer), isRinging: timers.isRinging)
        }
        for case .timerSignal(let signal, let timer) in events where signal.kind == .lastMinute {
            if timer.isSoundOn { announcer.say(timer.lastMinuteText) }
        }
        return events
    }

    private func announcements(at now: MonotonicTime) -> [SessionEvent] {
        announcer.receive(at: now).map { event in
            switch event {
            case .trouble(let text): .refused(text)
            case .bell: .unheard
            case .notShown: .notShown
            }
        }
    }

    /// Notes what is committed. Where the journal cannot be read after that, the next change reads it.
    private func note(_ receipts: [Receipt]) {
        announcer.note(receipts) { places.other($0)?.name }
        places.note(receipts)
    }
}

// MARK: - The journal

extension CountingSession {
    private func endDueDays(at moment: MonotonicTime) -> [SessionEvent] {
        guard role == .admin else { return [] }
        do throws(JournalError) {
            let receipts = try nextDayEnd.end(in: journal, locations, now: WallClock().now, at: moment)
            if receipts.isEmpty { return [] }
            note(receipts)
            return answered(receipts)
        } catch { return [.notice("\(error)")] }
    }

    private static func devices(
        _ journal: SQLiteJournal, _ ingestion: DeviceIngestionService
    ) throws(JournalError) -> Devices {
        let devices = try journal.devices()
        ingestion.update(devices: devices)
        return Devices(devices)
    }

    /// Reads again what clock rows have moved.
    private func moved(_ events: [SessionEvent]) -> [SessionEvent] {
        if events.contains(where: \.concernsJournal) { reload() }
        return events
    }

    /// Moves the rows that the clock has timed before it was set.
    func moveMistimed() throws -> [SessionEvent] {
        try settle()
        try journal.settleClock(byMoving: true, now: WallClock().now)
        return moved(clock.follow(at: .now))
    }

    /// Why what is counted has another journal id than what was counted before.
    private func takeNewId() -> [SessionEvent] { journal.takeNewId().map { [.notice($0.text)] } ?? [] }

    /// Reads again what the session knows of the journal. Where reading fails, what was known stays.
    private func reload() {
        places.reload()
        nextDayEnd.follow(locations, now: WallClock().now)
        guard let devices = try? Self.devices(journal, ingestion) else { return }
        // Room first: only so many can be ignored, and what was one too many may have room now.
        for id in self.devices.inactive.subtracting(devices.inactive) { listener.ignore(id, false) }
        for id in devices.inactive { listener.ignore(id, true) }
        self.devices = devices
    }
}

// MARK: - The end

extension CountingSession {
    /// Commits what still waits, after interception has ended. Throws `ProgramError` (74) where that fails.
    package func finish() throws(ProgramError) {
        defer { note([], at: WallClock().now) }
        try writer.finish("change") { _ = commit() }
    }
}
