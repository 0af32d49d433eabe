import Glibc
package import Linux
import SQL

/// Why a file of practice cannot be read or written.
package struct StoreError: Error, Hashable, CustomStringConvertible {
    package enum Reason: Hashable, Sendable {
        case diskFull
        /// The user may not write or open it, or the file system is read-only.
        case notPermitted
        /// The file is damaged, or is none of this program's.
        case corrupt(String)
        /// The file of a player holds another one; this is that player's file.
        case otherPlayer(file: String)
        /// A later version of the program wrote it.
        case newer(version: Int)
        /// No descriptor is left for another file; `errno` is EMFILE or ENFILE.
        case tooManyFiles(errno: CInt)
        /// Another `counter-practice` uses it.
        case inUse
        /// The system failed otherwise.
        case failed(String)
    }

    /// The file or directory.
    package let path: String
    package let reason: Reason

    init(path: String, reason: Reason) { (self.path, self.reason) = (path, reason) }

    init(path: String, errno: CInt) {
        let reason: Reason =
            switch errno {
            case ENOSPC, EDQUOT: .diskFull
            case EACCES, EPERM, EROFS: .notPermitted
            case EMFILE, ENFILE: .tooManyFiles(errno: errno)
            default: .failed(errorText(errno))
            }
        self.init(path: path, reason: reason)
    }

    init(path: String, _ error: any Error) {
        guard let error = error as? SQLError else {
            self = error as? StoreError ?? StoreError(path: path, reason: .failed("\(error)"))
            return
        }
        let reason: Reason =
            switch error.kind {
            case .full: .diskFull
            case _ where Linux.remedy(forLimit: error.errno) != nil: .tooManyFiles(errno: error.errno)
            case .notPermitted, .cannotOpen: .notPermitted
            case .corrupt: .corrupt(error.message)
            case .busy: .inUse
            case .inputOutput, .other: .failed(error.description)
            }
        self.init(path: path, reason: reason)
    }

    package var description: String { "\(path): \(facts.what)" }

    /// What is wrong and what to do, for a screen: with the file's name alone.
    package var sentence: String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return "\(name): \(facts.what). \(facts.remedy)"
    }

    package var failure: ProgramError { ProgramError("\(self)", remedy: facts.remedy, status: facts.status) }

    private var facts: (what: String, remedy: String, status: CInt) {
        switch reason {
        case .diskFull:
            (
                "the disk is full", "Free some space; what was played is kept in memory and written then.",
                EX_IOERR
            )
        case .notPermitted:
            (
                "it cannot be written",
                "Make it writable for you, or name another directory with --data-dir.", EX_NOPERM
            )
        case .corrupt(let detail):
            (
                "it is damaged (\(detail))",
                "Put it aside or restore it from a copy; the other players are not affected.", EX_DATAERR
            )
        case .otherPlayer(let file):
            (
                "it holds the player of \(file)",
                "Move it out of this directory; or, to replace that player by it, put \(file) aside and give it that name.",
                EX_DATAERR
            )
        case .newer(let version):
            (
                "a later version of the program wrote it (schema \(version))",
                "Install that version again.", EX_DATAERR
            )
        case .tooManyFiles(let errno):
            ("it cannot be opened: \(errorText(errno))", Linux.remedy(forLimit: errno) ?? "", EX_OSERR)
        case .inUse: ("another counter-practice uses it", "Close the other one first.", EX_UNAVAILABLE)
        case .failed(let detail): (detail, "Look at the disk and its permissions.", EX_IOERR)
        }
    }
}
