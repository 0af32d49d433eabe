import CounterModel
package import CounterStore
import Glibc
package import Linux

/// A connection between two journals over two descriptors: polls, reads and writes for a `SyncSession`.
package final class SyncLoop {
    package enum Ending: Hashable, Sendable {
        /// A signal has come, or both sides hold the same and that was all to be done.
        case done
        /// Other locations are shared now: the connection is to be made again.
        case restart
        /// The other side has closed it.
        case closed
    }

    private static let piece = 65_536
    private static let maxPieces = 16
    private static let maxUnread = 4 << 20
    /// How long many rows wait for more before they are committed: an fsync costs as much as hundreds of rows.
    private static let pause = Duration.milliseconds(20)
    /// What a writable pipe accepts without blocking (PIPE_BUF).
    private static let atomicPiece = 4_096

    private let session: SyncSession
    private let input, output: CInt
    /// What the program at the other end says on its standard error, until its end.
    private var errors: CInt?
    private let signals: SignalDescriptor
    private let follower: JournalFollower
    private let network: NetworkChanges?
    private let endsWhenEven: Bool
    /// Called after each turn; returns when it is to be called again though nothing comes.
    private let changed: () -> MonotonicTime?
    private var changeDeadline: MonotonicTime?
    private var commitDeadline: MonotonicTime?
    private var polled = PollSet()
    /// The last of what came on standard error.
    package private(set) var complaints = ""

    package init(
        _ session: SyncSession, input: CInt, output: CInt, errors: CInt? = nil, signals: SignalDescriptor,
        follower: JournalFollower, network: NetworkChanges? = nil, endsWhenEven: Bool = false,
        changed: @escaping () -> MonotonicTime? = { nil }
    ) {
        (self.session, self.input, self.output, self.errors) = (session, input, output, errors)
        (self.signals, self.follower, self.network) = (signals, follower, network)
        (self.endsWhenEven, self.changed) = (endsWhenEven, changed)
    }

    /// Runs until the connection ends. Throws why it cannot go on, which the other side was told as far as it reads.
    package func run() throws -> Ending {
        defer { session.close() }
        do {
            while true {
                if let ending = try turn() { return ending }
                if endsWhenEven, session.isEven, session.output.isEmpty { return .done }
            }
        } catch is SyncRestart {
            flush()
            return .restart
        } catch {
            session.end(ProgramError(error))
            flush()
            throw error
        }
    }

    private func turn() throws -> Ending? {
        polled.removeAll()
        polled.add(signals.number)
        // A side that sends and does not read is not listened to.
        if session.output.count < Self.maxUnread { polled.add(input) }
        polled.add(follower.number)
        if let network { polled.add(network.number) }
        if let errors { polled.add(errors) }
        let outgoing = session.output.isEmpty ? nil : polled.add(output, CInt(POLLOUT))
        try polled.wait(
            until: [session.deadline, follower.deadline, changeDeadline, commitDeadline]
                .compactMap(\.self).min())
        if polled.isReady(signals.number), signals.next() != nil { return .done }
        if let errors, polled.isReady(errors) { readComplaints() }
        if let outgoing, !polled.result(at: outgoing).isEmpty {
            if try polled.result(at: outgoing).isGone || !write() {
                // What the other side has said before tells why.
                while try isReadable, try read() {}
                return .closed
            }
        }
        if follower.hasChanged(at: .now) { try session.journalChanged() }
        if let network, polled.isReady(network.number) {
            network.drain()
            try session.networkChanged()
        }
        if polled.isReady(input), try !read() { return .closed }
        if let commitDeadline, commitDeadline <= .now { try settle() }
        try session.advance()
        changeDeadline = changed()
        return nil
    }

    private func settle() throws {
        commitDeadline = nil
        try session.settle()
    }

    /// Reads what is there. False at the end of the input.
    private func read() throws -> Bool {
        try withUnsafeTemporaryAllocation(byteCount: Self.piece, alignment: 8) { buffer in
            for number in 1...Self.maxPieces {
                let count = Glibc.read(input, buffer.baseAddress, buffer.count)
                if count < 0 {
                    commitDeadline = .now
                    return errno == EAGAIN || errno == EINTR
                }
                try session.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]), last: false)
                let isLast = try number == Self.maxPieces || count == 0 || !isReadable
                guard isLast else { continue }
                if count > 0, session.isReceivingMany {
                    commitDeadline = commitDeadline ?? .now + Self.pause
                } else {
                    try settle()
                }
                return count > 0
            }
            return true
        }
    }

    private var isReadable: Bool { get throws { try !PollSet.result(of: input, until: .now).isEmpty } }

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
                self.errors = nil
                return
            }
            complaints += String(decoding: buffer[..<count], as: UTF8.self)
            complaints = String(complaints.suffix(Self.atomicPiece))
        }
    }

    /// Reads what the ended program has said. What it has started may live on, and holds its standard error.
    package func readLastComplaints() {
        let deadline = MonotonicTime.now + .seconds(1)
        while let errors, (try? PollSet.result(of: errors, until: deadline).isEmpty) == false {
            readComplaints()
        }
    }

    /// Writes what is left, as far as the other side accepts it at once.
    private func flush() {
        while !session.output.isEmpty {
            let result = try? PollSet.result(of: output, CInt(POLLOUT), until: .now + .seconds(1))
            guard let result, !result.isEmpty, !result.isGone, (try? write()) == true else { return }
        }
    }
}

/// Tells that an address, a link or a route has changed; see rtnetlink(7).
package final class NetworkChanges {
    private let socket: Descriptor
    package var number: CInt { socket.number }

    /// `NETLINK_ROUTE`, and the bits RTMGRP_LINK, RTMGRP_IPV4_IFADDR, RTMGRP_IPV4_ROUTE, RTMGRP_IPV6_IFADDR, RTMGRP_IPV6_ROUTE.
    private static let family: CInt = 16, route: CInt = 0
    private static let groups: UInt32 = 0x1 | 0x10 | 0x40 | 0x100 | 0x400

    /// Nil where the kernel has none, as in a sandbox.
    package init?() {
        let type = CInt(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        socket = Descriptor(owning: Glibc.socket(Self.family, type, Self.route))
        guard socket.number >= 0 else { return nil }
        // struct sockaddr_nl: the family, padding, the port, the groups.
        let address: [UInt32] = [UInt32(Self.family), 0, Self.groups]
        let isBound = address.withUnsafeBytes { bytes in
            bind(
                socket.number, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count)) == 0
        }
        guard isBound else { return nil }
    }

    /// Reads and drops the messages: that something has changed is all that is needed.
    func drain() {
        withUnsafeTemporaryAllocation(byteCount: 8_192, alignment: 8) { buffer in
            // ENOBUFS: the kernel has told more than the socket holds.
            while recv(number, buffer.baseAddress, buffer.count, 0) > 0 || errno == ENOBUFS {}
        }
    }
}
