import Glibc
package import Linux

/// A command that is a remedy, or a part of one.
package struct RemedyCommand: Hashable, Sendable {
    /// The command and its arguments: run by the user, or by root through `Elevation`.
    package let arguments: [String]
    private let needsRoot: Bool
    /// The folder whose files say what it does; nil where none does.
    private let folder: String?

    /// A command that the user runs. The files of `folder` say what it does: no other user may be able to change any of them.
    package init(_ arguments: [String], of folder: String? = nil) {
        self.init(arguments, needsRoot: false, folder: folder)
    }

    /// A command that needs root.
    package static func asRoot(_ arguments: [String]) -> RemedyCommand {
        .init(arguments, needsRoot: true, folder: nil)
    }

    private init(_ arguments: [String], needsRoot: Bool, folder: String?) {
        self.folder = folder
        self.arguments = arguments
        self.needsRoot = needsRoot
    }

    /// The command as the user would type it into a shell.
    package var text: String { words.map(\.quotedForShell).joined(separator: " ") }

    /// Checks that no user but this one and root can change what the command does.
    ///
    /// - Throws: `ProgramError` (77)
    package func requireTrusted() throws(ProgramError) {
        guard let folder, !TrustedFile.isTrusted(all: folder) else { return }
        throw ProgramError(
            "\(folder): another user can change what \(text) does",
            remedy: "Take the right to write from others: chmod -R go-w \(folder.quotedForShell)",
            status: EX_NOPERM)
    }

    /// Runs the command on this terminal, which may ask for a password, and waits for its end.
    ///
    /// - Throws: `ProgramError`: 69 where the command fails, 77 where this user has no way to become root.
    package func run() throws(ProgramError) {
        if needsRoot, case .missing = Elevation.present {
            throw ProgramError(
                "neither sudo nor pkexec is here, and only root may do that", remedy: text, status: EX_NOPERM)
        }
        let status: CInt
        do throws(SystemCallError) {
            status = try ForegroundProcess.run(words)
        } catch { throw ProgramError("\(error)", remedy: text, status: EX_UNAVAILABLE) }
        if status != 0 { throw ProgramError("\(text): exited with \(status)", status: EX_UNAVAILABLE) }
    }

    private var words: [String] {
        guard needsRoot else { return arguments }
        switch Elevation.present {
        case .unneeded: return arguments
        case .sudo: return ["sudo"] + arguments
        case .pkexec: return ["pkexec"] + arguments
        case .missing: return ["su", "-c", arguments.map(\.quotedForShell).joined(separator: " ")]
        }
    }
}

/// How this user becomes root for a command.
private enum Elevation {
    /// The user is root.
    case unneeded
    case sudo
    case pkexec
    /// No known program.
    case missing

    static var present: Elevation {
        if getuid() == 0 { return .unneeded }
        if isProgram("sudo") { return .sudo }
        return isProgram("pkexec") ? .pkexec : .missing
    }

    private static func isProgram(_ name: String) -> Bool {
        (environmentVariable("PATH") ?? "").split(separator: ":").contains {
            access("\($0)/\(name)", X_OK) == 0
        }
    }
}
