import Glibc
import Linux

/// A connection to speech-dispatcher's socket.
final class SpeechConnection {
    private let socket: Descriptor
    private var unsent: [UInt8] = []
    /// The answers that the server still owes.
    private var awaited = 0
    private var partial: [UInt8] = []
    private var flood = FloodLimit.lines
    /// How many texts were spoken to their end, where the server was asked to tell.
    private(set) var completed = 0

    /// Connects, and names this client, its priority and its language.
    ///
    /// A text of priority `notification` interrupts an earlier one of the same priority.
    ///
    /// - Parameters:
    ///   - language: of the texts, such as `en`; `nil` for that of the locale.
    ///   - volume: -100...100; `nil` for the server's own. The server is then also asked to tell which texts it finishes.
    /// - Throws: `SystemCallError`, `ENOENT` or `ECONNREFUSED` where no server listens, `EPERM` where the one that does is another user's.
    init(language: String? = nil, volume: Int? = nil) throws(SystemCallError) {
        socket = try StreamListener.connect(Self.path)
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
        unsent += text.utf8
        awaited += answers
    }

    /// The server has not taken what was sent.
    var isStalled: Bool { !unsent.isEmpty }

    func watch(_ polled: inout PollSet) -> Int {
        polled.add(socket.number, CInt(POLLIN) | (unsent.isEmpty ? 0 : CInt(POLLOUT)))
    }

    /// Sends what the server takes. Returns false where the server has ended.
    func flush() -> Bool {
        while !unsent.isEmpty {
            let count = unsent.withUnsafeBytes {
                Glibc.send(socket.number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if count < 0 { return errno == EAGAIN || errno == EINTR }
            unsent.removeFirst(count)
        }
        return true
    }

    /// Reads once what has arrived of the answers. Returns whether all have, or `nil` where the server has ended or floods.
    ///
    /// An answer's last line has a space after its number, the lines before have a hyphen.
    func receive(at now: MonotonicTime) -> Bool? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(socket.number, &buffer, buffer.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR ? awaited <= 0 : nil }
        guard count > 0, flood.admits(count, at: now) else { return nil }
        for byte in buffer[..<count] {
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
