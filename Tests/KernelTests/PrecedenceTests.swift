import Glibc
import TestSupport
import Testing

/// `counter practice` beside a `counter listen` that reads the same device already: while practice is in front, it
/// alone has the keys.
@Suite(.serialized) final class PrecedenceTests: ServiceSuite {
    private let place: Workplace

    override init() throws {
        place = try Workplace()
        try super.init()
    }

    enum Server: CaseIterable {
        /// Both are clients of the service.
        case service
        /// Each has a server of its own.
        case own
    }

    private func socket(_ server: Server) -> String { server == .service ? service.path : "/nonexistent" }

    private func listen(_ server: Server) throws -> ChildProcess {
        try service.startWhereEnded()
        return try place.listen(by: ada, at: socket(server))
    }

    private func practise(_ server: Server) throws -> ChildProcess {
        try place.openUnseen(
            ["practice"], by: asUser(ada), environment: place.variables(of: ada, at: socket(server)))
    }

    @Test(arguments: zip(Server.allCases, [PressedDevice.Kind.remote, .keyboard]))
    func `A listen that reads the device already yields its keys, and has them again afterwards`(
        server: Server, device: PressedDevice.Kind
    ) throws {
        let remote = try PressedDevice(device)
        chmod(remote.node, server == .own ? 0o666 : 0o600)
        let name = device == .remote ? "Remote" : "Keyboard"
        let reader = try SecondReader(node: remote.node)
        let listener = try listen(server)
        try service.awaitErrorLine("Pressed \(name): exclusive", of: listener)
        try remote.press(.volumeUp, then: .apart)
        try listener.expectLines(["1"])
        // Down while the keys change hands: it counts for the listener as long as that has them, and no longer.
        let start = ContinuousClock.now
        try remote.down(.volumeUp)
        try listener.expectLines(["2"])
        let practice = try practise(server)
        try listener.waitForErrorLine("\(remote.node) is left to counter practice")
        let most = 1 + (ContinuousClock.now - start).counts
        try remote.up(.volumeUp)
        try eventually("practice to have the keys") {
            try remote.press(.volumeUp)
            return try !reader.take().contains { $0.key == .volumeUp }
        }
        let count = try #require(try count(server))
        #expect((2...most).contains(count))
        for _ in 1...2 { try remote.press(.volumeUp, then: .apart) }
        #expect(!(try reader.take()).contains { $0.key == .volumeUp || $0.key == .volumeDown })
        try practice.signal(SIGKILL)
        try listener.waitForErrorLine("Pressed \(name): exclusive")
        try remote.press(.volumeDown)
        try listener.terminate()
        #expect(try self.count(server) == count - 1)
    }

    /// What her journal counts.
    private func count(_ server: Server) throws -> Int? {
        let shown = try place.run(
            "show", by: asUser(ada), environment: place.variables(of: ada, at: socket(server)))
        return Int(shown.output.dropLast())
    }
}
