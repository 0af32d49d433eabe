import Glibc
import Linux
import Testing
import VolumeInput

@testable import Reports

/// Which steps give a user access to the keys, on which machine.
@Suite struct AccessRemedyTests {
    private let node = "/dev/input/event3"

    private func remedy(_ fault: ServiceFault?, _ machine: Machine) -> AccessRemedy {
        AccessRemedy(fault, nodes: [node], on: machine)
    }

    @Test func `Where the service is installed, it is started; at the seat that suffices`() {
        let remedy = remedy(.absent, .sample(hasServiceUnit: true, isAtSeat: true))
        #expect(remedy.steps == [.startService])
        #expect(remedy.note == nil)
    }

    @Test func `A user who is not at the seat joins the group too, and logs in again`() {
        let remedy = remedy(.absent, .sample(hasServiceUnit: true))
        #expect(remedy.steps == [.startService, .joinGroup(user: "ada")])
        #expect(remedy.note?.contains("log in again") == true)
    }

    @Test func `A member of the group need not join it again`() {
        let effective = remedy(.absent, .sample(hasServiceUnit: true, membership: .effective))
        #expect(effective.steps == [.startService])
        #expect(effective.note == nil)
        let later = remedy(.absent, .sample(hasServiceUnit: true, membership: .fromNextLogin))
        #expect(later.steps == [.startService])
        #expect(later.note?.contains("log in again") == true)
    }

    @Test func `In a checkout the service is installed from it; elsewhere the note names the package`() {
        let built = remedy(.absent, .sample(checkout: "/src/counter", isAtSeat: true))
        #expect(built.steps.map(\.command.arguments) == [["make", "-C", "/src/counter", "install"]])
        let elsewhere = remedy(.absent, .sample(isAtSeat: true))
        #expect(elsewhere.steps.isEmpty)
        #expect(elsewhere.note?.contains("its package, or make install") == true)
    }

    @Test func `Without systemd the user becomes the owner of the nodes`() {
        let remedy = remedy(.absent, .sample(runsServices: false))
        #expect(remedy.steps == [.ownNode(node, user: "ada")])
        #expect(remedy.steps.first?.command.arguments == ["chown", "ada", node])
    }

    @Test func `Root lacks devices only in a container, and no step gives them`() {
        let remedy = remedy(.absent, .sample(isRoot: true))
        #expect(remedy.steps.isEmpty)
        #expect(remedy.note?.contains("--device-cgroup-rule") == true)
    }

    @Test func `A service that does not run is started where its unit is installed`() {
        let fault = ServiceFault.unreachable(SystemCallError(call: "connect", errno: ECONNREFUSED))
        #expect(remedy(fault, .sample(hasServiceUnit: true)).steps == [.startService])
        #expect(remedy(fault, .sample()).steps.isEmpty)
    }

    @Test func `A command is quoted as one would type it`() {
        #expect(RemedyCommand(["make", "-C", "/a b", "install"]).text == "make -C '/a b' install")
    }
}
