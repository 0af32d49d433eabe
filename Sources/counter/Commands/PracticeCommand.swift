import ArgumentParser
import Glibc
import System

/// `counter practice`: another program, which this process becomes.
struct PracticeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "practice",
        abstract: "Learn to press your two keys: counts, patterns and labyrinths for a child or a beginner.",
        discussion: """
            Starts counter-practice, a program of its own with files of its own. counter practice report, pin and erase are \
            for the grown-up; counter practice --help lists them.
            """)

    @Argument(parsing: .captureForPassthrough, help: "Passed on: report, pin, erase and options.")
    var words: [String] = []

    func run() throws {
        let path = try ProgramFiles.companion("counter-practice")
        var arguments = ([path] + words).map { strdup($0) }
        arguments.append(nil)
        execv(path, arguments)
        throw SystemCallError(call: "execv", subject: path)
    }
}
