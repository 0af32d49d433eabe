import Glibc
package import Linux
import SQL

/// Why a file of practice cannot be read or written.
package struct StoreError: ExplainedError, Hashable, CustomStringConvertible {
    /// What is wrong, what to do, and the status of a program that ends by it.
    package struct Reason: Hashable, Sendable {
        let what: String, remedy: String, status: CInt

        static let diskFull = Reason(
            what: "the disk is full",
            remedy: "Free some space; what was played is kept in memory and written then.", status: EX_IOERR)

        /// The user may not write or open it, or the file system is read-only.
        static let notPermitted = Reason(
            what: "it cannot be written",
            remedy: "Make it writable for you, or name another directory with --data-dir.", status: EX_NOPERM)

        /// The file is damaged, or is none of this program's.
        static func corrupt(_ detail: String) -> Reason {
            Reason(
                what: "it is damaged (\(detail))",
                remedy: "Put it aside or restore it from a copy; the other players are not affected.",
                status: EX_DATAERR)
        }

        /// `file`: the one of the player that it holds.
        static func otherPlayer(file: String) -> Reason {
            Reason(
                what: "it holds the player of \(file)",
                remedy: "Move it out of this directory; or, to replace that player by it, put \(file) aside "
                    + "and give it that name.",
                status: EX_DATAERR)
        }

        static func newer(version: Int) -> Reason {
            Reason(
                what: "a later version of the program wrote it (schema \(version))",
                remedy: "Install that version again.", status: EX_DATAERR)
        }

        static let inUse = Reason(
            what: "another counter-practice uses it", remedy: "Close the other one first.",
            status: EX_UNAVAILABLE)

        static func failed(_ detail: String) -> Reason {
            Reason(what: detail, remedy: "Look at the disk and its permissions.", status: EX_IOERR)
        }

        /// No descriptor is left for another file; `nil` for another errno.
        static func tooManyFiles(_ errno: CInt) -> Reason? {
            Linux.remedy(forLimit: errno).map {
                Reason(what: "it cannot be opened: \(errorText(errno))", remedy: $0, status: EX_OSERR)
            }
        }
    }

    package let path: String
    package let reason: Reason

    init(path: String, reason: Reason) { (self.path, self.reason) = (path, reason) }

    init(path: String, errno: CInt) {
        let reason: Reason =
            switch errno {
            case ENOSPC, EDQUOT: .diskFull
            case EACCES, EPERM, EROFS: .notPermitted
            default: .tooManyFiles(errno) ?? .failed(errorText(errno))
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
            case .notPermitted, .cannotOpen: .notPermitted
            case .corrupt: .corrupt(error.message)
            case .busy: .inUse
            case .inputOutput, .other: .failed(error.description)
            }
        let isFull = error.kind == .full
        self.init(path: path, reason: isFull ? reason : .tooManyFiles(error.errno) ?? reason)
    }

    package var description: String { "\(path): \(reason.what)" }

    /// What is wrong and what to do, for a screen: with the file's name alone.
    package var sentence: String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return "\(name): \(reason.what). \(reason.remedy)"
    }

    package var failure: ProgramError {
        ProgramError("\(self)", remedy: reason.remedy, status: reason.status)
    }
}
