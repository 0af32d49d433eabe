import KeyProtocol
package import VolumeInput

/// Why this user may not open some nodes, and which steps give access to them. The answer depends on which server answers
/// (the key service or the user's own) and on the machine.
package struct AccessRemedy: Hashable, Sendable {
    /// Why no key can be read. Completes the sentence `the volume keys cannot be read: `.
    package let cause: String
    /// Steps that can be run to gain access, in this order.
    package let steps: [AccessStep]
    /// What the user has to do where no step exists or where the steps do not suffice; whole sentences.
    package let note: String?

    /// - Parameters:
    ///   - fault: why the key service does not serve this user; `nil` where it does.
    ///   - nodes: the paths of the nodes that this user may not open.
    ///   - machine: the machine and session that the program runs in.
    package init(_ fault: ServiceFault?, nodes: [String], on machine: Machine) {
        switch fault {
        case nil:
            self.init("the key service may not open them", note: "journalctl -u counter-keys tells why.")
        case _ where machine.isRoot: self = .container
        case .absent: self = .withoutService(nodes, machine)
        case .unreachable:
            self.init(
                "the key service does not run", machine.hasServiceUnit ? [.startService] : [],
                note: "systemctl status counter-keys.socket tells why.")
        case .refused where fault?.isForOtherKeys == true:
            self.init(
                "the key service reads \(ServedKeys.summary) only",
                note: "Name such keys under [keys] in config.toml: man counter lists them.")
        case .refused: self = .refused(fault?.isForUnauthorisedPeers ?? false, machine)
        case .silent:
            self.init(
                "the key service does not answer", note: "systemctl status counter-keys.service tells why.")
        }
    }

    private init(_ cause: String, _ steps: [AccessStep] = [], note: String? = nil) {
        self.cause = cause
        self.steps = steps
        self.note = note
    }

    /// Root is refused devices only inside a container.
    private static let container = AccessRemedy(
        "this container was not given them",
        note: "Start it with its devices: -v /dev/input:/dev/input --device-cgroup-rule 'c 13:* rmw'.")

    private static let relogin = "Then log in again: who is in a group is known from the login on."

    private static func withoutService(_ nodes: [String], _ machine: Machine) -> AccessRemedy {
        guard machine.runsServices else {
            return AccessRemedy(denied, nodes.map { .ownNode($0, user: machine.user) })
        }
        guard let step = machine.hasServiceUnit ? .startService : machine.checkout.map(AccessStep.install)
        else {
            return AccessRemedy(
                denied, note: "Install counter, with its key service: its package, or make install.")
        }
        // The service serves a user without a session at the seat only as a member of the group.
        if machine.isAtSeat || machine.membership == .effective { return AccessRemedy(denied, [step]) }
        let joining: [AccessStep] = machine.membership == .none ? [.joinGroup(user: machine.user)] : []
        return AccessRemedy(denied, [step] + joining, note: relogin)
    }

    private static let denied = "no permission to read them"

    private static func refused(_ isUnauthorised: Bool, _ machine: Machine) -> AccessRemedy {
        let cause = "you are not at this machine"
        switch machine.membership {
        case .none where isUnauthorised:
            return AccessRemedy(cause, [.joinGroup(user: machine.user)], note: relogin)
        case .fromNextLogin where isUnauthorised:
            return AccessRemedy(
                cause, note: "Log in again: you are in group \(Machine.group), from your next login on.")
        case .none, .fromNextLogin, .effective:
            return AccessRemedy("the key service refuses", note: "counter doctor --verbose tells why.")
        }
    }
}
