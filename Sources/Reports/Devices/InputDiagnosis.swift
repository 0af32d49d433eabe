package import CounterModel
import Glibc
package import KeyProtocol
import Linux
package import VolumeInput

// MARK: What is found

extension Diagnosis {
    /// Why none of the input devices can be read, for the Count screen; nil where one can, or before the first scan, when there is
    /// no `environment`. The machine is looked at only where the answer depends on it. A viewer counts nothing meanwhile.
    package init?(
        unreadable environment: InputEnvironment?, _ devices: [InputDevice], _ fault: ServiceFault?,
        on machine: @autoclosure () -> Machine, for role: UserRole
    ) {
        func hint(_ remedy: String, _ meanwhile: String) -> String {
            role == .viewer ? remedy : "\(remedy); \(meanwhile)"
        }
        guard let environment else { return nil }
        let nodes = devices.flatMap(\.nodes)
        let denied = nodes.filter(\.state.isDenied).map(\.path)
        if nodes.isEmpty {
            let (reason, remedy) = environment.problem ?? ("no device with volume keys", "plug one in")
            self.init(reason, hint: hint(remedy, "+ and - count too"))
        } else if !denied.isEmpty, nodes.allSatisfy(\.state.isUnreadable) {
            let access = Diagnosis.access(fault, nodes: denied, on: machine())
            let helps =
                access.steps.first.map { "\($0.name) mends that; D shows how" } ?? "D tells what helps"
            self.init(
                "the volume keys cannot be read: \(access.problem)",
                hint: hint(helps, "+ and - count meanwhile"), steps: access.steps,
                note: access.note ?? "This screen notices by itself when that is done.")
        } else {
            return nil
        }
    }

    /// What prevents each of the nodes from being intercepted, though the user may want it to be. `users` looks for the programs
    /// that have a node open, by its path.
    package static func all(
        _ environment: InputEnvironment, _ devices: [InputDevice], _ fault: ServiceFault?,
        on machine: @autoclosure () -> Machine, users: (String) -> [String] = programsWithOpen
    ) -> [Diagnosis] {
        if let (reason, remedy) = environment.problem { return [Diagnosis(reason, note: remedy)] }
        if devices.isEmpty {
            return [
                Diagnosis(
                    "no device with volume keys is there",
                    note: "Plug one in, or name other keys under [keys] in config.toml.")
            ]
        }
        let machine = machine()
        return devices.flatMap { device in
            device.nodes.compactMap { Diagnosis($0, of: device, fault, on: machine, users: users) }
        }
    }

    private init?(
        _ node: NodeReport, of device: InputDevice, _ fault: ServiceFault?, on machine: Machine,
        users: (String) -> [String]
    ) {
        guard !node.state.isExclusive, let reason = node.state.reason else { return nil }
        let problem = "\(device.name.sanitised): \(node.path) \(reason)"
        switch node.state {
        case .exclusive, .exclusiveUnannounced: return nil
        case .noAccess where node.state.isDenied:
            let access = Diagnosis.access(fault, nodes: [node.path], on: machine)
            self.init(problem, steps: access.steps, note: access.note)
        case .noAccess:
            self.init(problem, note: "Plug the device in again; dmesg may tell what is the matter with it.")
        case .shared(.grabbedElsewhere):
            let programs = users(node.path).joined(separator: ", ")
            self.init(
                problem + (programs.isEmpty ? "" : "; it is open in \(programs)"),
                note: programs.isEmpty
                    ? "End the program that has grabbed it (keyd, another counter, …): sudo counter doctor tells which."
                    : "End the program that has grabbed it, or configure it to leave the device alone.")
        case .shared(let reason):
            guard let advice = reason.advice(for: device.stableID) else { return nil }
            self.init(problem, note: advice)
        }
    }

    /// Which server reads the volume keys: the system's service or, where there is a `fault`, a key server that this program
    /// started. It is no problem by itself, and tells much about others.
    package static func server(_ fault: ServiceFault?, _ devices: [InputDevice]) -> Diagnosis {
        guard let fault else {
            return Diagnosis(
                "The volume keys are read by the counter-keys service.",
                note:
                    "It serves you while your session is in the foreground; no program of yours has to open a keyboard."
            )
        }
        let closed = devices.flatMap(\.nodes).count(where: \.state.isDenied)
        let gain =
            switch closed {
            case 0: "devices that you may not open"
            case 1: "the node here that you may not open"
            default: "the \(closed) nodes here that you may not open"
            }
        let note =
            switch fault {
            case .absent: "Installed (make install) it would receive \(gain) too."
            case .unreachable, .silent: "systemctl status counter-keys.socket counter-keys.service tells why."
            case .refused where fault.isForOtherKeys:
                "man counter lists these keys; with them under [keys] in config.toml it would receive \(gain) too."
            case .refused:
                "It would receive \(gain) too. Members of the group counter are served in every session."
            }
        return Diagnosis(
            "The volume keys are read by your own counter-keys process: the counter-keys service \(fault.reason).",
            note: note)
    }
}

extension SharedReason {
    /// What to do about it, in sentences; nil where it is as it should be.
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

// MARK: Access

extension Diagnosis {
    /// Why this user may not open some nodes, which completes `the volume keys cannot be read: `, and which steps give access to
    /// them. That depends on the machine and on the server: `fault` is why the key service does not serve this user, nil where it
    /// does.
    static func access(_ fault: ServiceFault?, nodes: [String], on machine: Machine) -> Diagnosis {
        switch fault {
        case nil:
            Diagnosis("the key service may not open them", note: "journalctl -u counter-keys tells why.")
        case _ where machine.isRoot:
            // Root is refused devices only inside a container.
            Diagnosis(
                "this container was not given them",
                note:
                    "Start it with its devices: -v /dev/input:/dev/input --device-cgroup-rule 'c 13:* rmw'.")
        case .absent: withoutService(nodes, machine)
        case .unreachable:
            Diagnosis(
                "the key service does not run", steps: machine.hasServiceUnit ? [.startService] : [],
                note: "systemctl status counter-keys.socket tells why.")
        case .refused where fault?.isForOtherKeys == true:
            Diagnosis(
                "the key service reads \(ServedKeys.summary) only",
                note: "Name such keys under [keys] in config.toml: man counter lists them.")
        case .refused: refused(fault?.isForUnauthorisedPeers ?? false, machine)
        case .silent:
            Diagnosis(
                "the key service does not answer", note: "systemctl status counter-keys.service tells why.")
        }
    }

    private static let relogin = "Then log in again: who is in a group is known from the login on."

    private static func withoutService(_ nodes: [String], _ machine: Machine) -> Diagnosis {
        let cause = "no permission to read them"
        guard machine.runsServices else {
            return Diagnosis(cause, steps: nodes.map { .own($0, user: machine.user) })
        }
        guard let step = machine.hasServiceUnit ? .startService : machine.checkout.map(Step.install) else {
            return Diagnosis(
                cause, note: "Install counter, with its key service: its package, or make install.")
        }
        // The service serves a user without a session at the seat only as a member of the group.
        if machine.isAtSeat || machine.membership == .effective { return Diagnosis(cause, steps: [step]) }
        return Diagnosis(
            cause, steps: [step] + (machine.membership == .none ? [.joinGroup(machine.user)] : []),
            note: relogin)
    }

    private static func refused(_ isUnauthorised: Bool, _ machine: Machine) -> Diagnosis {
        let cause = "you are not at this machine"
        switch machine.membership {
        case .none where isUnauthorised:
            return Diagnosis(cause, steps: [.joinGroup(machine.user)], note: relogin)
        case .fromNextLogin where isUnauthorised:
            return Diagnosis(
                cause, note: "Log in again: you are in group \(Machine.group), from your next login on.")
        case .none, .fromNextLogin, .effective:
            return Diagnosis("the key service refuses", note: "counter doctor --verbose tells why.")
        }
    }
}

extension Diagnosis.Step {
    static func install(_ checkout: String) -> Self {
        Self(
            "make install",
            effect:
                "make install sets up the key service: it reads the volume keys for the user of the seat's active session.",
            RemedyCommand(["make", "-C", checkout, "install"], of: checkout))
    }

    static var startService: Self {
        Self(
            "starting the key service",
            effect: "The key service is installed; once started, it reads the volume keys for you.",
            .asRoot(["systemctl", "enable", "--now", "counter-keys.socket"]))
    }

    /// Adds the user to the group whose members the service serves in any session.
    static func joinGroup(_ user: String) -> Self {
        Self(
            "joining group \(Machine.group)",
            effect: "The key service serves the members of group \(Machine.group) in every session.",
            .asRoot(["usermod", "-aG", Machine.group, user]))
    }

    static func own(_ path: String, user: String) -> Self {
        Self(
            "owning the device's node",
            effect:
                "Yours until it is unplugged; all your programs can read it then, on a keyboard the typing too.",
            .asRoot(["chown", user, path]))
    }
}

// MARK: Other programs

/// The programs that have a device node open, as far as `/proc/PID/fd` shows them to this user; only root may read that of other
/// users' programs. Each with its process id, `keyd (pid 812)`, and sanitised for the terminal.
package func programsWithOpen(_ path: String) -> [String] {
    /// The corresponding C function is `readlink(2)`.
    func leads(_ link: String) -> Bool {
        var target = [CChar](repeating: 0, count: path.utf8.count + 1)
        let count = readlink(link, &target, target.count)
        return count >= 0 && target[..<count].elementsEqual(path.utf8.map(CChar.init(bitPattern:)))
    }
    return directoryEntries(of: "/proc").compactMap { Int32($0) }.sorted()
        .filter { process in
            let folder = "/proc/\(process)/fd"
            return directoryEntries(of: folder).contains { leads("\(folder)/\($0)") }
        }
        .map { process in
            let file = try? TextFile(path: "/proc/\(process)/comm", name: "comm")
            return "\((file?.text.filter { !$0.isNewline } ?? "?").sanitised) (pid \(process))"
        }
}
