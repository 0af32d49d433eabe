import Glibc
import Linux
import TestSupport
import Testing

@testable import Alarms

/// What clients of a ringer can cost it. Its time is data.
@Suite struct ConnectedClientTests {
    private static let start = MonotonicTime(microseconds: 1_000_000)
    private let client: ConnectedClient
    private let peer: CInt

    init() throws {
        var ends: [CInt] = [-1, -1]
        try systemCall("socketpair") { socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) }
        client = ConnectedClient(Descriptor(owning: ends[0]), at: Self.start)
        peer = ends[1]
        _ = fcntl(peer, F_SETFL, O_NONBLOCK)
    }

    /// What poll(2) reports of the connection until now.
    private func polled() throws -> PollSet {
        var polled = PollSet()
        client.watch(&polled)
        try polled.wait(until: .now)
        return polled
    }

    /// Has the client handle what has happened until now.
    private func handled(at now: MonotonicTime = start) throws -> [RingerRequest] {
        client.handle(try polled(), at: now)
    }

    private func send(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(write(peer, bytes, bytes.count) == bytes.count)
    }

    private func received() -> String {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(peer, &buffer, buffer.count)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }

    /// Whether poll(2) reports the connection though nothing has happened.
    private var isReady: Bool { get throws { try !polled().result(at: 0).isEmpty } }

    @Test func `What waits for a client is sent when it reads, and then nothing is waited for`() throws {
        defer { close(peer) }
        send("counter-ringer 1\n")
        #expect(try handled().isEmpty)
        var sent = "counter-ringer 1\n"
        while client.connection.unsent.count < 100 {
            client.send(.taken)
            sent += "taken\n"
        }
        #expect(try !isReady && !client.isOver)
        var read = received()
        try eventually("the rest") {
            _ = try handled()
            read += received()
            return read.utf8.count >= sent.utf8.count
        }
        #expect(read == sent)
        #expect(try !isReady && !client.isOver)
    }

    @Test func `A client that does not read is left`() {
        defer { close(peer) }
        var count = 0
        while !client.isOver, count < 1_000_000 {
            client.send(.taken)
            count += 1
        }
        #expect(client.isOver)
    }

    @Test func `A client has to greet, and to say something now and then`() throws {
        defer { close(peer) }
        #expect(client.deadline == Self.start + .seconds(5))
        send("counter-ringer 1\ntimers\n")
        #expect(try handled() == [.timers])
        #expect(client.deadline == Self.start + .seconds(3600))
        #expect(try handled(at: Self.start + .seconds(3599)).isEmpty && !client.isOver)
        send("timers\n")
        #expect(try handled(at: Self.start + .seconds(3599)) == [.timers])
        #expect(try handled(at: Self.start + .seconds(7198)).isEmpty && !client.isOver)
        #expect(try handled(at: Self.start + .seconds(7199)).isEmpty && client.isOver)
    }

    @Test func `A client that floods is left, and one that counts quickly is not`() throws {
        defer { close(peer) }
        send("counter-ringer 1\n")
        _ = try handled()
        // A hundred counts a second.
        for index in 0..<20_000 {
            send("sound up 80\nspeak 123456\n")
            #expect(try handled(at: Self.start + .milliseconds(10 * index)).count == 2)
        }
        #expect(!client.isOver)
        var count = 0
        while !client.isOver, count < 1000 {
            send(String(repeating: "timers\n", count: 500))
            count += try handled(at: Self.start + .seconds(3600)).count / 500
        }
        #expect(client.isOver && count < 20)
    }
}

/// A ringer with more clients than it has room for.
@Suite struct CrowdedRingerTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// A ringer that rings, and so does not end by itself. Nothing can be heard of it.
    private func ringing() throws -> (Workplace, RunningProcess, socket: String) {
        for program in ["aplay", "speech-dispatcher"] {
            try folder.script("bin/\(program)", "exit 1")
        }
        let place = try Workplace.among(serversIn: folder)
        let ringer = try place.ring("Robins")
        let name = try #require(RingerPlace(journal: place.directory)).name
        let socket = "\(folder.path)/counter/ringer-\(name).socket"
        try eventually("it to listen") { (try? SocketClient(socket)) != nil }
        return (place, ringer, socket)
    }

    private static func greeted(_ socket: String) throws -> SocketClient {
        let client = try SocketClient(socket)
        try client.send("counter-ringer 1\n")
        try read(client, until: "counter-ringer 1")
        return client
    }

    /// Reads lines until `line`; each client may be told before it what cannot be heard or shown.
    ///
    /// - Parameter line: the awaited one; `nil` for the end of the connection.
    private static func read(_ client: SocketClient, until line: String?) throws {
        var last = try client.readLine()
        while let read = last, read != line { last = try client.readLine() }
        #expect(last == line)
    }

    @Test func `One client too many takes the place of the one that was silent for longest`() throws {
        let (place, ringer, socket) = try ringing()
        let first = try Self.greeted(socket)
        let second = try Self.greeted(socket)
        var others: [SocketClient] = []
        for _ in 2..<64 { others.append(try Self.greeted(socket)) }
        try first.send("timers\n")
        try Self.read(first, until: "taken")
        others.append(try Self.greeted(socket))
        try Self.read(second, until: nil)
        try first.send("timers\n")
        try Self.read(first, until: "taken")
        try place.run("timer", "acknowledge", "1")
        others.removeAll()
        withExtendedLifetime((first, second)) {}
        #expect(ringer.isAlive)
    }

    @Test func `A client that never greets does not keep the ringer`() throws {
        let (place, ringer, socket) = try ringing()
        let client = try SocketClient(socket)
        try place.run("timer", "acknowledge", "1")
        try eventually("the ringer to end") { !ringer.isAlive }
        try Self.read(client, until: nil)
    }

    @Test func `Without descriptors the ringer rests, and serves who waits when there is one`() throws {
        let (place, ringer, socket) = try ringing()
        var clients = [try Self.greeted(socket)]
        try place.run("timer", "acknowledge", "1")
        try eventually("silence") {
            try clients[0].send("timers\n")
            try Self.read(clients[0], until: "taken")
            return ringer.children.isEmpty
        }
        func awaitRest() throws {
            try eventually("it to rest") {
                let before = ringer.processorTime
                pause(.seconds(1))
                return ringer.processorTime - before < .milliseconds(30)
            }
        }
        // Only then, so that nothing short-lived has a lower number than theirs.
        try awaitRest()
        for _ in 0..<4 { clients.append(try Self.greeted(socket)) }
        // RLIMIT_NOFILE limits the numbers, not how many there are.
        let limit = ringer.nextDescriptor
        let outcome = try ChildProcess.run(["prlimit", "--pid", "\(ringer.pid)", "--nofile=\(limit):1024"])
        #expect(outcome.status == .exited(0))
        let waiting = try SocketClient(socket)
        try waiting.send("counter-ringer 1\n")
        try awaitRest()
        #expect(try waiting.nextLine() == nil && ringer.isAlive)
        clients.removeLast()
        try Self.read(waiting, until: "counter-ringer 1")
    }
}
