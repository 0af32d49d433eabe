import CTestSupport
import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyProtocol
@testable import KeyServer
@testable import VolumeInput

extension ServerProcesses {
    @Suite(.whereServed) struct KeyServiceTests {
        let service: KeyService

        init() throws { service = try KeyService() }
    }
}

/// The real executable as a service, with hostile clients. No device is opened.
extension ServerProcesses.KeyServiceTests {
    @Test func `A flood of messages ends its connection`() throws {
        let other = try service.served()
        let flood = try service.served()
        for count in 0..<1000 { try? flood.send(.capture(count.isMultiple(of: 2) ? .exclusive : .off)) }
        #expect(try flood.lastWords().last == .refused(reason: "too many messages"))
        #expect(try other.receive() == nil)
        try service.expectHealthy()
    }

    /// Fewer than 1024, the usual limit of a process's descriptors: other tests have some of them.
    @Test func `Of hundreds of connections, a few are served`() throws {
        let other = try service.served()
        var crowd: [ServiceConnection] = []
        for _ in 0..<900 {
            crowd.append(try eventualValue("room to connect") { try? service.connect() })
        }
        let refused = try refusals(of: crowd)
        #expect(refused > crowd.count / 2, "most are told why")
        // The service's own thread closes them a little later.
        try eventually("the refused connections to be closed") { service.child.process.openDescriptors < 64 }
        #expect(try other.receive() == nil)
        crowd = []
        try service.expectHealthy()
    }

    /// How many connections were refused as too many, once all others are served or may yet be.
    private func refusals(of crowd: [ServiceConnection]) throws -> Int {
        var (waiting, refused) = (crowd, 0)
        try eventually("the crowd to be refused", last: { "\(refused) refused, \(waiting.count) not" }) {
            waiting.removeAll { client in
                do throws(ConnectionEnd) {
                    let isRefused = try client.receive() == .refused(reason: "too many connections")
                    if isRefused { refused += 1 }
                    return isRefused
                } catch {
                    // Accepted, then ended because it sent nothing; that makes room for others.
                    #expect(error == .closed)
                    return true
                }
            }
            return waiting.count <= ConnectionLimit.maxOfUser
        }
        return refused
    }

    @Test func `Who connects and says nothing is dropped`() throws {
        let silent = try service.connect()
        let half = try service.connect()
        try half.send(.configure(.volumeKeys))
        #expect(try silent.lastWords() == [])
        #expect(try half.lastWords() == [])
    }

    @Test func `Who keeps asking and never reads holds nobody up`() throws {
        let deaf = try service.served()
        let other = try service.served()
        for _ in 0..<60 { try deaf.send(.capture(.shared)) }
        #expect(try other.receive() == nil)
        try service.expectHealthy()
    }

    @Test func `It ends a while after its last client`() throws {
        let start: MonotonicTime
        do {
            let client = try service.served()
            start = .now
            withExtendedLifetime(client) {}
        }
        #expect(try service.child.wait() == .exited(0))
        #expect(MonotonicTime.now - start > .seconds(4))
    }

    @Test func `At rest it sleeps`() throws {
        let client = try service.served()
        try service.awaitRest(of: .seconds(1))
        #expect(try client.receive() == nil)
    }

    /// The servers that programs started for themselves; the service has its number from the shell that it was.
    private var otherServers: Set<RunningProcess> {
        let children = RunningProcess(pid: getpid()).children
        return Set(children.filter { $0.name == "counter-keys" && $0 != service.child.process })
    }

    @Test func `A program finds it and comes back to it when it is started again`() throws {
        let before = otherServers
        let client = BufferingClient(service: service.path)
        let start = MonotonicTime.now
        _ = try client.next(at: start, \.isMessage)
        #expect(client.serviceFault == nil)
        #expect(client.deadline == nil)
        #expect(otherServers.isSubset(of: before))
        try service.child.signal(SIGKILL)
        let lost = try client.next(at: start) { !$0.isMessage }
        #expect(lost == .lost(reason: "counter-keys (the system service) has ended"))
        #expect(client.receive(at: start + .milliseconds(999)).isEmpty)
        // The service may take long to start: its socket exists all the time.
        #expect(client.receive(at: start + .seconds(1)).isEmpty)
        #expect(client.deadline == nil)
        #expect(client.receive(at: start + .seconds(60)).isEmpty)
        try service.restart()
        _ = try client.next(at: start + .seconds(60), \.isMessage)
        #expect(client.serviceFault == nil)
    }

    @Test func `One that does not answer is given up, and gone over to when it answers`() throws {
        try service.child.signal(SIGSTOP)
        let client = BufferingClient(service: service.path)
        #expect(client.receive(at: .now).isEmpty)
        let due = try #require(client.deadline)
        #expect(client.receive(at: due + .microseconds(-1)).isEmpty)
        #expect(client.receive(at: due) == [.fellBack(.silent)])
        _ = try client.next(at: due, \.isMessage)
        #expect(client.deadline == nil)
        #expect(!client.isServedByService)
        try service.child.signal(SIGCONT)
        let event = try client.next(at: due) { !$0.isMessage }
        #expect(event == .serviceCame)
        #expect(client.isServedByService)
        _ = try client.next(at: due, \.isMessage)
        #expect(client.deadline == nil)
    }

    @Test func `Who found no room has a server of its own, and is served once there is some`() throws {
        var crowd = try (0..<8).map { _ in try service.served() }
        let client = BufferingClient(service: service.path)
        let now = MonotonicTime.now
        let refusal = try client.next(at: now) { !$0.isMessage }
        #expect(refusal == .fellBack(.refused("too many connections")))
        _ = try client.next(at: now, \.isEnvironment)
        #expect(client.serviceFault == .refused("too many connections"))
        #expect(client.serviceFault?.mayServeOthers == true)
        #expect(client.deadline == nil, "it sleeps")
        crowd.removeLast()
        let event = try client.next(at: now) { !$0.isMessage }
        #expect(event == .serviceCame)
        _ = try client.next(at: now, \.isEnvironment)
        #expect(client.isServedByService)
        #expect(client.serviceFault == nil)
        withExtendedLifetime(crowd) {}
    }

    @Test func `One that is too busy is asked again later and later while its own server goes on`() throws {
        let folder = try ScratchFolder()
        let path = folder.path(of: "keys.socket")
        let number = try systemCall("listen", path) { ctest_listen(path, Int32(SOCK_SEQPACKET.rawValue)) }
        // Room for one that waits.
        listen(number, 0)
        let listener = ListeningSocket(
            owning: Descriptor(owning: number), connectionsClosedBy: try ClosingThread())
        var waiting: [PacketSocket] = []
        while let socket = try? PacketSocket(connectingTo: path) { waiting.append(socket) }
        let client = BufferingClient(service: path)
        let start = MonotonicTime.now
        _ = try client.next(at: start, \.isEnvironment)
        let busy = SystemCallError(call: "connect", subject: path, errno: EAGAIN)
        #expect(client.serviceFault == .unreachable(busy))
        for pause in [100, 300, 700, 1500] {
            let due = start + .milliseconds(pause)
            #expect(client.deadline == due)
            #expect(client.receive(at: due).isEmpty)
        }
        #expect(client.isConnected)
        var accepted: [PacketSocket] = []
        while let socket = try listener.accept() { accepted.append(socket) }
        let due = try #require(client.deadline)
        let event = try client.next(at: due) { !$0.isMessage }
        #expect(event == .serviceCame)
        #expect(client.isServedByService)
        #expect(try listener.accept() != nil)
        withExtendedLifetime((waiting, accepted)) {}
    }

    @Test func `A signal ends it`() throws {
        let client = try service.served()
        try service.child.signal(SIGTERM)
        #expect(try service.child.wait() == .exited(0))
        #expect(try client.lastWords() == [])
    }
}
