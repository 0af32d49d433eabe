import KeyProtocol

@testable import Reports
@testable import VolumeInput

extension Machine {
    /// A machine with systemd, on which nothing of counter is installed; the user is not at its seat.
    static func sample(
        isRoot: Bool = false, checkout: String? = nil, runsServices: Bool = true,
        hasServiceUnit: Bool = false,
        isAtSeat: Bool = false, membership: Membership = .none
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
