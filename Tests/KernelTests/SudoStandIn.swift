import Glibc
import TestSupport

/// A `sudo` that is first in the PATH of the program under test: it passes the command to the test, which runs it as
/// root, or refuses.
final class SudoStandIn {
    /// The value of PATH, in which this `sudo` is first.
    let path: String
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        chmod(folder.path, 0o777)
        path = "\(folder.path):/usr/bin:/bin"
        try folder.write(
            "sudo",
            """
            #!/bin/sh
            cd "$(dirname "$0")" && rm -f answer && printf '%s\\n' "$*" >asking && mv asking asked
            while [ ! -e answer ]; do sleep 0.1; done
            exit "$(cat answer)"

            """)
        chmod(folder.path(of: "sudo"), 0o755)
    }

    /// Waits for the next command, runs it, and passes its result on.
    ///
    /// - Parameter isAllowed: whether the command is run; otherwise sudo fails.
    /// - Returns: the command.
    /// - Throws: ``SupportError`` if no command comes.
    @discardableResult
    func answer(isAllowed: Bool = true) throws -> String {
        let asked = folder.path(of: "asked")
        try eventually("a command for root") { access(asked, R_OK) == 0 }
        let command = String(try ChildProcess.run(["cat", asked]).output.dropLast())
        unlink(asked)
        let done = isAllowed ? try ChildProcess.run(["sh", "-c", command]).status == .exited(0) : false
        try folder.write("answering", done ? "0" : "1")
        rename(folder.path(of: "answering"), folder.path(of: "answer"))
        return command
    }
}
