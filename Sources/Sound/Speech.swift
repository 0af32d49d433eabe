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
        case open(StreamConnection)
    }

    private var state = State.closed
    /// The newest text that was not handed to the server.
    private var text: String?
    private var failBy: MonotonicTime?
    private var hasStartedServer = false
    private var index: Int?
    /// The answers that the server still owes.
    private var awaited = 0
    /// The beginning of a line that has not arrived whole.
    private var partial: [UInt8] = []
    /// How many texts were spoken to their end and not taken yet, where the server was asked to tell.
    private var completed = 0

    private let language: String?
    private let volume: Int?

    /// Connects with the first text. The language is such as `en`, `nil` for that of the locale; the volume is -100...100,
    /// `nil` for the server's own.
    package init(language: String? = nil, volume: Int? = nil) {
        (self.language, self.volume) = (language, volume)
    }

    /// How many texts were spoken to their end since the last call; counted only with a volume.
    package func takeCompleted() -> Int {
        guard case .open = state else { return 0 }
        defer { completed = 0 }
        return completed
    }

    /// Says a text; it interrupts what is being said. Returns why nothing can be said, where that is known.
    package func say(_ text: String, at now: MonotonicTime) -> String? {
        self.text = text
        switch state {
        case .closed: return open(at: now)
        case .starting, .started: return nil
        case .open: return send(at: now)
        }
    }

    /// Stops what is being said, and drops what waits.
    package func stop() {
        text = nil
        // The server starts or is gone: nothing is being said.
        guard case .open(let connection) = state, connection.unsent.isEmpty else { return }
        ask("CANCEL SELF", on: connection)
        try? connection.flush()
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
            guard let bytes = connection.receive(at: now) else { return fail(Self.hasEnded) }
            note(bytes)
            if awaited <= 0 { failBy = nil }
            // Also one that sends other things meanwhile.
            if let failBy, now >= failBy { return fail("speech-dispatcher does not answer") }
            return send(at: now)
        }
    }

    /// Connects to the server; where none listens, starts one.
    private func connect(at now: MonotonicTime) -> String? {
        do throws(SystemCallError) {
            let connection = StreamConnection(try StreamListener.connect(Self.path))
            state = .open(connection)
            (awaited, partial, completed) = (0, [], 0)
            introduce(on: connection)
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

    private static let hasEnded = "speech-dispatcher has ended"

    private func send(at now: MonotonicTime) -> String? {
        guard case .open(let connection) = state else { return nil }
        do throws(SystemCallError) {
            try connection.flush()
            // The server has not taken what was sent before.
            guard let text, connection.unsent.isEmpty else { return nil }
            self.text = nil
            if failBy == nil { failBy = now + Self.timeout }
            ask("SPEAK\r\n\(Self.line(text))\r\n.", answers: 2, on: connection)
            try connection.flush()
            return nil
        } catch { return fail(Self.hasEnded) }
    }

    private func fail(_ reason: String) -> String {
        (state, text, failBy) = (.closed, nil, nil)
        return reason
    }
}

// MARK: - The protocol

extension Speech {
    /// Names this client, its priority and its language. A text of priority `notification` interrupts an earlier one. With a
    /// volume the server is also asked to tell which texts it finishes.
    private func introduce(on connection: StreamConnection) {
        ask("SET SELF CLIENT_NAME \(LoginName.current):counter:main", on: connection)
        ask("SET SELF PRIORITY notification", on: connection)
        if let language = language ?? Self.ownLanguage {
            ask("SET SELF LANGUAGE \(language)", on: connection)
        }
        if let volume {
            ask("SET SELF VOLUME \(volume)", on: connection)
            ask("SET SELF NOTIFICATION END on", on: connection)
        }
    }

    private func ask(_ line: String, answers: Int = 1, on connection: StreamConnection) {
        connection.append(line + "\r\n")
        awaited += answers
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
    private static var ownLanguage: String? {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(environmentVariable).first { !$0.isEmpty }
        let language = (locale ?? "").prefix { $0.isASCII && $0.isLetter }
        return 2...3 ~= language.count ? String(language) : nil
    }

    /// A text as one line of the protocol. By scalars, because CR LF is one `Character`, and so is a dot with a combining mark.
    static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 })
        // A line that begins with a dot would be the end of the text.
        if line.first == "." { line.insert(".", at: line.startIndex) }
        return String(line)
    }

    /// Notes the answers in what has arrived. An answer's last line has a space after its number, the lines before have a hyphen.
    private func note(_ bytes: [UInt8]) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                noteLine()
                partial = []
            } else if partial.count < 4 {
                partial.append(byte)
            }
        }
    }

    /// A line has ended. Events, which no call waits for, have numbers from 700; 702 is the end of a text.
    private func noteLine() {
        guard partial.count > 3, partial[3] == UInt8(ascii: " ") else { return }
        if partial[0] != UInt8(ascii: "7") { return awaited -= 1 }
        if partial[2] == UInt8(ascii: "2") { completed += 1 }
    }
}
