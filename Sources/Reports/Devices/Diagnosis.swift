import Glibc
package import Linux

/// A problem that stands in the way of counting, and what helps. The Count screen, `counter devices`, `counter doctor` and
/// `counter doctor --fix` show it.
package struct Diagnosis: Hashable, Sendable {
    /// What is wrong and why, on one line.
    package let problem: String
    /// What helps, as a clause for one line of a screen; nil where nothing short does.
    package let hint: String?
    /// Steps that can be run to solve it, in this order.
    package let steps: [Step]
    /// What the user has to do where no step exists or where the steps do not suffice; whole sentences.
    package let note: String?

    package struct Step: Hashable, Sendable {
        /// In a few words, as the subject of a sentence: `make install`.
        let name: String
        /// In a sentence; the command follows it.
        package let effect: String
        package let command: RemedyCommand

        package init(_ name: String, effect: String, _ command: RemedyCommand) {
            (self.name, self.effect, self.command) = (name, effect, command)
        }
    }

    package init(_ problem: String, hint: String? = nil, steps: [Step] = [], note: String? = nil) {
        (self.problem, self.hint, self.steps, self.note) = (problem, hint, steps, note)
    }

    /// The whole remedy, on one line.
    package var remedy: String {
        (steps.map { "\($0.effect) \($0.command.text)" } + [note].compactMap(\.self)).joined(separator: " ")
    }

    /// The problem, and its remedy on a line below it.
    package var text: String { "\(problem)\n  \(remedy)" }
}

/// A command that is a remedy, or a part of one.
package struct RemedyCommand: Hashable, Sendable {
    package let arguments: [String]
    private let needsRoot: Bool
    /// The folder whose files say what it does; nil where none does.
    private let folder: String?

    /// A command that the user runs, or root. The files of `folder` say what it does: no other user may be able to change any of
    /// them.
    package init(_ arguments: [String], of folder: String? = nil, needsRoot: Bool = false) {
        (self.arguments, self.folder, self.needsRoot) = (arguments, folder, needsRoot)
    }

    package static func asRoot(_ arguments: [String]) -> RemedyCommand { .init(arguments, needsRoot: true) }

    package var text: String { words.map(\.quotedForShell).joined(separator: " ") }

    /// - Throws: `ProgramError` (77) where a user other than this one and root can change what the command does.
    package func requireTrusted() throws(ProgramError) {
        guard let folder, !TrustedFile.isTrusted(all: folder) else { return }
        throw ProgramError(
            "\(folder): another user can change what \(text) does",
            remedy: "Take the right to write from others: chmod -R go-w \(folder.quotedForShell)",
            status: EX_NOPERM)
    }

    /// Runs the command on this terminal, which may ask for a password, and waits for its end.
    /// - Throws: `ProgramError`: 69 where the command fails, 77 where this user has no way to become root.
    package func run() throws(ProgramError) {
        if needsRoot, Self.elevation == nil {
            throw ProgramError(
                "neither sudo nor pkexec is here, and only root may do that", remedy: text, status: EX_NOPERM)
        }
        let status: CInt
        do throws(SystemCallError) { status = try runInForeground(words) } catch {
            throw ProgramError("\(error)", remedy: text, status: EX_UNAVAILABLE)
        }
        if status != 0 { throw ProgramError("\(text): exited with \(status)", status: EX_UNAVAILABLE) }
    }

    private var words: [String] {
        guard needsRoot else { return arguments }
        return Self.elevation.map { $0 + arguments }
            ?? ["su", "-c", arguments.map(\.quotedForShell).joined(separator: " ")]
    }

    /// The words before a command by which this user runs it as root; nil where no known program is here.
    private static var elevation: [String]? {
        getuid() == 0 ? [] : ["sudo", "pkexec"].first(where: isProgram).map { [$0] }
    }

    private static func isProgram(_ name: String) -> Bool {
        (environmentVariable("PATH") ?? "").split(separator: ":").contains {
            access("\($0)/\(name)", X_OK) == 0
        }
    }
}
