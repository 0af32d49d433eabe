import ArgumentParser
import Glibc
import Linux
import Reports

/// `counter doctor --fix`: shows the commands, asks once, runs them, and checks again.
struct Fix {
    let settings: Settings
    /// The result of the check before.
    let before: Checkup

    /// - Parameter isAgreed: skip the question.
    /// - Throws: `ProgramError` (64) if there is no terminal to ask on, (69) if a command fails, (77) if this user has no
    ///   way to become root, or another user can change what a command does.
    func carryOut(isAgreed: Bool) throws {
        let commands = before.commands
        if commands.isEmpty {
            try Output.line("No command fixes this: follow the remedies above.")
            return try leave(before)
        }
        for command in commands { try command.requireTrusted() }
        try Output.line("\nTo be run:\n" + commands.map { "  \($0.text)" }.joined(separator: "\n"))
        guard try isAgreed || Self.agrees() else {
            try Output.line("Nothing was changed.")
            return try leave(before)
        }
        for command in commands { try command.run() }
        try lookAgain()
    }

    private static func agrees() throws(ProgramError) -> Bool {
        guard isatty(STDIN_FILENO) == 1 else {
            throw ProgramError(
                "--fix asks before it changes anything, and there is no terminal to ask on",
                remedy: "Add --yes to have these commands run without being asked.", status: EX_USAGE)
        }
        try Output.write("Run it now? [y/N] ", to: STDOUT_FILENO)
        return ["y", "yes"].contains(readLine()?.lowercased())
    }

    private func lookAgain() throws {
        let after = Checkup(settings)
        try Output.line("")
        for finding in before.findings
        where !after.findings.contains(where: { $0.problem == finding.problem }) {
            try Output.line("Mended: \(finding.problem)")
        }
        if let server = after.server, server.fault != before.server?.fault { try Output.line(server.text) }
        if after.findings.isEmpty { return try Output.line("No problem prevents counting now.") }
        try Output.line("Still not solved:")
        try after.tell()
        try leave(after)
    }

    private func leave(_ checkup: Checkup) throws {
        if !checkup.findings.isEmpty { throw ExitCode(EX_UNAVAILABLE) }
    }
}
