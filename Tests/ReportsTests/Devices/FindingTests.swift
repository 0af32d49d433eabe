import Glibc
import KeyProtocol
import Linux
import Testing
import VolumeInput

@testable import Reports

/// What prevents an input device from being read or intercepted, and what to do.
@Suite struct FindingTests {
    private func finding(_ state: NodeState) -> Finding? {
        let device = InputDevice.sample(state)
        return device.nodes.first.flatMap { Finding($0, of: device, .absent, on: .sample(isRoot: true)) }
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

    @Test func `A node without permission has the commands that give access`() throws {
        let device = InputDevice.sample(.noAccess(errno: EACCES))
        let finding = try #require(
            Finding(device.nodes[0], of: device, .absent, on: .sample(runsServices: false)))
        #expect(finding.commands.map(\.arguments) == [["chown", "ada", "/dev/input/event0"]])
        #expect(finding.remedy.contains("chown ada /dev/input/event0"))
    }

    @Test func `A program that has the node open is named, where it can be seen`() throws {
        let path = "/dev/null"
        let file = try Descriptor(opening: path, flags: O_RDONLY)
        let users = NodePrograms(of: path)
        #expect(users.programs.contains { $0.hasSuffix("(pid \(getpid()))") })
        let device = InputDevice.sample(.shared(.grabbedElsewhere))
        let seen = Finding(device.nodes[0], of: device, nil, on: .sample()) { _ in users }
        #expect(seen?.problem.contains("it is open in ") == true)
        #expect(finding(.shared(.grabbedElsewhere))?.remedy.contains("sudo counter doctor") == true)
        _ = consume file
    }

    @Test func `Input is unreadable only where every node is, and one for want of permission`() {
        func unreadable(_ devices: [InputDevice]) -> UnreadableInput? {
            UnreadableInput(.ready, devices, .absent, on: .sample(isRoot: true))
        }
        let denied = NodeState.noAccess(errno: EACCES)
        #expect(unreadable([]) == .absent(reason: "no device with volume keys", remedy: "plug one in"))
        #expect(unreadable([.sample(denied, .shared(.keyboard))]) == nil)
        #expect(unreadable([.sample(.noAccess(errno: ENODEV))]) == nil)
        guard case .denied = unreadable([.sample(denied, .noAccess(errno: ENODEV))]) else {
            Issue.record("not denied")
            return
        }
        #expect(UnreadableInput(nil, [], .absent, on: .sample()) == nil)
    }
}
