import CounterModel
import CounterStore
import Descriptors
import Glibc
import VolumeInput

/// Something that happened, for a front to show.
enum SessionEvent {
    /// These requests are stored or answered; the state has been read anew.
    case stored([Receipt])
    /// Another program has changed the journal.
    case changedElsewhere
    /// Sources came, went, or are treated differently.
    case sourcesChanged
    /// Another program holds the journal; what waits is stored as soon as it lets go.
    case waits
    /// Something to know.
    case notice(String)
}

/// Counting, whatever shows it: gestures in, entries into the journal, what became of them out.
final class CountingSession {
    /// How long a commit may wait for another program: far less than the key server's patience with this one.
    private static let busyTimeout = 0.1
    /// How long to wait for another program before leaving something unstored.
    private static let lastPatience = Duration.seconds(5)
    /// How long to wait before the next try.
    private static let busyPause = Duration.milliseconds(50)

    let location: Location
    /// What is committed for `location`; the only count that may be shown.
    private(set) var state: CounterState
    private(set) var recent = RecentChanges()
    private(set) var devices: Devices
    /// Why the last commit failed; `nil` once one has gone through.
    private(set) var storageError: JournalError?

    private let journal: SQLiteJournal
    private let service: CounterService<SQLiteJournal>
    private let listener: VolumeListener
    private let follower: JournalFollower
    private let user: String
    /// When a commit is tried again that found the journal held.
    private var retryAt: MonotonicTime?
    private var hasTyped = false
    private var seenSources: Set<String> = []

    /// Opens the journal and prepares to listen; nothing is listened to before `attend`.
    ///
    /// - Throws: `Failure`
    init(_ settings: Settings) throws(Failure) {
        do {
            journal = try SQLiteJournal(
                directory: settings.dataDirectory, timezone: Paths.timezone, busyTimeout: Self.busyTimeout)
            location = try Location.named(settings.location, in: journal)
            service = CounterService(repository: journal)
            state = try journal.existingState(of: location.id)
            devices = Devices(try journal.devices())
            follower = try JournalFollower(journal, directory: settings.dataDirectory)
        } catch { throw Failure(error) }
        var request = KeyClientSettings()
        request.meanings = settings.meanings
        request.onlyPaths = settings.devicePaths
        request.ignoredSources = devices.inactive
        let client = KeyClient(executable: try Paths.keyServer(), settings: request)
        listener = VolumeListener(client: client, timing: settings.timing(of:))
        user = Users.current
    }

    // MARK: - For the loop

    /// The key socket; `nil` while there is no key server.
    var keyDescriptor: CInt? { listener.number }
    /// Becomes readable when anybody has written to the journal.
    var journalDescriptor: CInt { follower.number }
    /// When `receive` and `followJournal` are to be called though nothing is readable.
    var deadline: MonotonicTime? { [listener.deadline, follower.deadline, retryAt].compactMap(\.self).min() }

    /// How many changes are not stored yet.
    var waiting: Int { service.waiting }
    var sources: [Source] { listener.sources }
    var environment: InputEnvironment? { listener.environment }

    /// Says what is to happen with the volume keys from now on.
    func attend(_ attention: Attention) -> [SessionEvent] {
        translate(listener.attend(attention, at: .now))
    }

    /// Takes in all key presses that can be read and lets time pass; what they count is committed together.
    func receive(at now: MonotonicTime) -> [SessionEvent] {
        let events = translate(listener.receive(at: now))
        guard let retryAt, now >= retryAt else { return events }
        return events + commit()
    }

    /// Looks whether another program has changed the journal.
    func followJournal(at now: MonotonicTime) -> [SessionEvent] {
        guard follower.hasChanged(at: now) else { return [] }
        reload()
        return [.changedElsewhere]
    }

    // MARK: - By hand

    // These wait for `commit`, so that what was typed in one go is stored in one go.

    func count(_ type: EntryType) {
        hasTyped = true
        service.count(
            type, device: Devices.terminal, location: location.id, user: user, timestamp: WallClock().now,
            source: .manual)
    }

    func reset() {
        hasTyped = true
        service.reset(location: location.id, user: user, timestamp: WallClock().now)
    }

    func undo() {
        hasTyped = true
        service.undo(location: location.id, user: user, timestamp: WallClock().now)
    }

    /// Stores what was typed since the last commit; nothing where nothing was.
    func commitTyped() -> [SessionEvent] {
        guard hasTyped else { return [] }
        hasTyped = false
        return commit()
    }

    /// Appends what waits, all of it as one transaction. Where that fails it keeps waiting.
    func commit() -> [SessionEvent] {
        retryAt = nil
        do throws(JournalError) {
            let receipts = try service.commit(receivedAt: WallClock().now)
            storageError = nil
            state = try journal.existingState(of: location.id)
            for receipt in receipts where receipt.request.locationId == location.id { note(receipt) }
            return [.stored(receipts)]
        } catch {
            storageError = error
            guard error.reason == .busy else { return [.notice("\(error)")] }
            retryAt = .now + Self.busyPause
            return [.waits]
        }
    }
}

// MARK: - From gestures to requests

extension CountingSession {
    private func translate(_ events: [ListenerEvent]) -> [SessionEvent] {
        let clock = WallClock()
        var result: [SessionEvent] = []
        let before = service.waiting
        var hasGestures = false
        for event in events {
            switch event {
            case .gesture(let source, let gesture):
                hasGestures = true
                if let event = apply(gesture, of: source, at: clock.timestamp(of: gesture.timestamp)) {
                    result.append(event)
                }
            case .sourcesChanged:
                if !result.contains(where: \.concernsSources) { result.append(.sourcesChanged) }
            case .trouble(let text): result.append(.notice(text))
            }
        }
        if hasGestures, service.waiting > 0 || before > 0 { result += commit() }
        if result.contains(where: \.concernsSources) { noteSources(at: clock.now) }
        return result
    }

    private func apply(_ gesture: VolumeEvent, of source: String, at time: Timestamp) -> SessionEvent? {
        let owner = devices.location(of: source, else: location.id)
        switch gesture.type {
        case .volumeUp(let count, let isRepeat): enter(.in, count, isRepeat, source, owner, time)
        case .volumeDown(let count, let isRepeat): enter(.out, count, isRepeat, source, owner, time)
        case .takenBack(let counts): service.takeBack(tokens: counts.map(\.rawValue), timestamp: time)
        case .simultaneousBoth, .reset: service.reset(location: owner, device: source, timestamp: time)
        case .holdLimitReached:
            return .notice("a key was down for too long; it is taken as released")
        }
        return nil
    }

    private func enter(
        _ type: EntryType, _ count: CountID, _ isRepeat: Bool, _ source: String, _ owner: String,
        _ time: Timestamp
    ) {
        service.count(
            type, device: source, location: owner, timestamp: time, source: .hardware, token: count.rawValue,
            continuesHold: isRepeat)
    }

    private func note(_ receipt: Receipt) {
        switch (receipt.outcome, receipt.request.change) {
        case (.accepted, .entry(let entry)), (.acceptedInNewEpoch, .entry(let entry)):
            recent.note(entry.type == .in ? .up : .down, at: receipt.request.timestamp)
        case (.accepted, .reset): recent.note(.reset, at: receipt.request.timestamp)
        case (.accepted, .void), (.undone, _): recent.note(.undone, at: receipt.request.timestamp)
        case (.accepted, .undo), (.acceptedInNewEpoch, _), (.duplicate, _), (.nothingToUndo, _),
            (.nothingToVoid, _),
            (.refused, _):
            break
        }
    }
}

// MARK: - The journal

extension CountingSession {
    /// Where reading fails the last known state stays.
    private func reload() {
        if let state = try? journal.existingState(of: location.id), state != self.state {
            self.state = state
            // What another program did last is not known here.
            recent = RecentChanges()
        }
        guard let devices = (try? journal.devices()).map(Devices.init) else { return }
        let concerned = devices.inactive.symmetricDifference(self.devices.inactive)
        self.devices = devices
        for id in concerned { listener.ignore(id, devices.inactive.contains(id)) }
    }

    /// Makes new sources known to the journal, so that they can be named and assigned while they are away.
    private func noteSources(at time: Timestamp) {
        for source in listener.sources where seenSources.insert(source.stableID).inserted {
            try? journal.seen(device: source.stableID, name: source.name, at: time)
        }
    }
}

extension SessionEvent {
    fileprivate var concernsSources: Bool {
        switch self {
        case .sourcesChanged: true
        case .stored, .changedElsewhere, .waits, .notice: false
        }
    }
}

// MARK: - The end

extension CountingSession {
    /// Gives all keys back and stores what still waits.
    ///
    /// - Throws: `Failure` (74) where something could not be stored.
    func finish() throws(Failure) {
        _ = attend(.away)
        let end = MonotonicTime.now + Self.lastPatience
        while service.waiting > 0 {
            _ = commit()
            // Only another program that holds the journal is worth waiting for.
            guard storageError?.reason == .busy, MonotonicTime.now < end else { break }
        }
        guard service.waiting > 0, let storageError else { return }
        let changes = service.waiting == 1 ? "1 change is" : "\(service.waiting) changes are"
        throw Failure(
            "\(changes) not stored: \(storageError)", remedy: storageError.reason.remedy, status: EX_IOERR)
    }
}
