import Glibc
import KeyProtocol
import Reports
import System
import VolumeInput

/// Checks the devices: whether there are any, and whether each node can be read and intercepted.
///
/// Intercepts them for a moment, as counting does: only that shows that another program has grabbed one.
struct DeviceCheck {
    private let survey: Result<DeviceSurvey, any Error>
    private let machine = Machine()

    /// Runs the check.
    ///
    /// - Parameters:
    ///   - settings: which devices, and which of their keys.
    ///   - ignored: the ids of input devices to leave alone.
    init(settings: Settings, ignored: Set<String>) {
        let captureMode: CaptureMode = settings.intercept == .never ? .shared : .exclusive
        survey = Result { try DeviceSurvey(settings, captureMode: captureMode, ignoring: ignored) }
    }

    /// The problems found.
    var findings: [Finding] {
        do {
            return findings(of: try survey.get()) + abandoned
        } catch {
            return [Finding(error, remedy: "Install counter and counter-keys together: make install.")]
        }
    }

    /// Which server reads the keys; `nil` where none does.
    var server: ServerNote? {
        guard let survey = try? survey.get() else { return nil }
        let closed = survey.inputDevices.flatMap(\.nodes).count(where: \.state.isDenied)
        return ServerNote(fault: survey.serviceFault, closedNodes: closed)
    }

    private func findings(of survey: DeviceSurvey) -> [Finding] {
        if let problem = survey.environment.problem {
            return [Finding(problem.reason, remedy: problem.remedy)]
        }
        if survey.inputDevices.isEmpty {
            return [
                Finding(
                    "no device with volume keys is there",
                    remedy: "Plug one in, or name other keys under [keys] in config.toml.")
            ]
        }
        return survey.inputDevices.flatMap { device in
            device.nodes.compactMap { finding(of: $0, device, survey.serviceFault) }
        }
    }

    private func finding(of node: NodeReport, _ device: InputDevice, _ fault: ServiceFault?) -> Finding? {
        guard !node.state.isExclusive, let reason = node.state.reason else { return nil }
        let problem = "\(device.name.sanitised): \(node.path) \(reason)"
        switch node.state {
        case .exclusive, .exclusiveUnannounced, .shared(.asConfigured), .shared(.inBackground),
            .shared(.otherUser),
            .shared(.otherSeat):
            return nil
        case .noAccess:
            return node.state.isDenied
                ? Finding(problem, AccessRemedy(fault, nodes: [node.path], on: machine))
                : Finding(
                    problem, remedy: "Plug the device in again; dmesg may tell what is the matter with it.")
        case .shared(let reason): return finding(problem, reason, node, device)
        }
    }

    private func finding(
        _ problem: String, _ reason: SharedReason, _ node: NodeReport, _ device: InputDevice
    ) -> Finding {
        switch reason {
        case .grabbedElsewhere:
            let users = NodeUsers(of: node.path)
            return Finding(problem + users.text, remedy: users.remedy)
        case .waitingForRelease:
            return Finding(problem, remedy: "Let go of the key; if none is down, plug the device in again.")
        case .noRuntimeDirectory:
            return Finding(
                problem,
                remedy:
                    "Set XDG_RUNTIME_DIR to a directory of yours, as a login does. As root, remove from /run/counter what is "
                    + "not a record of counter.")
        case .keyboard, .pointer, .switches, .forceFeedback, .systemKeys, .otherKeys, .refused, .asConfigured,
            .inBackground, .otherUser, .otherSeat:
            return Finding(
                problem,
                remedy: "It counts, and the system's volume moves too. Without it: "
                    + "counter device disable \(device.stableID.quotedForShell)")
        }
    }

    /// The remapped key maps that the key server did not restore at its start.
    private var abandoned: [Finding] {
        (try? Paths.keyServer()).map { AbandonedMaps(server: $0).findings } ?? []
    }
}
