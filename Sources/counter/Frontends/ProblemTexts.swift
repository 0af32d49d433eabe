import CounterModel
import CounterTUI
import Reports
import VolumeInput

extension DeviceProblem {
    /// Why none of a session's input devices can be read, and the remedy; `nil` where one can, or before the first scan.
    ///
    /// Reads what is installed and who is logged in at the time of the call.
    init?(_ session: CountingSession) {
        guard let environment = session.environment else { return nil }
        let nodes = session.inputDevices.flatMap(\.nodes)
        let denied = nodes.filter(\.state.isDenied).map(\.path)
        if nodes.isEmpty {
            let problem = environment.problem ?? Self.noDevice
            self.init(
                reason: problem.reason, remedy: Self.joined(problem.remedy, "+ and - count too", session.role)
            )
        } else if !denied.isEmpty, nodes.allSatisfy(\.state.isUnreadable) {
            self.init(AccessRemedy(session.serviceFault, nodes: denied, on: Machine()), session.role)
        } else {
            return nil
        }
    }

    private static let noDevice = (reason: "no device with volume keys", remedy: "plug one in")

    /// The remedy, and what to do meanwhile; a viewer counts nothing.
    private static func joined(_ remedy: String, _ meanwhile: String, _ role: UserRole) -> String {
        switch role {
        case .admin: "\(remedy); \(meanwhile)"
        case .viewer: remedy
        }
    }

    /// One line for the screen, with the first step; the details have all of them.
    private init(_ access: AccessRemedy, _ role: UserRole) {
        let steps = access.steps.flatMap { [Instruction.text($0.effect), .command($0.command.text)] }
        let note = access.note ?? "This screen notices by itself when that is done."
        let helps = access.steps.first.map { "\($0.name) mends that; D shows how" } ?? "D tells what helps"
        self.init(
            reason: "the volume keys cannot be read: \(access.cause)",
            remedy: Self.joined(helps, "+ and - count meanwhile", role),
            instructions: steps + [.text(note)])
    }
}
