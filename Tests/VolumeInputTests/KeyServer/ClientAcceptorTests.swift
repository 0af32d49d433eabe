import CTestSupport
import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyServer

/// Which clients are accepted while the foreground of seats changes. The tests write logind's files.
@Suite struct ClientAcceptorTests {
    private let folder: ScratchFolder
    private let seats: SeatMonitor
    private let door: ClientAcceptor

    init() throws {
        let folder = try ScratchFolder()
        try Self.bringToFront(1000, in: folder)
        let path = folder.path(of: "keys.socket")
        let listener = Descriptor(
            owning: try systemCall("listen", path) { ctest_listen(path, Int32(SOCK_SEQPACKET.rawValue)) })
        seats = SeatMonitor(folder.path)
        door = ClientAcceptor(
            ListeningSocket(owning: listener, connectionsClosedBy: try ClosingThread()), seats)
        self.folder = folder
    }

    private static func bringToFront(_ user: UInt32, in folder: ScratchFolder) throws {
        try folder.write("seats/.seat0", "ACTIVE_UID=\(user)\nUIDS=1000 1001\n")
        #expect(rename(folder.path(of: "seats/.seat0"), folder.path(of: "seats/seat0")) == 0)
    }

    private func foregroundWhenChanged() throws -> Set<uid_t>? {
        var polled = PollSet()
        seats.watch(&polled)
        try polled.wait(until: .now)
        return seats.seatsWhenChanged(polled)?.foregroundUsers
    }

    @Test func aChangeIsToldOnce() throws {
        #expect(try foregroundWhenChanged() == nil)
        try Self.bringToFront(1001, in: folder)
        #expect(try foregroundWhenChanged() == [1001])
        #expect(try foregroundWhenChanged() == nil)
    }

    /// Otherwise a client whose user is no longer in the foreground could go on receiving keys by connecting again
    /// and again.
    @Test func aChangeIsToldThoughSomebodyIsLetInMeanwhile() throws {
        try Self.bringToFront(1001, in: folder)
        let stranger = try PacketSocket(connectingTo: folder.path(of: "keys.socket"))
        _ = door.accept(beside: [])
        #expect(try foregroundWhenChanged() == [1001])
        withExtendedLifetime(stranger) {}
    }

    @Test(.enabled(if: geteuid() == 0, "only root may become another user"))
    func whoMayNotConnectIsChargedToNoLimit() throws {
        let path = folder.path(of: "keys.socket")
        chmod(folder.path, 0o755)
        chmod(path, 0o666)
        let connecting = """
            for (1..\(ConnectionLimit.maxOfUser * 2)) {
                socket(my $one, AF_UNIX, SOCK_SEQPACKET, 0) or die "$!";
                connect($one, sockaddr_un("\(path)")) or die "$!";
            }
            """
        let outcome = try ChildProcess.run(asNobody + ["perl", "-MSocket", "-e", connecting])
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        let accepted = door.accept(beside: [])
        #expect(accepted.isEmpty)
        // Nobody is remembered as one for whom there was no room: that would wake the service.
        let opening = door.nextOpening(beside: [])
        #expect(opening == nil)
    }
}
