import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyProtocol
@testable import VolumeInput

extension ServerProcesses {
    @Suite struct KeyClientTests {}
}

/// With the real `counter-keys`, configured for a node that does not exist: no device is opened.
extension ServerProcesses.KeyClientTests {
    private static var settings: KeyClientSettings {
        var settings = KeyClientSettings()
        settings.onlyPaths = ["/dev/input/none"]
        return settings
    }

    private static var servers: Set<RunningProcess> {
        Set(RunningProcess(pid: getpid()).children.filter { $0.name == "counter-keys" })
    }

    /// A client that has just started its server, and the server's process.
    private func started(at now: MonotonicTime) throws -> (BufferingClient, RunningProcess) {
        let before = Self.servers
        let client = BufferingClient(
            KeyClient(executable: BuiltProducts.counterKeys, settings: Self.settings))
        #expect(!client.isConnected)
        #expect(client.receive(at: now).allSatisfy { $0.isMessage })
        let server = try eventualValue("a counter-keys") { Self.servers.subtracting(before).first }
        #expect(client.isConnected)
        #expect(client.deadline == nil, "nothing is due while it runs")
        return (client, server)
    }

    @Test func itSaysWhetherThereAreDevicesAtAll() throws {
        let now = MonotonicTime.now
        let (client, _) = try started(at: now)
        let event = try client.next(at: now, \.isEnvironment)
        let isThere = access("/dev/input", F_OK) == 0
        #expect(event == .message(.environment(isThere ? .ready : .noDirectory)))
    }

    @Test func aServerThatWasKilledIsStartedAgainOnceASecond() throws {
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
    @Test func aServerThatEndsAtOnceIsNotStartedMoreThanOnceASecond() throws {
        let client = KeyClient(executable: "/bin/false", settings: Self.settings)
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

    @Test func aMissingServerIsNamedAndStartedOnceItIsThere() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "libexec/counter-keys")
        let client = BufferingClient(KeyClient(executable: path, settings: Self.settings))
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

    @Test(.whereServed) func whereTheServerIsMissingAServiceThatComesIsAsked() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "keys.socket")
        let client = BufferingClient(
            KeyClient(executable: "/none/counter-keys", service: path, settings: Self.settings))
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

    @Test(.whereServed) func aServiceThatComesIsGoneOverToWithoutARestart() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "keys.socket")
        let client = BufferingClient(
            KeyClient(executable: BuiltProducts.counterKeys, service: path, settings: Self.settings))
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

    @Test func aKeyThatIsHeldDownAndChangesWhatIsWantedEndsNoConnection() throws {
        let start = MonotonicTime.now
        let (client, server) = try started(at: start)
        _ = try client.next(at: start, \.isEnvironment)
        for count in 0..<400 {
            client.client.capture(count.isMultiple(of: 2) ? .shared : .off)
            #expect(client.receive(at: .now).allSatisfy { $0.isMessage })
            pause(.milliseconds(5))
        }
        #expect(client.isConnected)
        #expect(server.isAlive)
    }

    @Test func theServerGoesWithItsClient() throws {
        func startAndForget() throws -> RunningProcess { try started(at: .now).1 }
        let server = try startAndForget()
        try eventually("the server to end") { !server.isAlive }
    }
}
