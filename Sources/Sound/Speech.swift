import Glibc
package import Linux

/// Says texts through speech-dispatcher, by its protocol SSIP (https://freebsoft.org/doc/speechd/ssip.html). Never waits:
/// a server that takes nothing misses all texts but the newest.
package final class Speech {
    /// How long an answer may take, the server's start included.
    private static let timeout = Duration.seconds(10)
    private static let startPause = Duration.milliseconds(100)

    private enum State {
        case closed
        /// `speech-dispatcher --spawn` runs.
        case starting(DetachedProcess)
        /// It has ended well, and its socket is not there yet.
        case started(nextLook: MonotonicTime)
        case open(SpeechConnection)
    }

    private var state = State.closed
    /// The newest text that was not handed to the server.
    private var text: String?
    private var failBy: MonotonicTime?
    private var hasStartedServer = false
    private var index: Int?

    private let language: String?
    private let volume: Int?

    /// Prepares to speak; connects with the first text.
    ///
    /// - Parameters:
    ///   - language: of the texts, such as `en`; `nil` for that of the locale.
    ///   - volume: -100...100; `nil` for the server's own.
    package init(language: String? = nil, volume: Int? = nil) {
        self.language = language
        self.volume = volume
    }

    /// How many texts were spoken to their end; counted only with a volume.
    package var completed: Int {
        guard case .open(let connection) = state else { return 0 }
        return connection.completed
    }

    /// Says a text; it interrupts what is being said.
    ///
    /// - Returns: why nothing can be said; `nil` where that is not known.
    package func say(_ text: String, at now: MonotonicTime) -> String? {
        self.text = text
        switch state {
        case .closed:
            failBy = now + Self.timeout
            return connect(at: now)
        case .starting, .started: return nil
        case .open: return send(at: now)
        }
    }

    /// Stops what is being said, and drops what waits.
    package func stop() {
        text = nil
        // The server starts or is gone: nothing is being said.
        guard case .open(let connection) = state, !connection.isStalled else { return }
        _ = connection.cancel()
    }

    /// Connects, and says nothing. The server is known to answer once `isBusy` is false.
    ///
    /// - Returns: why nothing can be said; `nil` where that is not known.
    package func open(at now: MonotonicTime) -> String? {
        failBy = now + Self.timeout
        return connect(at: now)
    }

    /// The server is being started.
    package var isStarting: Bool {
        switch state {
        case .starting, .started: true
        case .closed, .open: false
        }
    }

    /// Something waits to be said.
    package var isBusy: Bool { text != nil || failBy != nil }

    /// When to call `handle` though nothing happened.
    package var deadline: MonotonicTime? {
        guard case .started(let nextLook) = state else { return failBy }
        return failBy.map { min($0, nextLook) } ?? nextLook
    }

    /// Adds the descriptor to wait for.
    package func watch(_ polled: inout PollSet) {
        switch state {
        case .closed, .started: index = nil
        case .starting(let process): index = polled.add(process.number)
        case .open(let connection): index = connection.watch(&polled)
        }
    }

    /// Handles what has happened.
    ///
    /// - Returns: why nothing can be said; `nil` where nothing is wrong.
    package func handle(_ polled: PollSet, at now: MonotonicTime) -> String? {
        let hasEvent = index.map { !polled.result(at: $0).isEmpty } ?? false
        if let failBy, now >= failBy, !hasEvent { return fail("speech-dispatcher does not answer") }
        switch state {
        case .closed: return nil
        case .starting(let process): return noteStart(process.endStatus(), at: now)
        case .started(let nextLook): return now >= nextLook ? connect(at: now) : nil
        case .open(let connection):
            guard hasEvent else { return nil }
            guard let isAnswered = connection.receive(at: now) else {
                return fail("speech-dispatcher has ended")
            }
            if isAnswered { failBy = nil }
            // Also one that sends other things meanwhile.
            if let failBy, now >= failBy { return fail("speech-dispatcher does not answer") }
            return send(at: now)
        }
    }

    private func connect(at now: MonotonicTime) -> String? {
        do throws(SystemCallError) {
            state = .open(try SpeechConnection(language: language, volume: volume))
            return send(at: now)
        } catch {
            if case .started = state {
                state = .started(nextLook: now + Self.startPause)
                return nil
            }
            if error.errno == EPERM { return fail("speech-dispatcher is another user's") }
            return hasStartedServer ? fail(error.reason) : startServer()
        }
    }

    private func startServer() -> String? {
        hasStartedServer = true
        do throws(SystemCallError) {
            state = .starting(try DetachedProcess(["speech-dispatcher", "--spawn"]))
            return nil
        } catch {
            return fail(error.errno == ENOENT ? "speech-dispatcher is not installed" : "\(error)")
        }
    }

    private func noteStart(_ status: CInt?, at now: MonotonicTime) -> String? {
        guard let status else { return nil }
        if status != 0 { return fail("speech-dispatcher does not start") }
        state = .started(nextLook: now)
        return connect(at: now)
    }

    private func send(at now: MonotonicTime) -> String? {
        guard case .open(let connection) = state else { return nil }
        guard connection.flush() else { return fail("speech-dispatcher has ended") }
        guard let text, !connection.isStalled else { return nil }
        self.text = nil
        if failBy == nil { failBy = now + Self.timeout }
        return connection.say(text) ? nil : fail("speech-dispatcher has ended")
    }

    private func fail(_ reason: String) -> String {
        (state, text, failBy) = (.closed, nil, nil)
        return reason
    }
}
