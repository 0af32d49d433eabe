package import CounterModel
import Linux
package import Reports

/// Why no input device can be read at all.
package struct DeviceProblem: Hashable, Sendable {
    /// The reason, as a sentence without its full stop: `no device with volume keys was found`.
    package let reason: String
    /// The remedy in one line; nil where none is known.
    package let remedy: String?
    /// The remedy in full, one element a paragraph, for the details; empty where `remedy` is complete.
    package let instructions: [Instruction]

    /// A paragraph of instructions.
    package enum Instruction: Hashable, Sendable {
        /// One or more sentences.
        case text(String)
        /// A command to type in another terminal.
        case command(String)
    }

    package init(reason: String, remedy: String? = nil, instructions: [Instruction] = []) {
        self.reason = reason.sanitised
        self.remedy = remedy?.sanitised
        self.instructions = instructions
    }
}

extension DeviceProblem {
    /// The texts for devices that cannot be read: one line for the screen, with the first step; the details have all of them.
    package init(_ input: UnreadableInput, for role: UserRole) {
        switch input {
        case .absent(let reason, let remedy):
            self.init(reason: reason, remedy: Self.joined(remedy, "+ and - count too", role))
        case .denied(let access):
            let steps = access.steps.flatMap { [Instruction.text($0.effect), .command($0.command.text)] }
            let note = access.note ?? "This screen notices by itself when that is done."
            let helps =
                access.steps.first.map { "\($0.name) mends that; D shows how" } ?? "D tells what helps"
            self.init(
                reason: "the volume keys cannot be read: \(access.cause)",
                remedy: Self.joined(helps, "+ and - count meanwhile", role),
                instructions: steps + [.text(note)])
        }
    }

    /// The remedy, and what to do meanwhile; a viewer counts nothing.
    private static func joined(_ remedy: String, _ meanwhile: String, _ role: UserRole) -> String {
        switch role {
        case .admin: "\(remedy); \(meanwhile)"
        case .viewer: remedy
        }
    }
}
