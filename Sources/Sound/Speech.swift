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

    /// Connects with the first text. The language is such as `en`, `nil` for that of the locale; the volume is -100...100,
    /// `nil` for the server's own.
    package init(language: String? = nil, volume: Int? = nil) {
        (self.language, self.volume) = (language, volume)
    }

    /// How many texts were spoken to their end since the last call; counted only with a volume.
    package func takeCompleted() -> Int {
        guard case .open(let connection) = state else { return 0 }
        defer { connection.completed = 0 }
        return connection.completed
    }

    /// Says a text; it interrupts what is being said. Returns why nothing can be said, where that is known.
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

    /// Connects, and says nothing: the server answers once `isBusy` is false. Returns why it cannot, where that is known.
    package func open(at now: MonotonicTime) -> String? {
        failBy = now + Self.timeout
        return connect(at: now)
    }

    package var isStarting: Bool {
        switch state {
        case .starting, .started: true
        case .closed, .open: false
        }
    }

    /// Something waits to be said.
    package var isBusy: Bool { text != nil || failBy != nil }

    package var deadline: MonotonicTime? {
        guard case .started(let nextLook) = state else { return failBy }
        return failBy.map { min($0, nextLook) } ?? nextLook
    }

    package func watch(_ polled: inout PollSet) {
        switch state {
        case .closed, .started: index = nil
        case .starting(let process): index = polled.add(process.number)
        case .open(let connection): index = connection.watch(&polled)
        }
    }

    /// Handles what has happened. Returns why nothing can be said; `nil` where nothing is wrong.
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

/// A connection to speech-dispatcher's socket.
final class SpeechConnection {
    private let connection: StreamConnection
    /// The answers that the server still owes.
    private var awaited = 0
    private var partial: [UInt8] = []
    /// How many texts were spoken to their end and not taken yet, where the server was asked to tell.
    fileprivate(set) var completed = 0

    /// Connects, and names this client, its priority and its language. A text of priority `notification` interrupts an earlier
    /// one. With a volume the server is also asked to tell which texts it finishes. Throws `ENOENT` or `ECONNREFUSED` where
    /// no server listens, `EPERM` where the one that does is another user's.
    init(language: String? = nil, volume: Int? = nil) throws(SystemCallError) {
        connection = StreamConnection(try StreamListener.connect(Self.path))
        send("SET SELF CLIENT_NAME \(LoginName.current):counter:main\r\n", answers: 1)
        send("SET SELF PRIORITY notification\r\n", answers: 1)
        if let language = language ?? Self.language { send("SET SELF LANGUAGE \(language)\r\n", answers: 1) }
        if let volume {
            send("SET SELF VOLUME \(volume)\r\n", answers: 1)
            send("SET SELF NOTIFICATION END on\r\n", answers: 1)
        }
    }

    /// `SPEECHD_ADDRESS`, else `speech-dispatcher/speechd.sock` in the runtime or else the cache directory.
    private static var path: String {
        let prefix = "unix_socket:"
        if let address = environmentVariable("SPEECHD_ADDRESS"), address.utf8.starts(with: prefix.utf8) {
            return String(address.unicodeScalars.dropFirst(prefix.count))
        }
        let cache =
            environmentVariable("XDG_CACHE_HOME") ?? (environmentVariable("HOME") ?? "") + "/.cache"
        return (environmentVariable("XDG_RUNTIME_DIR") ?? cache) + "/speech-dispatcher/speechd.sock"
    }

    /// The language of the locale, such as `de`; `nil` for the C locale.
    private static var language: String? {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(environmentVariable).first { !$0.isEmpty }
        let language = (locale ?? "").prefix { $0.isASCII && $0.isLetter }
        return 2...3 ~= language.count ? String(language) : nil
    }

    /// Says a text. Returns false where the server has ended.
    func say(_ text: String) -> Bool {
        send("SPEAK\r\n\(Self.line(text))\r\n.\r\n", answers: 2)
        return flush()
    }

    /// A text as one line of the protocol. By scalars, because CR LF is one `Character`, and so is a dot with a combining mark.
    static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 })
        // A line that begins with a dot would be the end of the text.
        if line.first == "." { line.insert(".", at: line.startIndex) }
        return String(line)
    }

    /// Stops what is being said for this client. Returns false where the server has ended.
    func cancel() -> Bool {
        send("CANCEL SELF\r\n", answers: 1)
        return flush()
    }

    private func send(_ text: String, answers: Int) {
        connection.append(text)
        awaited += answers
    }

    /// The server has not taken what was sent.
    var isStalled: Bool { !connection.unsent.isEmpty }

    func watch(_ polled: inout PollSet) -> Int { connection.watch(&polled) }

    /// Sends what the server takes. Returns false where the server has ended.
    func flush() -> Bool { (try? connection.flush()) != nil }

    /// Reads once what has arrived of the answers. Returns whether all have, or `nil` where the server has ended or floods.
    /// An answer's last line has a space after its number, the lines before have a hyphen.
    func receive(at now: MonotonicTime) -> Bool? {
        guard let bytes = connection.receive(at: now) else { return nil }
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                noteLine()
                partial = []
            } else if partial.count < 4 {
                partial.append(byte)
            }
        }
        return awaited <= 0
    }

    /// A line has ended. Events, which no call waits for, have numbers from 700; 702 is the end of a text.
    private func noteLine() {
        guard partial.count > 3, partial[3] == UInt8(ascii: " ") else { return }
        if partial[0] != UInt8(ascii: "7") { return awaited -= 1 }
        if partial[2] == UInt8(ascii: "2") { completed += 1 }
    }
}
