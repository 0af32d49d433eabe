import CounterModel
package import CounterStore
import Glibc
package import Linux

/// A connection between two journals over two descriptors: polls, reads and writes for a `SyncSession`.
package final class SyncLoop {
    package enum Ending: Hashable, Sendable {
        /// A signal has come.
        case stopped
        /// Both sides hold the same, and that was all to be done.
        case even
        /// Other locations are shared now: the connection is to be made again.
        case restart
        /// The other side has closed it.
        case closed
    }

    private static let piece = 65_536
    private static let maxPieces = 16
    private static let maxUnread = 4 << 20
    /// What a writable pipe accepts without blocking (PIPE_BUF).
    private static let atomicPiece = 4_096

    private let session: SyncSession
    private let input, output: CInt
    /// What the program at the other end says on its standard error.
    private let errors: CInt?
    private let signals: SignalDescriptor
    private let follower: JournalFollower
    private let endsWhenEven: Bool
    /// Called after each turn; returns when it is to be called again though nothing comes.
    private let changed: () -> MonotonicTime?
    private var changeDeadline: MonotonicTime?
    private var polled = PollSet()
    private var isErrorsOpen = true
    /// The last of what came on standard error.
    package private(set) var complaints = ""

    package init(
        _ session: SyncSession, input: CInt, output: CInt, errors: CInt? = nil, signals: SignalDescriptor,
        follower: JournalFollower, endsWhenEven: Bool = false,
        changed: @escaping () -> MonotonicTime? = { nil }
    ) {
        (self.session, self.input, self.output, self.errors) = (session, input, output, errors)
        (self.signals, self.follower, self.endsWhenEven) = (signals, follower, endsWhenEven)
        self.changed = changed
    }

    /// Runs until the connection ends.
    ///
    /// - Throws: Why it cannot go on, which the other side was told as far as it reads.
    package func run() throws -> Ending {
        defer { session.close() }
        do {
            while true {
                if let ending = try turn() { return ending }
                if endsWhenEven, session.isEven, session.output.isEmpty { return .even }
            }
        } catch is SyncRestart {
            flush()
            return .restart
        } catch {
            session.end(ProgramError(ofSync: error))
            flush()
            throw error
        }
    }

    private func turn() throws -> Ending? {
        polled.removeAll()
        let signal = polled.add(signals.number)
        // A side that sends and does not read is not listened to.
        let incoming = session.output.count < Self.maxUnread ? polled.add(input) : nil
        polled.add(follower.number)
        let complaining = errors.flatMap { isErrorsOpen ? polled.add($0) : nil }
        let outgoing = session.output.isEmpty ? nil : polled.add(output, CInt(POLLOUT))
        try polled.wait(
            until: [session.deadline, follower.deadline, changeDeadline].compactMap(\.self).min())
        if !polled.result(at: signal).isEmpty, signals.next() != nil { return .stopped }
        if let complaining, !polled.result(at: complaining).isEmpty { readComplaints() }
        if let outgoing, !polled.result(at: outgoing).isEmpty {
            if try polled.result(at: outgoing).isGone || !write() {
                // What the other side has said before tells why.
                while try isReadable(), try read() {}
                return .closed
            }
        }
        if follower.hasChanged(at: .now) { try session.journalChanged() }
        if let incoming, !polled.result(at: incoming).isEmpty, try !read() { return .closed }
        try session.advance()
        changeDeadline = changed()
        return nil
    }

    /// Reads what is there. False at the end of the input.
    private func read() throws -> Bool {
        try withUnsafeTemporaryAllocation(byteCount: Self.piece, alignment: 8) { buffer in
            for number in 1...Self.maxPieces {
                let count = Glibc.read(input, buffer.baseAddress, buffer.count)
                if count < 0 { return errno == EAGAIN || errno == EINTR }
                // A pipe that is readable returns something: none of what came before is left waiting.
                let isLast = try number == Self.maxPieces || count == 0 || !isReadable()
                try session.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]), last: isLast)
                if count == 0 { return false }
                if isLast { return true }
            }
            return true
        }
    }

    private func isReadable() throws -> Bool {
        var polled = PollSet()
        let index = polled.add(input)
        try polled.wait(until: .now)
        return !polled.result(at: index).isEmpty
    }

    /// False where nobody reads any more.
    private func write() throws -> Bool {
        let count = session.output.prefix(Self.atomicPiece).withUnsafeBytes {
            Glibc.write(output, $0.baseAddress, $0.count)
        }
        if count < 0 { return errno == EAGAIN || errno == EINTR }
        try session.sent(count)
        return true
    }

    private func readComplaints() {
        guard let errors else { return }
        withUnsafeTemporaryAllocation(byteCount: Self.atomicPiece, alignment: 8) { buffer in
            let count = Glibc.read(errors, buffer.baseAddress, buffer.count)
            if count <= 0 {
                isErrorsOpen = false
                return
            }
            complaints += String(decoding: buffer[..<count], as: UTF8.self)
            complaints = String(complaints.suffix(Self.atomicPiece))
        }
    }

    /// Reads what the ended program has said to the end.
    package func readLastComplaints() { while errors != nil, isErrorsOpen { readComplaints() } }

    /// Writes what is left, as far as the other side accepts it at once.
    private func flush() {
        var polled = PollSet()
        let index = polled.add(output, CInt(POLLOUT))
        while !session.output.isEmpty {
            guard (try? polled.wait(until: .now + .seconds(1))) != nil else { return }
            let result = polled.result(at: index)
            guard !result.isEmpty, !result.isGone, (try? write()) == true else { return }
        }
    }
}

/// How long to wait before the next attempt to connect: from one second to one minute, doubled each time.
package struct Backoff {
    package static let shortest = Duration.seconds(1), longest = Duration.seconds(60)
    private var pause = shortest

    package init() {}

    /// - Parameter jitter: A factor about 1, so that many machines do not come at once after a power cut.
    package mutating func next(jitter: Double) -> Duration {
        defer { pause = min(pause * 2, Self.longest) }
        return min(max(pause * jitter, Self.shortest), Self.longest)
    }
}

extension ProgramError {
    /// What ended a connection.
    package init(ofSync error: any Error) {
        switch error {
        case let error as ProgramError: self = error
        case let error as SyncFork: self = error.failure
        case let error as JournalError:
            self.init("\(error)", remedy: error.reason.remedy, status: error.reason.status)
        case let error as SystemCallError:
            self.init("\(error)", remedy: Linux.remedy(forLimit: error.errno), status: EX_OSERR)
        default: self.init("\(error)", status: EX_SOFTWARE)
        }
    }
}
