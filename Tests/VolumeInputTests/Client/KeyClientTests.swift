import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyProtocol
@testable import KeyServer
@testable import VolumeInput

extension ServerProcesses {
    @Suite struct KeyClientTests {}
}

/// With the real `counter-keys`, configured for a node that does not exist: no device is opened.
extension ServerProcesses.KeyClientTests {
    private static var servers: Set<RunningProcess> {
        Set(RunningProcess(pid: getpid()).children.filter { $0.name == "counter-keys" })
    }

    /// A client that has just started its server, and the server's process.
    private func started(at now: MonotonicTime) throws -> (BufferingClient, RunningProcess) {
        let before = Self.servers
        let client = BufferingClient()
        #expect(!client.isConnected)
        #expect(client.receive(at: now).allSatisfy { $0.isMessage })
        let server = try eventualValue("a counter-keys") { Self.servers.subtracting(before).first }
        #expect(client.isConnected)
        #expect(client.deadline == nil, "nothing is due while it runs")
        return (client, server)
    }

    @Test func `It says whether there are devices at all`() throws {
        let now = MonotonicTime.now
        let (client, _) = try started(at: now)
        let event = try client.next(at: now, \.isEnvironment)
        let isThere = access("/dev/input", F_OK) == 0
        #expect(event == .message(.environment(isThere ? .ready : .noDirectory)))
    }

    @Test func `A server that was killed is started again once a second`() throws {
        let start = MonotonicTime.now
        let (client, server) = try started(at: start)
        try server.signal(SIGKILL)
        let lost = try client.next(at: start) { !$0.isMessage }
        #expect(lost == .lost(reason: "counter-keys was killed by signal 9"))
        #expect(!client.isConnected)
        #expect(client.deadline == start + .seconds(1))
        #expect(client.receive(at: start + .microseconds(999_999)).isEmpty)
        #expect(!client.isConnected, "not before a second after the last start")
        let before = Self.servers
        let again = start + .seconds(1)
        _ = client.receive(at: again)
        #expect(client.isConnected)
        let second = try eventualValue("a second counter-keys") { Self.servers.subtracting(before).first }
        #expect(second != server)
        // The new server receives the settings from before.
        _ = try client.next(at: again, \.isEnvironment)
        try second.signal(SIGKILL)
        _ = try client.next(at: again) { !$0.isMessage }
        #expect(client.deadline == again + .seconds(1))
    }

    /// A server that ends at once must not be started in a loop.
    @Test func `A server that ends at once is not started more than once a second`() throws {
        let client = KeyClient(ofNothing: "/bin/false")
        let start = MonotonicTime.now
        var losses = 0
        for step in 0..<30 {
            let now = start + .milliseconds(100 * step)
            var events = client.receive(at: now)
            while client.isConnected { events += client.receive(at: now) }
            losses += events.count { $0 == .lost(reason: "counter-keys exited with 1") }
            #expect(events.count <= 1)
        }
        #expect(losses == 3)
    }

    @Test func `A missing server is named and started once it is there`() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "libexec/counter-keys")
        let client = BufferingClient(path)
        let now = MonotonicTime.now
        let error = SystemCallError(call: "posix_spawn", subject: path, errno: ENOENT)
        #expect(client.receive(at: now) == [.unavailable(error)])
        #expect(client.deadline == nil, "it sleeps")
        #expect(client.receive(at: now + .seconds(60)).isEmpty)
        mkdir(folder.path(of: "libexec"), 0o755)
        #expect(client.receive(at: now + .seconds(60)).isEmpty)
        symlink(BuiltProducts.counterKeys, path)
        var polled = PollSet()
        client.client.watch(&polled)
        try polled.wait(until: .now + .seconds(10))
        #expect(polled.result(at: 0).isReadable)
        _ = try client.next(at: now + .seconds(60), \.isMessage)
    }

    @Test(.whereServed) func `Where the server is missing, a service that comes is asked`() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "keys.socket")
        let client = BufferingClient("/none/counter-keys", service: path)
        let now = MonotonicTime.now
        _ = client.receive(at: now)
        #expect(client.deadline == nil, "it sleeps")
        let service = try KeyService()
        symlink(service.path, path)
        #expect(client.receive(at: now).isEmpty)
        let due = try #require(client.deadline)
        _ = try client.next(at: due, \.isMessage)
        #expect(client.isServedByService)
    }

    @Test(.whereServed) func `A service that comes is gone over to without a restart`() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "keys.socket")
        let client = BufferingClient(service: path)
        let start = MonotonicTime.now
        _ = try client.next(at: start, \.isEnvironment)
        #expect(client.serviceFault == .absent)
        #expect(client.deadline == nil)

        let own = Self.servers
        let service = try KeyService()
        symlink(service.path, path)
        _ = client.receive(at: start)
        #expect(client.deadline == start + .milliseconds(100), "it may not listen yet")
        let due = start + .milliseconds(100)
        #expect(client.receive(at: due).contains(.serviceCame))
        #expect(client.serviceFault == nil)
        #expect(client.isServedByService)
        #expect(Self.servers.isDisjoint(with: own), "its own server has ended")
        _ = try client.next(at: due, \.isEnvironment)
    }

    @Test func `The server goes with its client`() throws {
        func startAndForget() throws -> RunningProcess { try started(at: .now).1 }
        let server = try startAndForget()
        try eventually("the server to end") { !server.isAlive }
    }
}

@Suite struct CapturePacingTests {
    private static let start = MonotonicTime(microseconds: 1_000_000)

    /// The messages that are sent, with their times in ms, for modes that are set at given times.
    private func sent(_ wishes: [(Int, CaptureMode)]) -> [String] {
        var pace = CapturePacing()
        _ = pace.begin(at: Self.start)
        var sent: [String] = []
        let last = wishes.map(\.0).max() ?? 0
        for moment in 0...(last + 1000) {
            let now = Self.start + .milliseconds(moment)
            for (_, wish) in wishes.filter({ $0.0 == moment }) {
                if let captureMode = pace.want(wish, at: now) { sent.append("\(moment) \(captureMode)") }
            }
            if let due = pace.due, due <= now, let captureMode = pace.next(at: now) {
                sent.append("\(moment) \(captureMode)")
            }
        }
        return sent
    }

    @Test func `What changes now and then is sent at once`() {
        #expect(
            sent([(100, .exclusive), (300, .off), (500, .shared)])
                == ["100 exclusive", "300 off", "500 shared"])
        #expect(sent([(100, .exclusive), (300, .exclusive)]) == ["100 exclusive"])
        #expect(sent([(100, .off)]).isEmpty, "that is how it begins")
    }

    @Test func `Keys are captured a pause after the last change, and released at once`() {
        #expect(sent([(10, .exclusive)]) == ["100 exclusive"])
        #expect(
            sent([(100, .exclusive), (130, .off), (160, .exclusive)])
                == ["100 exclusive", "130 off", "230 exclusive"])
        #expect(sent([(100, .exclusive), (130, .off), (160, .exclusive), (190, .off)]).count == 2)
    }

    @Test(arguments: [1, 10, 33, 40, 51]) func `A key that is held down stays far below the budget`(
        every: Int
    ) {
        let wishes = (0..<200).map { (100 + $0 * every, $0.isMultiple(of: 2) ? CaptureMode.exclusive : .off) }
        let sent = sent(wishes)
        #expect(sent.count <= 2 + 200 * every / 50)
        #expect(sent.last?.hasSuffix("off") == true)
        var budget = MessageBudget()
        budget.endIntroduction()
        for line in sent {
            let moment = Int(line.split(separator: " ")[0]) ?? 0
            let isWithin = budget.spend(at: Self.start + .milliseconds(moment))
            #expect(isWithin)
        }
    }

    @Test func `Another server is told anew`() {
        var pace = CapturePacing()
        let early = pace.want(.exclusive, at: Self.start)
        #expect(early == nil, "there is none yet")
        #expect(pace.due == nil)
        let first = pace.begin(at: Self.start)
        pace.end()
        let between = pace.want(.off, at: Self.start)
        let second = pace.begin(at: Self.start)
        #expect([first, between, second] == [.exclusive, nil, .off])
    }
}

@Suite struct ArrivalWatchTests {
    private let folder: ScratchFolder
    private let watch: ArrivalWatch

    init() throws {
        folder = try ScratchFolder()
        watch = try #require(ArrivalWatch(folder.path(of: "run/counter/keys.socket")))
    }

    @Test func `It tells once of a socket whose directories came one by one`() throws {
        #expect(!watch.hasCome())
        mkdir(folder.path(of: "run"), 0o755)
        #expect(try isReadable(watch.number))
        #expect(!watch.hasCome())
        mkdir(folder.path(of: "run/counter"), 0o755)
        #expect(try isReadable(watch.number))
        #expect(!watch.hasCome())
        try folder.write("run/counter/keys.socket")
        #expect(try isReadable(watch.number))
        #expect(watch.hasCome())
        #expect(try !isReadable(watch.number))
        #expect(!watch.hasCome())
    }

    @Test func `What else happens there is not the socket`() throws {
        try folder.write("run/counter/keys.socket")
        #expect(watch.hasCome())
        try folder.write("run/counter/input7")
        unlink(folder.path(of: "run/counter/input7"))
        #expect(!watch.hasCome())
        chmod(folder.path(of: "run/counter/keys.socket"), 0o666)
        #expect(watch.hasCome(), "it may be open to others than before")
    }

    @Test func `A socket that goes is waited for again`() throws {
        try folder.write("run/counter/keys.socket")
        #expect(watch.hasCome())
        unlink(folder.path(of: "run/counter/keys.socket"))
        rmdir(folder.path(of: "run/counter"))
        #expect(!watch.hasCome())
        try folder.write("run/counter/keys.socket")
        #expect(watch.hasCome())
    }
}
