import CTestSupport
import Glibc
import Linux
import TestSupport
import Testing

@testable import KeyProtocol
@testable import KeyServer

/// Which peers the service accepts, and how many.
@Suite struct AdmissionTests {
    private func rights(_ user: UInt32, groups: Set<UInt32>, _ seats: Seats) -> SeatRights? {
        SeatRights(of: SocketPeer(user: user, groups: groups), group: 77, seats)
    }

    /// Ada's session is in the foreground, Bob's in the background.
    private let seats = seats([
        "seat0":
            "# This is private data.\nIS_SEAT0=1\nACTIVE=c2\nACTIVE_UID=1000\nSESSIONS=c2 c3\nUIDS=1000 1001\n"
    ])

    private static func seats(_ texts: [String: String], isGreeter: Bool = false) -> Seats {
        var seats = Seats()
        for (name, text) in texts {
            seats[name] = Seats.Seat(LoginRecord(text: text), isGreeter: isGreeter)
        }
        return seats
    }

    /// Whether a user is served or waits; nil where it is not authorised.
    private func isServed(_ user: UInt32, groups: Set<UInt32> = []) -> Bool? {
        rights(user, groups: groups, seats)?.isServed
    }

    @Test func `The foreground user is served, and others wait`() {
        #expect(isServed(1000) == true)
        #expect(isServed(1001) == false)
        #expect(isServed(1002) == nil)
    }

    @Test func `Root and members of the group are served always`() {
        #expect(isServed(0) == true)
        #expect(isServed(1001, groups: [5, 77]) == true)
        #expect(isServed(1002, groups: [77]) == true)
        #expect(isServed(1002, groups: [5]) == nil)
        #expect(SeatRights(of: SocketPeer(user: 9, groups: [77]), group: nil, seats) == nil)
    }

    @Test func `Without a foreground user nobody at the seat is served`() {
        let seats = Self.seats(["seat0": "IS_SEAT0=1\nSESSIONS=c2\nUIDS=1000\n"])
        #expect(seats.foregroundUsers.isEmpty)
        #expect(seats.users == [1000])
        #expect(Seats().users.isEmpty)
    }

    @Test func `Each seat has its own foreground user`() {
        let seats = Self.seats(["seat0": "ACTIVE_UID=7\nUIDS=7\n", "seat1": "ACTIVE_UID=8\n"])
        #expect(seats.foregroundUsers == [7, 8])
        #expect(seats.users == [7, 8])
    }

    /// What a user may have of the devices of seat0 and of seat1.
    private func limits(_ user: UInt32, groups: Set<UInt32> = [], _ seats: Seats) -> [CaptureMode] {
        let rights = rights(user, groups: groups, seats)
        return ["seat0", "seat1"].map { rights?.limit(at: $0) ?? .off }
    }

    @Test func `Only the foreground user of a seat captures exclusively`() {
        let seats = Self.seats([
            "seat0": "ACTIVE_UID=1000\nUIDS=1000 1001\n", "seat1": "ACTIVE_UID=1001\n",
        ])
        #expect(limits(1000, seats) == [.exclusive, .off])
        #expect(limits(1001, seats) == [.off, .exclusive])
        // A member of the group and root share the keys of a seat whose foreground is another user's.
        #expect(limits(1001, groups: [77], seats) == [.shared, .exclusive])
        #expect(limits(1002, groups: [77], seats) == [.shared, .shared])
        #expect(limits(0, seats) == [.shared, .shared])
    }

    @Test func `An empty seat or a greeter is no other user`() {
        let greeter = Self.seats(["seat0": "ACTIVE=c1\nACTIVE_UID=114\nUIDS=114\n"], isGreeter: true)
        for seats in [greeter, Seats(), Self.seats(["seat0": "IS_SEAT0=1\nUIDS=1000\n"])] {
            #expect(limits(1002, groups: [77], seats) == [.exclusive, .exclusive])
            #expect(limits(0, seats) == [.exclusive, .exclusive])
            #expect(limits(1000, seats) == [.off, .off])
        }
    }

    @Test func `A greeter is told by its session`() throws {
        let folder = try ScratchFolder()
        try folder.write("seats/seat0", "ACTIVE=c1\nACTIVE_UID=114\nUIDS=114\n")
        #expect(Seats(readingFrom: folder.path).foregroundUsers == [114], "its session is not known")
        try folder.write("sessions/c1", "UID=114\nCLASS=greeter\n")
        #expect(Seats(readingFrom: folder.path).foregroundUsers.isEmpty)
        try folder.write("sessions/c1", "UID=114\nCLASS=user\n")
        #expect(Seats(readingFrom: folder.path).foregroundUsers == [114])
    }

    @Test func `A device is at the seat that udev says`() throws {
        let folder = try ScratchFolder()
        #expect(DeviceSeat.name(of: "/dev/null", in: folder.path) == "seat0")
        try folder.write("c1:3", "I:1234\nE:ID_INPUT=1\nE:ID_SEAT=seat-garage\nG:seat\n")
        #expect(DeviceSeat.name(of: "/dev/null", in: folder.path) == "seat-garage")
        try folder.write("c1:3", "I:1234\nE:ID_INPUT=1\n")
        #expect(DeviceSeat.name(of: "/dev/null", in: folder.path) == "seat0")
        #expect(DeviceSeat.name(of: "/dev/none", in: folder.path) == "seat0")
    }

    /// The answers of a limit to successive attempts.
    private func answers(_ attempts: [(user: UInt32, beside: [UInt32], after: Duration)]) -> [Bool] {
        var limit = ConnectionLimit()
        return attempts.map { limit.admits($0.user, beside: $0.beside, at: Self.start + $0.after) }
    }

    private static let start = MonotonicTime(microseconds: 1_000_000)

    @Test func `A user has eight connections, and all together have more`() {
        let eight = [UInt32](repeating: 1000, count: 8)
        let crowd = Array(0..<UInt32(ConnectionLimit.maxConnections))
        #expect(answers([(1000, Array(eight.dropLast()), .zero)]) == [true])
        #expect(answers([(1000, eight, .zero), (1001, eight, .zero)]) == [false, true])
        #expect(answers([(1, crowd, .zero)]) == [false], "it has one")
        #expect(answers([(1001, crowd, .zero)]) == [true], "nobody is kept out by others")
    }

    @Test func `Who found no room is told once, when there is some`() {
        let eight = [UInt32](repeating: 1000, count: 8)
        let seven = Array(eight.dropLast())
        let now = Self.start
        var limit = ConnectionLimit()
        #expect(limit.nextOpening(beside: [], at: now) == nil, "everybody has found room")
        let isAdmitted = limit.admits(1000, beside: eight, at: now)
        #expect(!isAdmitted)
        #expect(limit.nextOpening(beside: eight, at: now) == nil, "another has to go first")
        #expect(limit.nextOpening(beside: seven, at: now) == now)
        let told = [eight, seven, seven].map { limit.opens(beside: $0, at: now) }
        #expect(told == [false, true, false])
        #expect(limit.nextOpening(beside: seven, at: now) == nil)
    }

    @Test func `Who was too fast is told after the pause`() {
        var limit = ConnectionLimit()
        let answers = (0..<9).map { _ in limit.admits(1000, beside: [], at: Self.start) }
        #expect(answers == [Bool](repeating: true, count: 8) + [false])
        let opening = Self.start + ConnectionLimit.pause
        #expect(limit.nextOpening(beside: [], at: Self.start) == opening)
        let told = [opening + .microseconds(-1), opening].map { limit.opens(beside: [], at: $0) }
        #expect(told == [false, true])
    }

    @Test func `Who comes and goes too fast has to wait, which delays nobody else`() {
        let burst = [(UInt32, [UInt32], Duration)](repeating: (1000, [], .zero), count: 8)
        #expect(answers(burst) == [Bool](repeating: true, count: 8))
        #expect(
            answers(burst + [(1000, [], .milliseconds(499)), (1001, [], .zero)]).suffix(2) == [false, true])
        let later =
            burst + [(1000, [], .milliseconds(500)), (1000, [], .milliseconds(999)), (1000, [], .seconds(1))]
        #expect(answers(later).suffix(3) == [true, false, true])
    }

    /// How many of `attempts` messages a budget accepts.
    private func passed(_ attempts: Int, every pause: Duration, isIntroduced: Bool) -> Int {
        var budget = MessageBudget()
        if isIntroduced { budget.endIntroduction() }
        return (0..<attempts).count { budget.spend(at: Self.start + pause * $0) }
    }

    @Test func `Every setting fits into the introduction and then a few messages a second`() {
        #expect(passed(5000, every: .zero, isIntroduced: false) == 2 + 256 + 1024 + 1)
        #expect(passed(5000, every: .zero, isIntroduced: true) == 64)
        #expect(passed(5000, every: .milliseconds(30), isIntroduced: true) == 5000)
    }
}

/// Which clients are accepted while the foreground of seats changes. The tests write logind's files.
@Suite struct ClientAcceptorTests {
    private let folder: ScratchFolder
    private let seats: SeatMonitor
    private let door: ClientAcceptor

    init() throws {
        let folder = try ScratchFolder()
        try Self.bringToFront(1000, in: folder)
        let path = folder.path(of: "keys.socket")
        let listener = try Descriptor(from: "listen", path) {
            ctest_listen(path, Int32(SOCK_SEQPACKET.rawValue))
        }
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

    @Test func `A change is told once`() throws {
        #expect(try foregroundWhenChanged() == nil)
        try Self.bringToFront(1001, in: folder)
        #expect(try foregroundWhenChanged() == [1001])
        #expect(try foregroundWhenChanged() == nil)
    }

    /// Otherwise a client in the background could go on receiving keys by connecting again and again.
    @Test func `A change is told though somebody connects meanwhile`() throws {
        try Self.bringToFront(1001, in: folder)
        let stranger = try PacketSocket(connectingTo: folder.path(of: "keys.socket"))
        _ = door.accept(beside: [], DeviceWatch(isService: false))
        #expect(try foregroundWhenChanged() == [1001])
        withExtendedLifetime(stranger) {}
    }

    @Test(.enabled(if: geteuid() == 0, "only root may become another user"))
    func `Who may not connect is charged to no limit`() throws {
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
        let accepted = door.accept(beside: [], DeviceWatch(isService: false))
        #expect(accepted.isEmpty)
        // Nobody is remembered as one for whom there was no room: that would wake the service.
        let opening = door.nextOpening(beside: [])
        #expect(opening == nil)
    }
}
