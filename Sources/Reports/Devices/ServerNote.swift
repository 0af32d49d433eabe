package import VolumeInput

/// Which server reads the volume keys: the system's service, or a key server that this program started.
package struct ServerNote {
    /// Why the service does not read them; `nil` where it does.
    package let fault: ServiceFault?
    private let closedNodes: Int

    /// A note.
    ///
    /// - Parameters:
    ///   - fault: why the service does not read them; `nil` where it does.
    ///   - closedNodes: how many nodes could not be opened for want of permission.
    package init(fault: ServiceFault?, closedNodes: Int) {
        self.fault = fault
        self.closedNodes = closedNodes
    }

    /// The note, on two lines.
    package var text: String {
        guard let fault else {
            return """
                The volume keys are read by the counter-keys service.
                  It serves you while your session is in the foreground; no program of yours has to open a keyboard.
                """
        }
        return """
            The volume keys are read by your own counter-keys process: the counter-keys service \(fault.reason).
              \(advice(fault))
            """
    }

    private func advice(_ fault: ServiceFault) -> String {
        switch fault {
        case .absent: "Installed (make install) it would receive \(gain) too."
        case .unreachable, .silent: "systemctl status counter-keys.socket counter-keys.service tells why."
        case .refused where fault.isForOtherKeys:
            "man counter lists these keys; with them under [keys] in config.toml it would receive \(gain) too."
        case .refused:
            "It would receive \(gain) too. Members of the group counter are served in every session."
        }
    }

    private var gain: String {
        switch closedNodes {
        case 0: "devices that you may not open"
        case 1: "the node here that you may not open"
        default: "the \(closedNodes) nodes here that you may not open"
        }
    }
}
