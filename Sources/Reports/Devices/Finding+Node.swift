package import KeyProtocol
package import Linux
package import VolumeInput

extension Finding {
    /// What prevents a node from being intercepted, though the user may want it to be; `nil` where nothing does.
    ///
    /// - Parameters:
    ///   - node: the node.
    ///   - device: its input device.
    ///   - fault: why the key service does not serve this user; `nil` where it does.
    ///   - machine: the machine and session that the program runs in.
    ///   - users: looks for the programs that have a node open, by its path.
    package init?(
        _ node: NodeReport, of device: InputDevice, _ fault: ServiceFault?, on machine: Machine,
        users: (String) -> NodePrograms = NodePrograms.init
    ) {
        guard !node.state.isExclusive, let reason = node.state.reason else { return nil }
        let problem = "\(device.name.sanitised): \(node.path) \(reason)"
        switch node.state {
        case .exclusive, .exclusiveUnannounced: return nil
        case .noAccess where node.state.isDenied:
            self.init(problem, AccessRemedy(fault, nodes: [node.path], on: machine))
        case .noAccess:
            self.init(
                problem, remedy: "Plug the device in again; dmesg may tell what is the matter with it.")
        case .shared(.grabbedElsewhere):
            let programs = users(node.path).programs.joined(separator: ", ")
            self.init(
                problem + (programs.isEmpty ? "" : "; it is open in \(programs)"),
                remedy: programs.isEmpty
                    ? "End the program that has grabbed it (keyd, another counter, …): sudo counter doctor tells which."
                    : "End the program that has grabbed it, or configure it to leave the device alone.")
        case .shared(let reason):
            guard let advice = reason.advice(for: device.stableID) else { return nil }
            self.init(problem, remedy: advice)
        }
    }
}

extension SharedReason {
    /// What to do about it, in sentences; `nil` where it is as it should be.
    fileprivate func advice(for device: Identifier) -> String? {
        switch self {
        case .asConfigured, .inBackground, .otherUser, .otherSeat, .yielded: nil
        case .waitingForRelease: "Let go of the key; if none is down, plug the device in again."
        case .noRuntimeDirectory:
            "Set XDG_RUNTIME_DIR to a directory of yours, as a login does. As root, remove from /run/counter what is "
                + "not a record of counter."
        case .grabbedElsewhere, .keyboard, .pointer, .switches, .forceFeedback, .systemKeys, .otherKeys,
            .refused:
            "It counts, and the system's volume moves too. Without it: "
                + "counter device disable \(device.text.quotedForShell)"
        }
    }
}
