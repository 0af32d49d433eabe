import Alarms
import CounterStore
import Glibc
import Linux
import Sound

/// Makes heard and seen what `counter` asks for: one thread around one poll loop. One for each journal and user.
final class Ringer {
    /// How many clients may be connected. One more takes the place of the one that has said nothing for the longest time.
    private static let maxClients = 64
    /// How long a sound server that does not do what it is asked for is left alone: each sound would come late.
    private static let serverPause = Duration.seconds(30)

    private let journal: String
    private let place: RingerPlace
    private let listener: StreamListener
    private let signals: SignalDescriptor
    private let timer: TimerDescriptor
    private var ringing: AlarmRinging?
    private var clients: [ConnectedClient] = []
    private var acceptPause = AcceptPause()
    private var sound: PulseSound?
    /// The sound server that does not work: why, and until when none is connected to.
    private var broken: (reason: String, until: MonotonicTime)?
    private let aplay = AplayPlayer()
    private let speech = Speech()
    /// The client that asked last for something that a part does.
    private var listeners: [RingerPart: ConnectedClient] = [:]
    /// What was said last, and which client asked for it.
    private var said: (text: String, client: ObjectIdentifier, at: MonotonicTime)?
    /// The clients know that the desktop shows nothing.
    private var hasToldNotShown = false
    /// The last text was that of an alarm.
    private var saysAlarm = false
    private var isToEnd = false

    /// How long a text that another client asks for too is not said again.
    private static let sameText = Duration.seconds(2)

    /// Takes the journal's lock and listens for clients, beside the one that has started the ringer. Throws `EWOULDBLOCK`
    /// where another ringer serves the journal.
    init(
        for journal: String, at place: RingerPlace, client: consuming Descriptor?
    ) throws(SystemCallError) {
        signals = try SignalDescriptor([SIGTERM, SIGINT, SIGHUP])
        try makeOwnDirectory(place.directory)
        listener = try StreamListener(place.socket, lock: LockFile(place.lock))
        timer = try TimerDescriptor()
        (self.journal, self.place) = (journal, place)
        if let client { clients = [ConnectedClient(client, at: .now)] }
    }

    /// Rings what is due in the journal, and has the next end armed. At a login the units of the one before are gone.
    func lookAtTimers(isLogin: Bool = false) {
        if ringing == nil { openJournal() }
        if isLogin { ringing?.forgetUnit() }
        ringing?.journalChanged()
        ring()
    }

    private func openJournal() {
        do { ringing = try AlarmRinging(journal: journal, at: place) } catch {
            if (error as? JournalError)?.reason == .missing { AlarmRegistry(place).write(nil) }
        }
    }

    private func ring() {
        for sound in ringing?.update() ?? [] {
            switch sound {
            case .tone(let volume): play(.alarm, volume: volume)
            case .text(let text):
                saysAlarm = true
                _ = speech.say(text, at: .now)
            case .silence:
                self.sound?.stopAlarm()
                aplay.stopAlarm()
                if saysAlarm { speech.stop() }
                saysAlarm = false
            }
        }
        if let reason = ringing?.notShown, !hasToldNotShown {
            for client in clients { client.send(.missing(.notifications, reason: reason)) }
        }
        hasToldNotShown = ringing?.notShown != nil
    }

    private func play(_ tone: Tone, volume: Int) {
        if let broken, .now < broken.until { return playAlone(tone, volume: volume, because: broken.reason) }
        guard let server = sound ?? PulseSound() else {
            return playAlone(tone, volume: volume, because: "it cannot be connected to")
        }
        sound = server
        server.play(tone, volume: volume)
        checkSound()
    }

    /// Serves until no client is connected and nothing is left to say.
    func run() throws(SystemCallError) {
        while !isToEnd, !clients.isEmpty || isBusy { try turn() }
        sound?.close()
    }

    private func turn() throws(SystemCallError) {
        var polled = PollSet()
        let signal = polled.add(signals.number)
        let due = polled.add(timer.number)
        let arrival = acceptPause.isOver(at: .now) ? polled.add(listener.number) : nil
        for client in clients { client.watch(&polled) }
        speech.watch(&polled)
        aplay.watch(&polled)
        ringing?.watch(&polled)
        try timer.arm(deadline)
        if let sound { try sound.wait(for: &polled, until: nil) } else { try polled.wait() }
        if !polled.result(at: due).isEmpty { timer.acknowledge() }
        if !polled.result(at: signal).isEmpty { isToEnd = true }
        handle(polled)
        ring()
        if let arrival, !polled.result(at: arrival).isEmpty { accept(at: .now) }
        if clients.contains(where: \.isOver) { dismiss(\.isOver) }
    }

    private var deadline: MonotonicTime? {
        [
            speech.deadline, aplay.deadline, sound?.deadline, ringing?.deadline, acceptPause.end,
            clients.map(\.deadline).min(),
        ].compactMap(\.self).min()
    }

    private func accept(at now: MonotonicTime) {
        do throws(SystemCallError) {
            guard let socket = try listener.accept() else { return }
            if clients.count >= Self.maxClients, let idlest = clients.min(by: { $0.lastHeard < $1.lastHeard })
            {
                dismiss { $0 === idlest }
            }
            clients.append(ConnectedClient(socket, at: now))
        } catch { acceptPause.begin(at: now) }
    }

    /// Closes connections, to which nothing may refer any more.
    private func dismiss(_ isDismissed: (ConnectedClient) -> Bool) {
        clients.removeAll(where: isDismissed)
        listeners = listeners.filter { !isDismissed($0.value) }
        acceptPause.cancel()
    }

    private var isBusy: Bool {
        speech.isBusy || aplay.isBusy || ringing?.isBusy ?? false
            || sound.map { $0.failure == nil && !$0.unplayed.isEmpty } ?? false
    }

    private func handle(_ polled: PollSet) {
        let now = MonotonicTime.now
        if let reason = speech.handle(polled, at: now) { report(.speech, reason) }
        if aplay.hasFailed(at: now) { report(.sound, "aplay has failed") }
        checkSound()
        for client in clients {
            let requests = client.handle(polled, at: now)
            for request in requests { carryOut(request, for: client, at: now) }
            if !requests.isEmpty { client.send(.taken) }
        }
        checkSound()
    }

    private func carryOut(_ request: RingerRequest, for client: ConnectedClient, at now: MonotonicTime) {
        switch request {
        case .hello: break
        case .timers:
            lookAtTimers()
            if let reason = ringing?.notShown { client.send(.missing(.notifications, reason: reason)) }
        case .sound(let cue, let volume):
            listeners[.sound] = client
            play(Tone(cue), volume: volume)
        case .speak(let text):
            listeners[.speech] = client
            // Each program on the journal says what it sees of a timer.
            if let said, said.text == text, said.client != ObjectIdentifier(client),
                now < said.at + Self.sameText
            {
                break
            }
            said = (text, ObjectIdentifier(client), now)
            saysAlarm = false
            if let reason = speech.say(text, at: now) { report(.speech, reason) }
        }
    }

    /// Plays without a server what a server could not play. A later sound looks for a server again.
    private func checkSound() {
        guard let server = sound, let reason = server.failure else { return }
        let unplayed = server.unplayed
        sound = nil
        if server.isBroken { broken = (reason, .now + Self.serverPause) }
        guard let (tone, volume) = unplayed.last(where: { $0.tone == .alarm }) ?? unplayed.last else {
            return
        }
        playAlone(tone, volume: volume, because: reason)
    }

    private func playAlone(_ tone: Tone, volume: Int, because reason: String) {
        do throws(SystemCallError) { try aplay.play(tone, volume: volume) } catch { report(.sound, reason) }
    }

    /// Reports to the client that asked last; to all what none has asked for, which is an alarm.
    private func report(_ part: RingerPart, _ reason: String) {
        for client in listeners[part].map({ [$0] }) ?? clients { client.send(.missing(part, reason: reason)) }
    }
}
