import CLinux
import CTestSupport
import Glibc
import KeyProtocol
import Linux
import TestSupport
import VolumeInput

/// Stands for a key service: the session connects to its socket, and the test presses the keys of its one device.
final class KeySource {
    let path: String
    private let listener: Descriptor
    private var connection: MessageConnection<ServerMessage, ClientMessage>?
    private var frames: UInt64 = 0
    /// The stamp of the next frame: the past, so that no timing of a gesture is still open when it is received.
    private var stamp = MonotonicTime.now + .seconds(-600)

    /// The messages of the session.
    private(set) var received: [ClientMessage] = []

    init(_ folder: ScratchFolder) throws {
        path = folder.path(of: "keys.socket")
        listener = Descriptor(owning: ctest_listen(path, CInt(SOCK_SEQPACKET.rawValue)))
    }

    /// Accepts the session's connection, and says which device there is.
    func accept() throws {
        let number = clinux_accept(listener.number)
        guard number >= 0 else { throw SupportError.system(call: "accept4", subject: path, errno: errno) }
        connection = MessageConnection(PacketSocket(owning: Descriptor(owning: number)))
        try send(
            .node(
                NodeReport(
                    node: NodeID(rawValue: 1), device: InputDeviceID(rawValue: 1), name: "Dial",
                    stableID: "usb:1", path: "/dev/input/event9", bus: "USB",
                    keys: [.init(.up), .init(.down)],
                    state: .exclusive(alsoTakes: false), plan: .exclusive(alsoTakes: false))))
        try send(.environment(.ready))
    }

    private func send(_ message: ServerMessage) throws {
        try connection?.send(message)
        while let message = try connection?.receive() { received.append(message) }
    }

    /// The next press is one of just now.
    func catchUp() { stamp = .now + .milliseconds(-60) }

    /// Presses keys together for a time; the next ones follow after a pause.
    func press(
        _ keys: CountedKey..., for duration: Duration = .milliseconds(50), then pause: Duration = .seconds(1)
    ) throws {
        try change(keys, isDown: true)
        stamp = stamp + duration
        try change(keys, isDown: false)
        stamp = stamp + pause
    }

    private func change(_ keys: [CountedKey], isDown: Bool) throws {
        frames += 1
        let changes = keys.map { KeyChange($0, isDown: isDown) }
        try send(
            .frame(
                number: frames, KeyFrame(node: NodeID(rawValue: 1), stamp: stamp, changes: changes)))
    }

    /// Ends the connection, as a server that has crashed does.
    func end() { connection = nil }
}
