import CounterModel
import Glibc
import KeyProtocol
import Linux
import Testing

@testable import Reports
@testable import VolumeInput

/// What prevents an input device from being read or intercepted, and what to do.
@Suite struct InputDiagnosisTests {
    private func finding(_ state: NodeState) -> Diagnosis? {
        Diagnosis.all(.ready, [.sample(state)], .absent, on: .sample(isRoot: true)) { _ in [] }.first
    }

    @Test(arguments: [
        NodeState.exclusive(alsoTakes: true), .exclusiveUnannounced, .shared(.asConfigured),
        .shared(.inBackground),
        .shared(.otherUser), .shared(.otherSeat),
    ])
    func `What is as it should be is no finding`(state: NodeState) {
        #expect(finding(state) == nil)
    }

    @Test func `Each other reason has a remedy`() throws {
        for reason in SharedReason.allCases {
            guard let finding = finding(.shared(reason)) else { continue }
            #expect(finding.problem.hasPrefix("Remote: /dev/input/event0 "))
            #expect(!finding.remedy.isEmpty)
        }
        #expect(finding(.shared(.keyboard))?.remedy.hasSuffix("counter device disable 'usb 1'") == true)
    }

    @Test func `What is not intercepted by how it was started says what to start with`() {
        #expect(CapturePolicy.Obstacle.background.texts.remedy == "start with --always to count there too")
        #expect(CapturePolicy.Obstacle.configuration.texts.remedy == "start with --intercept auto")
    }

    @Test func `A node without permission has the commands that give access`() throws {
        let finding = try #require(
            Diagnosis.all(
                .ready, [.sample(.noAccess(errno: EACCES))], .absent, on: .sample(runsServices: false)
            ).first)
        #expect(finding.steps.map(\.command.arguments) == [["chown", "ada", "/dev/input/event0"]])
        #expect(finding.remedy.contains("chown ada /dev/input/event0"))
    }

    @Test func `A program that has the node open is named, where it can be seen`() throws {
        let path = "/dev/null"
        let file = try Descriptor(opening: path, flags: O_RDONLY)
        let users = programsWithOpen(path)
        #expect(users.contains { $0.hasSuffix("(pid \(getpid()))") })
        let device = InputDevice.sample(.shared(.grabbedElsewhere))
        let seen = Diagnosis.all(.ready, [device], nil, on: .sample()) { _ in users }.first
        #expect(seen?.problem.contains("it is open in ") == true)
        #expect(finding(.shared(.grabbedElsewhere))?.remedy.contains("sudo counter doctor") == true)
        _ = consume file
    }

    @Test func `Without any device there is one diagnosis, and it depends on the reason`() {
        func all(_ environment: InputEnvironment) -> [String] {
            Diagnosis.all(environment, [], nil, on: .sample()).map(\.text)
        }
        #expect(
            all(.ready) == [
                "no device with volume keys is there\n  Plug one in, or name other keys under [keys] in config.toml."
            ])
        #expect(
            all(.noDirectory) == [
                "no input devices found\n  plug a device in; in a container, pass /dev/input through"
            ])
    }

    @Test func `The server that reads the keys, and what its service would gain`() {
        let closed = InputDevice.sample(.noAccess(errno: EACCES), .noAccess(errno: EACCES))
        #expect(
            Diagnosis.server(nil, []).text == "The volume keys are read by the counter-keys service.\n"
                + "  It serves you while your session is in the foreground; no program of yours has to open a keyboard."
        )
        #expect(
            Diagnosis.server(.absent, [closed]).text
                == "The volume keys are read by your own counter-keys process: the counter-keys service is not installed.\n"
                + "  Installed (make install) it would receive the 2 nodes here that you may not open too.")
        #expect(
            Diagnosis.server(.silent, []).text
                == "The volume keys are read by your own counter-keys process: the counter-keys service does not answer.\n"
                + "  systemctl status counter-keys.socket counter-keys.service tells why.")
        #expect(
            Diagnosis.server(.refused("\(MessageError.unauthorised)"), []).text
                == "The volume keys are read by your own counter-keys process: the counter-keys service does not serve this "
                + "program: you have no session at this machine, and are not in group counter.\n"
                + "  It would receive devices that you may not open too. Members of the group counter are served in every session."
        )
    }

    // MARK: Count

    private func unreadable(
        _ devices: [InputDevice], _ fault: ServiceFault? = .absent,
        on machine: Machine = .sample(isRoot: true),
        for role: UserRole = .admin
    ) -> Diagnosis? {
        Diagnosis(unreadable: .ready, devices, fault, on: machine, for: role)
    }

    private let denied = NodeState.noAccess(errno: EACCES)

    @Test func `Input is unreadable only where every node is, and one for want of permission`() {
        #expect(
            unreadable([]) == Diagnosis("no device with volume keys", hint: "plug one in; + and - count too"))
        #expect(unreadable([], for: .viewer)?.hint == "plug one in")
        #expect(unreadable([.sample(denied, .shared(.keyboard))]) == nil)
        #expect(unreadable([.sample(.noAccess(errno: ENODEV))]) == nil)
        #expect(unreadable([.sample(denied, .noAccess(errno: ENODEV))]) != nil)
        #expect(Diagnosis(unreadable: nil, [], .absent, on: .sample(), for: .admin) == nil)
    }

    @Test func `Where keys may not be read, the line names the first step, and the details have all of them`()
    {
        let served = unreadable([.sample(denied, denied)], on: .sample(hasServiceUnit: true))
        #expect(served?.problem == "the volume keys cannot be read: no permission to read them")
        #expect(served?.hint == "starting the key service mends that; D shows how; + and - count meanwhile")
        #expect(served?.steps == [.startService, .joinGroup("ada")])
        let alone = unreadable([.sample(denied, denied)], on: .sample(runsServices: false), for: .viewer)
        #expect(alone?.hint == "owning the device's node mends that; D shows how")
        #expect(alone?.steps.map(\.command.arguments.last) == ["/dev/input/event0", "/dev/input/event1"])
        #expect(alone?.note == "This screen notices by itself when that is done.")
        #expect(unreadable([.sample(denied)])?.hint == "D tells what helps; + and - count meanwhile")
    }
}

/// Which steps give a user access to the keys, on which machine.
@Suite struct AccessTests {
    private static let node = "/dev/input/event3"
    private static let stopped = ServiceFault.unreachable(
        SystemCallError(call: "connect", errno: ECONNREFUSED))

    /// (why the service does not serve, the machine, the steps, a part of the note)
    @Test(
        arguments: [
            // Where the service is installed it is started. That suffices at the seat; elsewhere the user joins the group.
            (.absent, .sample(hasServiceUnit: true, isAtSeat: true), [.startService], nil),
            (.absent, .sample(hasServiceUnit: true), [.startService, .joinGroup("ada")], "log in again"),
            (.absent, .sample(hasServiceUnit: true, membership: .effective), [.startService], nil),
            (
                .absent, .sample(hasServiceUnit: true, membership: .fromNextLogin), [.startService],
                "log in again"
            ),
            (stopped, .sample(hasServiceUnit: true), [.startService], "systemctl status"),
            (stopped, .sample(), [], "systemctl status"),
            // In a checkout it is installed.
            (.absent, .sample(checkout: "/src/counter", isAtSeat: true), [.install("/src/counter")], nil),
            (.absent, .sample(isAtSeat: true), [], "its package, or make install"),
            // Without systemd the user becomes the owner of the nodes. Root lacks devices only in a container.
            (.absent, .sample(runsServices: false), [.own(node, user: "ada")], nil),
            (.absent, .sample(isRoot: true), [], "--device-cgroup-rule"),
        ] as [(ServiceFault, Machine, [Diagnosis.Step], String?)])
    func `The steps are those that the machine needs, and the note has what no step does`(
        fault: ServiceFault, machine: Machine, steps: [Diagnosis.Step], note: String?
    ) {
        let access = Diagnosis.access(fault, nodes: [Self.node], on: machine)
        #expect(access.steps == steps)
        #expect(note.map { access.note?.contains($0) == true } ?? (access.note == nil))
    }

    @Test func `A step is a command`() {
        #expect(
            Diagnosis.Step.install("/src/counter").command.arguments
                == ["make", "-C", "/src/counter", "install"])
        #expect(Diagnosis.Step.own(Self.node, user: "ada").command.arguments == ["chown", "ada", Self.node])
    }

    @Test func `A command is quoted as one would type it`() {
        #expect(RemedyCommand(["make", "-C", "/a b", "install"]).text == "make -C '/a b' install")
    }
}

extension Machine {
    /// A machine with systemd, on which nothing of counter is installed; the user is not at its seat.
    static func sample(
        isRoot: Bool = false, checkout: String? = nil, runsServices: Bool = true,
        hasServiceUnit: Bool = false, isAtSeat: Bool = false, membership: Membership = .none
    ) -> Machine {
        Machine(
            user: "ada", isRoot: isRoot, checkout: checkout, runsServices: runsServices,
            hasServiceUnit: hasServiceUnit, isAtSeat: isAtSeat, membership: membership)
    }
}

extension InputDevice {
    /// A remote with a node in each of the states.
    static func sample(_ states: NodeState...) -> InputDevice {
        let nodes = states.enumerated().map { index, state in
            NodeReport(
                node: NodeID(rawValue: UInt32(index)), device: InputDeviceID(rawValue: 1), name: "Remote",
                stableID: "usb 1", path: "/dev/input/event\(index)", bus: "usb", keys: CountedKeys(.up),
                state: state, plan: state)
        }
        return InputDevice(stableID: "usb 1", nodes: nodes)
    }
}
