import Glibc
package import KeyProtocol
import Linux

package enum TerminalEvent: Hashable, Sendable {
    /// A key without a character of its own.
    case key(Key)
    case character(Character)
    /// Pasted text, if the terminal marks it; control characters are included.
    case pasted(String)
    /// Pasted text had no end, and is thrown away.
    case pasteCutOff
    /// A volume key that the terminal reports itself, because no desktop takes it: its press, its release, or both where the
    /// terminal cannot report the release.
    case volumeKey([KeyChange])
    /// A click of the left mouse button at this cell. One event for press and release.
    case click(Point)
    /// The number of clicks of the mouse wheel; negative is up.
    case scroll(Int)
    /// `CSI I`.
    case focusGained
    /// `CSI O`.
    case focusLost

    /// The keys that have a meaning on some screen.
    package enum Key: Hashable, Sendable {
        case up, down, left, right
        case home, end, delete
        case pageUp, pageDown
        case tab, backTab
        case enter
        case escape
    }

    /// What is told of a paste without an end.
    package static let pasteNotice = "pasted text had no end; it is thrown away"
}

/// Reads what a terminal sends, and knows how long an incomplete sequence is waited for.
struct TerminalInput {
    /// How long after Escape the rest of a key's sequence may come; after that it was the Escape key.
    private static let escapeTimeout = Duration.milliseconds(25)
    /// How long after its last byte the rest of a sequence or a string may come; after that it is discarded. Also how
    /// long a sequence may still follow an Escape that was taken as the key.
    private static let restTimeout = Duration.seconds(1)
    /// How long after its last byte the rest of pasted text may come; after that it is thrown away.
    private static let pasteTimeout = Duration.seconds(3)
    /// How many bytes are read at once.
    private static let maxBatch = 1024

    let descriptor: CInt
    private var decoder: InputDecoder
    /// When an incomplete sequence is discarded, and a lone Escape is taken as the key.
    private(set) var deadline: MonotonicTime?
    /// When that was.
    private var escapeTaken: MonotonicTime?

    init(descriptor: CInt, keys: KeyDefinitions) {
        self.descriptor = descriptor
        decoder = InputDecoder(keys: keys)
    }

    /// The name and version that the terminal has reported since the last call; nil where it has not.
    mutating func takeVersion() -> String? {
        defer { decoder.version = nil }
        return decoder.version
    }

    /// The events since the last call, without waiting for more. Throws `hungUp` when the terminal is gone; what it had sent
    /// before is then lost.
    mutating func events(at now: MonotonicTime) throws(TerminalError) -> [TerminalEvent] {
        if let escapeTaken, now > escapeTaken + Self.restTimeout {
            decoder.forgetEscape()
            self.escapeTaken = nil
        }
        var events: [TerminalEvent] = []
        if try isReady(descriptor, for: CInt(POLLIN)), !drain(into: &events) {
            // Readable without data means the end, unless something has just arrived.
            if try isReady(descriptor, for: CInt(POLLIN)), !drain(into: &events) { throw .hungUp }
        }
        if let deadline, now >= deadline, let event = giveUp(at: now) { events.append(event) }
        deadline = decoder.wait.map { deadline ?? now + Self.timeout(of: $0) }
        return events
    }

    private static func timeout(of wait: InputDecoder.Wait) -> Duration {
        switch wait {
        case .escape: escapeTimeout
        case .rest: restTimeout
        case .paste: pasteTimeout
        }
    }

    private mutating func giveUp(at now: MonotonicTime) -> TerminalEvent? {
        deadline = nil
        guard let event = decoder.giveUp() else { return nil }
        if event != .pasteCutOff { escapeTaken = now }
        return event
    }

    // False if nothing could be read.
    private mutating func drain(into events: inout [TerminalEvent]) -> Bool {
        withUnsafeTemporaryAllocation(byteCount: Self.maxBatch, alignment: 1) { buffer in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            guard count > 0 else { return false }
            deadline = nil
            for byte in buffer[..<count] { if let event = decoder.feed(byte) { events.append(event) } }
            return true
        }
    }
}
