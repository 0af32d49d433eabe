import Glibc
package import Linux

/// The client of `counter-ringer`. It starts the ringer with the first request and never before, and waits for nothing: a
/// ringer that hangs, dies or cannot be started is reported once, and nothing else changes.
package final class RingerClient {
    package enum Event: Hashable, Sendable {
        /// Something cannot be heard, with the reason and what to do; reported once.
        case trouble(String)
        /// A sound could not be played: the terminal's bell stands for it.
        case bell
        /// The desktop has not shown the end of a timer.
        case notShown
    }

    /// How long an answer may take, on a busy machine too.
    private static let timeout = Duration.seconds(10)
    /// The pause after a ringer has failed.
    private static let pause = Duration.seconds(30)
    /// The pause before a ringer is looked for that another program is just starting.
    private static let startPause = Duration.milliseconds(50)
    private static let maxStarts = 4
    /// How many requests wait for a ringer that starts; more would be heard too late.
    static let maxWaiting = 4

    private let executable: String
    private let journal: String
    private var link: RingerLink?
    /// The ringer has greeted.
    private var isReady = false
    private var waiting: [RingerRequest] = []
    /// Until when the ringer has to answer.
    private var answerBy: MonotonicTime?
    /// No ringer is started before.
    private var notBefore: MonotonicTime?
    private var starts = 0
    /// What `receive` returns next, each once.
    private var events: [Event] = []
    private var hasReported = false
    private var reportedParts: Set<RingerPart> = []
    /// The ringers that were started and whose end was not collected yet: each stays in the process table until then.
    private var processes: [DetachedProcess] = []

    package init(executable: String, journal: String) {
        (self.executable, self.journal) = (executable, journal)
    }

    /// Has a ringer look at the timers of the journal: it rings what is due, arms the next end, and ends. Nothing is waited for.
    package func lookAtTimers() {
        if let process = try? DetachedProcess([executable, "--data-dir", journal]) {
            processes.append(process)
        }
    }

    /// Sends requests, or has them wait for a ringer, which is started if none is connected.
    package func send(_ requests: [RingerRequest], at now: MonotonicTime) {
        for request in requests {
            // Only the newest text is worth saying, and one look at the timers suffices.
            waiting.removeAll { $0.isReplaced(by: request) }
            waiting.append(request)
            let sounds = waiting.indices.filter { waiting[$0].isSound }
            if sounds.count > Self.maxWaiting, let oldest = sounds.first { waiting.remove(at: oldest) }
        }
        sendWaiting(at: now)
    }

    private func sendWaiting(at now: MonotonicTime) {
        guard !waiting.isEmpty else { return }
        if link == nil {
            if let notBefore, now < notBefore {
                // Sounds must not come late; the timers are still to be looked at.
                if starts == 0 { dropSounds() }
                return
            }
            do throws(SystemCallError) { try open(at: now) } catch {
                return fail("cannot be started: \(error.reason)", at: now)
            }
        }
        guard isReady, let link else { return }
        do throws(SystemCallError) { try link.send(waiting) } catch { return fail("has ended", at: now) }
        waiting = []
        if answerBy == nil { answerBy = now + Self.timeout }
    }

    private func open(at now: MonotonicTime) throws(SystemCallError) {
        guard let place = RingerPlace(journal: journal) else {
            throw SystemCallError(call: "stat", subject: journal, errno: ENOENT)
        }
        let link = try RingerLink(place, executable: executable, journal: journal)
        if let process = link.process { processes.append(process) }
        // Where the ringer has ended already, `receive` notices it.
        try? link.send([.hello(version: RingerProtocol.version)])
        self.link = link
        isReady = false
        notBefore = nil
        starts += 1
        answerBy = now + Self.timeout
    }

    // MARK: - For the loop

    /// Waits for the ringer's connection, and for the end of each ringer that was started.
    package func watch(_ polled: inout PollSet) {
        _ = link?.connection.watch(&polled)
        for process in processes { polled.add(process.number) }
    }

    /// When to call `receive` though the descriptor is not ready; `nil` at rest.
    package var deadline: MonotonicTime? {
        if !events.isEmpty { return MonotonicTime(microseconds: 0) }
        return answerBy ?? (waiting.isEmpty ? nil : notBefore)
    }

    package func receive(at now: MonotonicTime) -> [Event] {
        processes.removeAll { $0.endStatus() != nil }
        receiveReplies(at: now)
        sendWaiting(at: now)
        defer { events = [] }
        return events
    }

    private func receiveReplies(at now: MonotonicTime) {
        guard let link else { return }
        guard let replies = link.receive(at: now) else { return handleEnd(at: now) }
        for reply in replies { handle(reply, at: now) }
        if let answerBy, now >= answerBy { return fail("does not answer", at: now) }
        guard self.link != nil else { return }
        do throws(SystemCallError) { try link.connection.flush() } catch { handleEnd(at: now) }
    }

    private func tell(_ event: Event) {
        if !events.contains(event) { events.append(event) }
    }

    private func handle(_ reply: RingerReply, at now: MonotonicTime) {
        switch reply {
        case .hello(let version):
            guard version == RingerProtocol.version else {
                return fail("is of another version; install counter and counter-ringer together", at: now)
            }
            (isReady, starts, answerBy) = (true, 0, nil)
        case .taken: answerBy = nil
        case .missing(.bus, _), .missing(.notifications, _): tell(.notShown)
        case .missing(let part, let reason):
            if part == .sound { tell(.bell) }
            guard reportedParts.insert(part).inserted else { return }
            tell(.trouble("no \(part.rawValue): \(reason); counter doctor tells more"))
        }
    }

    /// A ringer that ends before its greeting has found another one that runs, and that is to be connected to.
    private func handleEnd(at now: MonotonicTime) {
        if !isReady, starts < Self.maxStarts {
            close()
            notBefore = now + Self.startPause
        } else if !waiting.isEmpty || answerBy != nil {
            fail("has ended", at: now)
        } else {
            close()
        }
    }

    /// Leaves the ringer, which ends then where nothing rings; not while something waits.
    package func leave() {
        if waiting.isEmpty, answerBy == nil { close() }
    }

    private func close() { (link, isReady, answerBy) = (nil, false, nil) }

    private func fail(_ reason: String, at now: MonotonicTime) {
        // A ringer that hangs keeps the lock, so that no other could be started.
        if answerBy.map({ now >= $0 }) == true, let process = link?.process { kill(process.id, SIGKILL) }
        close()
        dropSounds()
        (starts, notBefore) = (0, now + Self.pause)
        if hasReported { return }
        hasReported = true
        tell(.trouble("counter-ringer \(reason): sounds, speech and notifications are left out"))
        tell(.notShown)
    }

    /// Drops what would be heard too late.
    private func dropSounds() {
        if waiting.contains(where: \.isSound) { tell(.bell) }
        waiting.removeAll { $0 != .timers }
    }
}

/// A connection to a ringer: one that runs already for this journal, or one that is started for it.
private final class RingerLink {
    let connection: StreamConnection
    /// The process that was started for this connection; `nil` for a ringer that ran already.
    let process: DetachedProcess?
    private var lines = LineSplitter(longest: RingerProtocol.maxLine)

    /// Connects to the journal's ringer, else starts one; waits for neither. Throws `ENOENT` where there is no executable.
    init(_ place: RingerPlace, executable: String, journal: String) throws(SystemCallError) {
        if let running = try? StreamListener.connect(place.socket) {
            connection = StreamConnection(running, maxUnsent: Self.maxUnsent)
            process = nil
            return
        }
        var ends: [CInt] = [-1, -1]
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try systemCall("socketpair") { socketpair(AF_UNIX, type, 0, &ends) }
        let theirs = Descriptor(owning: ends[1])
        connection = StreamConnection(Descriptor(owning: ends[0]), maxUnsent: Self.maxUnsent)
        process = try DetachedProcess(
            [executable, "serve", journal, String(DetachedProcess.passedDescriptor)], passing: theirs.number)
    }

    private static let maxUnsent = 16_384

    func send(_ requests: [RingerRequest]) throws(SystemCallError) {
        for request in requests { connection.append(request.line + "\n") }
        try connection.flush()
    }

    /// - Returns: the replies; `nil` where the ringer has ended, floods, or says what it may not say.
    func receive(at now: MonotonicTime) -> [RingerReply]? {
        guard let bytes = connection.receive(at: now), let arrived = try? lines.add(bytes) else { return nil }
        let replies = arrived.compactMap(RingerReply.init(line:))
        return replies.count == arrived.count ? replies : nil
    }
}

extension RingerRequest {
    fileprivate var isSound: Bool { if case .sound = self { true } else { false } }

    /// Whether a later request makes this one needless.
    fileprivate func isReplaced(by later: RingerRequest) -> Bool {
        switch (self, later) {
        case (.speak, .speak), (.timers, .timers): true
        case (.hello, _), (.sound, _), (.speak, _), (.timers, _): false
        }
    }
}

// MARK: - Checks

/// Asks `counter-ringer` which parts of the system are missing.
package enum RingerSurvey {
    /// How long `counter-ringer check` may take: its own second, and its start.
    private static let timeout = Duration.seconds(2)

    /// Runs `counter-ringer check` for the parts that are needed, and waits at most `timeout` for what it prints. Returns those
    /// that are missing, with the reasons; throws `ProgramError` (69) where the program does not run or does not answer.
    package static func missing(
        of parts: [RingerPart], executable: String
    ) throws(ProgramError) -> [(part: RingerPart, reason: String)] {
        if parts.isEmpty { return [] }
        func failure(_ what: String) -> ProgramError {
            ProgramError(
                "\(executable) \(what), so nothing is heard",
                remedy: "Install counter and counter-ringer together, "
                    + "with the libraries that the package recommends.",
                status: EX_UNAVAILABLE)
        }
        let answer: [RingerReply]?
        do { answer = try replies([executable, "check"] + parts.map(\.rawValue)) } catch {
            throw failure("does not run")
        }
        guard let answer else { throw failure("does not answer") }
        return answer.compactMap { reply in
            if case .missing(let part, let reason) = reply { (part, reason) } else { nil }
        }
    }

    /// What a program prints; `nil` where it takes too long. Throws where it cannot be started or fails.
    private static func replies(_ words: [String]) throws -> [RingerReply]? {
        var ends: [CInt] = [-1, -1]
        try systemCall("pipe") { pipe(&ends) }
        let reader = Descriptor(owning: ends[0])
        _ = fcntl(reader.number, F_SETFL, O_NONBLOCK)
        let process: DetachedProcess
        do {
            // Closed here once the process has it.
            let writer = Descriptor(owning: ends[1])
            _ = fcntl(writer.number, F_SETFD, FD_CLOEXEC)
            process = try DetachedProcess(words, output: writer.number)
        }
        defer { process.end() }
        _ = try PollSet.result(of: process.number, until: .now + timeout)
        guard let status = process.endStatus() else { return nil }
        if status != 0 { throw SystemCallError(call: "execve", subject: words[0], errno: ENOEXEC) }
        // What it prints is shorter than what a pipe holds, 64 KiB.
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = try buffer.withUnsafeMutableBytes { bytes in try reader.read(into: bytes) }
        var lines = LineSplitter(longest: RingerProtocol.maxLine)
        return try lines.add(buffer[..<count]).compactMap(RingerReply.init(line:))
    }
}
