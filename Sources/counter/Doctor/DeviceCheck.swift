import KeyProtocol
import Linux
import Reports
import VolumeInput

/// Checks the devices: whether there are any, and whether each node can be read and intercepted.
///
/// Intercepts them for a moment, as counting does: only that shows that another program has grabbed one.
struct DeviceCheck {
    private let survey: Result<DeviceSurvey, any Error>

    /// Runs the check.
    ///
    /// - Parameters:
    ///   - settings: which devices, and which of their keys.
    ///   - ignored: the ids of input devices to leave alone.
    init(settings: Settings, ignored: Set<Identifier>) {
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
        let machine = Machine.current
        return survey.inputDevices.flatMap { device in
            device.nodes.compactMap { Finding($0, of: device, survey.serviceFault, on: machine) }
        }
    }

    /// The remapped key maps that the key server did not restore at its start.
    private var abandoned: [Finding] {
        (try? Paths.keyServer()).map { AbandonedMaps(server: $0).findings } ?? []
    }
}
