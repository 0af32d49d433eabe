package import KeyProtocol
package import VolumeInput

/// Why none of the input devices can be read.
package enum UnreadableInput: Hashable, Sendable {
    /// There is no device to read: the reason and the remedy, each a clause.
    case absent(reason: String, remedy: String)
    /// This user may not open them.
    case denied(AccessRemedy)

    /// Looks at what is connected; `nil` where a device can be read, or before the first scan.
    ///
    /// - Parameters:
    ///   - environment: whether devices can be enumerated; `nil` before the first scan.
    ///   - devices: the connected devices.
    ///   - fault: why the key service does not serve this user; `nil` where it does.
    ///   - machine: the machine and session that the program runs in. It is looked at only where the answer depends on it.
    package init?(
        _ environment: InputEnvironment?, _ devices: [InputDevice], _ fault: ServiceFault?,
        on machine: @autoclosure () -> Machine
    ) {
        guard let environment else { return nil }
        let nodes = devices.flatMap(\.nodes)
        let denied = nodes.filter(\.state.isDenied).map(\.path)
        if nodes.isEmpty {
            let problem = environment.problem ?? ("no device with volume keys", "plug one in")
            self = .absent(reason: problem.reason, remedy: problem.remedy)
        } else if !denied.isEmpty, nodes.allSatisfy(\.state.isUnreadable) {
            self = .denied(AccessRemedy(fault, nodes: denied, on: machine()))
        } else {
            return nil
        }
    }
}
