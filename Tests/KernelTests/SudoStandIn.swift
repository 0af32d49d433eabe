import Glibc
import TestSupport

/// A `sudo` first in the PATH of a program under test: it writes down what it is asked for, and the test does that, or
/// refuses, as its root.
final class SudoStandIn {
    /// Where the programs are that the program under test finds before all others.
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

    /// Waits for what is asked next, does it, and says how that went.
    ///
    /// - Parameter isAllowed: otherwise nothing is done, and sudo fails.
    /// - Returns: the command.
    /// - Throws: ``SupportError``, where none is asked for.
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
