import Glibc
package import KeyProtocol
import Linux
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

/// The programs that have a device node open, as far as `/proc` shows them to this user.
package struct NodePrograms: Hashable, Sendable {
    /// Each program's name and process id: `keyd (pid 812)`. The names are sanitised for the terminal.
    package let programs: [String]

    /// Searches `/proc/PID/fd`; only root may read that of other users' programs.
    ///
    /// - Parameter path: the node's path.
    package init(of path: String) {
        programs = directoryEntries(of: "/proc").compactMap { Int32($0) }.sorted()
            .filter { Self.hasOpen(path, process: $0) }
            .map { "\(Self.name(of: $0)) (pid \($0))" }
    }

    private static func hasOpen(_ path: String, process: Int32) -> Bool {
        let folder = "/proc/\(process)/fd"
        return directoryEntries(of: folder).contains { leads("\(folder)/\($0)", to: path) }
    }

    /// The corresponding C function is `readlink(2)`.
    private static func leads(_ link: String, to path: String) -> Bool {
        var target = [CChar](repeating: 0, count: path.utf8.count + 1)
        let count = readlink(link, &target, target.count)
        return count >= 0 && target[..<count].elementsEqual(path.utf8.map(CChar.init(bitPattern:)))
    }

    private static func name(of process: Int32) -> String {
        let file = try? TextFile(path: "/proc/\(process)/comm", name: "comm")
        return (file?.text.filter { !$0.isNewline } ?? "?").sanitised
    }
}
