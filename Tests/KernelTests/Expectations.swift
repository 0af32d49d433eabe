import Glibc
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// Runs a test only in the guest, which has two keyboards that QEMU operates from outside.
    static var withOutsideKeyboards: Self {
        .enabled(if: OutsideKeyboards.areExpected, "only the guest has the two keyboards with a key map")
    }
}

extension ChildProcess {
    func waitForErrorLine(_ text: String) throws {
        var seen: [String] = []
        do {
            while let line = try readErrorLine() {
                if line.contains(text) { return }
                seen.append(line)
            }
        } catch {
            Issue.record("no line has '\(text)': \(seen)")
            throw error
        }
        Issue.record("no line has '\(text)': \(seen)")
    }

    /// Waits for lines on standard error with each of these texts, in any order.
    func waitForErrorLines(_ texts: [String]) throws {
        var missing = texts
        while !missing.isEmpty {
            let line = try #require(try readErrorLine(), "it ended without \(missing)")
            missing = missing.filter { !line.contains($0) }
        }
    }

    /// Waits for the next lines of standard output and compares them.
    func expectLines(_ lines: [String]) throws {
        for line in lines { #expect(try readLine() == line) }
    }

    /// Waits for a reset to 0. Before it, the first of the chord's two presses may be counted (`counted`) and taken
    /// back (`before`); if both are read at once, neither is reported.
    func expectReset(counted: String, before: String) throws {
        var told: [String] = []
        while told.last != "0" { told.append(try #require(try readLine())) }
        #expect([[], [counted, before]].contains(told.dropLast()), "\(told)")
    }
}

/// Kills a program and its key server so that neither can restore anything.
func killBoth(_ program: ChildProcess) throws {
    let server = try keyServer(of: program.process)
    try server.signal(SIGSTOP)
    try program.signal(SIGKILL)
    try server.signal(SIGKILL)
    #expect(try program.wait() == .killed(SIGKILL))
}

extension KeyService {
    /// Waits for a line of a client on standard error. A service that has ended meanwhile, because it had no clients,
    /// is started again, as systemd does.
    func awaitErrorLine(_ text: String, of client: ChildProcess) throws {
        try eventually("'\(text)'") {
            try startWhereEnded()
            while let line = try? client.readErrorLine(timeout: .milliseconds(20)) {
                if line.contains(text) { return true }
            }
            return false
        }
    }
}

extension VirtualRemote {
    /// Holds a key down for at least `duration`.
    func hold(_ key: Key, for duration: Duration) throws -> ClosedRange<Int> {
        let start = ContinuousClock.now
        try down(key, then: .zero)
        let isDown = ContinuousClock.now
        pause(duration)
        let end = ContinuousClock.now
        try up(key, then: .zero)
        return (end - isDown).counts...(ContinuousClock.now - start).counts
    }
}

extension Workplace {
    /// `counter listen`, once it has written a line with this text on standard error.
    func listen(_ options: [String] = [], until text: String) throws -> ChildProcess {
        let listener = try listen(options)
        try listener.waitForErrorLine(text)
        return listener
    }

    /// Variables of a user's programs, with a journal of that user, that ask the key service at this socket.
    func variables(of user: UInt32, at socket: String) -> [String: String?] {
        // As /tmp: users make their own directories there, which no other user can replace.
        chmod(directory, 0o1777)
        return environment.merging([
            "COUNTER_KEYS_SOCKET": socket, "COUNTER_DATA_DIR": "\(directory)/journal\(user)",
            "XDG_SESSION_ID": nil,
        ]) { $1 }
    }

    /// `counter listen` of a user who asks the key service at this socket.
    func listen(_ options: [String] = [], by user: UInt32, at socket: String) throws -> ChildProcess {
        try start(["listen"] + options, by: asUser(user), environment: variables(of: user, at: socket))
    }

    /// Waits until the count has this value.
    func awaitCount(_ count: Int) throws { _ = try awaitCount(in: count...count) }

    /// Waits until the count is in a range.
    func awaitCount(in range: ClosedRange<Int>) throws -> Int {
        try eventualValue("a count in \(range)", last: { (try? self.show()) ?? "" }) {
            Int(try show()).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    /// Waits until each press was counted, or received by another reader: on a busy machine keys may be released for
    /// a moment. Returns how many were received, with those of before.
    func awaitPresses(
        _ presses: Int, after count: Int = 0, heard before: Int = 0, _ readers: [SecondReader]
    ) throws -> Int {
        var heard = before
        try eventually("\(presses) presses", last: { "\((try? self.show()) ?? "") counted, \(heard) heard" })
        {
            heard += try readers.reduce(0) { try $0 + $1.take().count { $0 == .down(.volumeUp) } }
            return try show() == "\(count + presses - heard)"
        }
        return heard
    }
}

extension [KeyEvent] {
    /// These keys going down and up, one after the other.
    static func presses(of keys: Key...) -> [KeyEvent] { keys.flatMap { [.down($0), .up($0)] } }
}

extension SecondReader {
    /// Waits until other readers receive the keys of a remote that was grabbed, and expects that they have received
    /// nothing of it before.
    func awaitMarker(of remote: VirtualRemote) throws {
        try eventually("the marker") {
            try remote.press(.marker)
            let heard = try take()
            #expect(heard.allSatisfy { $0.key == .marker }, "\(heard)")
            return heard.contains(.down(.marker))
        }
    }

    /// Waits until other readers receive nothing from a remote any more, because it is grabbed.
    func awaitSilence(of remote: VirtualRemote) throws {
        try eventually("no marker") {
            try remote.press(.marker)
            return try take().isEmpty
        }
    }

    /// Expects that exactly these events have arrived since the last call. On a busy machine the kernel may have
    /// repeated a key meanwhile.
    func expect(_ events: [KeyEvent], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let seen = try take().filter { $0.action != .autorepeat }
        #expect(seen == events, sourceLocation: sourceLocation)
    }
}

extension Duration {
    /// How often a key counts that is down for this long: at once, at 400 ms, and every 150 ms.
    var counts: Int {
        self < .milliseconds(400) ? 1 : 2 + Int((self - .milliseconds(400)) / .milliseconds(150))
    }

    /// Much less than any time of the rules, and enough for a slow kernel to have delivered.
    static let quick = Duration.milliseconds(60)
    /// Longer than the debounce.
    static let apart = Duration.milliseconds(200)
}
