import Glibc
package import Linux
import SQL

/// Why the journal cannot be opened, read or appended to. A file that could not be read was left unchanged.
package struct JournalError: ExplainedError, Hashable, Sendable, CustomStringConvertible {
    package let path: String
    package let reason: Reason

    package init(path: String, reason: Reason) { (self.path, self.reason) = (path, reason) }

    package enum Reason: Hashable, Sendable {
        /// There is no journal, and the caller did not ask to make one.
        case missing
        /// The directory or the file cannot be made; `errno` as of mkdir(2) or open(2).
        case cannotCreate(errno: Int32)
        /// It may not be read or written; `errno` is EACCES, EPERM or EROFS.
        case notPermitted(errno: Int32)
        case wrongOwner(userId: UInt32)
        case empty
        case notAJournal
        case corrupt(detail: String)
        case newerSchema(found: Int, known: Int)
        case olderSchema(found: Int, known: Int)
        /// No space is left for an append; it succeeds once there is.
        case diskFull
        case inputOutput(detail: String)
        /// No descriptor is left for another file; `errno` is EMFILE or ENFILE.
        case tooManyFiles(errno: Int32)
        case gone
        case viewerOnly
        /// Another program kept its lock for longer than the busy timeout (5 s by default).
        case busy
        case notDurable(detail: String)
        case networkFileSystem(name: String)
        case notCopied(detail: String)
    }

    package var description: String { "\(path): \(reason)" }

    package var failure: ProgramError {
        ProgramError("\(self)", remedy: reason.remedy, status: reason.status)
    }
}

extension JournalError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missing: "there is no journal"
        case .cannotCreate(let errno): "cannot be created: \(errorText(errno))"
        case .notPermitted(let errno): errorText(errno)
        case .wrongOwner(let userId): "belongs to the user with number \(userId)"
        case .empty: "has lost its content: the file has no bytes"
        case .notAJournal: "is a database of another program"
        case .corrupt(let detail): "is damaged: \(detail)"
        case .newerSchema(let found, let known): "has schema \(found), this program knows up to \(known)"
        case .olderSchema(let found, let known): "has schema \(found), this program migrates from \(known) on"
        case .diskFull: "no space left on the disk"
        case .inputOutput(let detail): "input/output error: \(detail)"
        case .tooManyFiles(let errno): "cannot be opened: \(errorText(errno))"
        case .gone: "was removed, moved away or replaced while it was open"
        case .viewerOnly: "a viewer changes nothing"
        case .busy: "another program holds it"
        case .notDurable(let detail): "would not survive a power cut: \(detail)"
        case .networkFileSystem(let name): "is on a network file system (\(name))"
        case .notCopied(let detail): "can only be read in a copy, which cannot be made: \(detail)"
        }
    }

    init(_ error: SQLError, path: String) {
        switch error.kind {
        case .full: self = .diskFull
        case .busy: self = .busy
        case .corrupt: self = .corrupt(detail: error.message)
        case .notPermitted: self = .notPermitted(errno: EACCES)
        case .inputOutput, .cannotOpen:
            // SQLite reports a log whose index cannot grow as "disk I/O error".
            let isFull = error.isAboutSharedMemory && FileSystem.isFull(path)
            self = isFull ? .diskFull : Self(errno: error.errno) ?? .inputOutput(detail: "\(error)")
        case .other: self = .inputOutput(detail: "\(error)")
        }
    }

    /// What an errno means whatever has failed by it; nil for another one.
    init?(errno: Int32) {
        switch errno {
        case EACCES, EPERM, EROFS: self = .notPermitted(errno: errno)
        case ENOSPC, EDQUOT: self = .diskFull
        case EMFILE, ENFILE: self = .tooManyFiles(errno: errno)
        default: return nil
        }
    }
}

// MARK: - For programs and users

extension JournalError.Reason {
    /// The exit code of a program that ends by it, of `<sysexits.h>`.
    package var status: Int32 {
        switch self {
        case .missing: EX_NOINPUT
        case .cannotCreate: EX_CANTCREAT
        case .notPermitted, .wrongOwner, .viewerOnly: EX_NOPERM
        case .notAJournal, .corrupt, .empty, .newerSchema, .olderSchema: EX_DATAERR
        case .diskFull, .inputOutput, .gone, .notCopied: EX_IOERR
        case .busy: EX_TEMPFAIL
        case .notDurable, .networkFileSystem: EX_UNAVAILABLE
        case .tooManyFiles: EX_OSERR
        }
    }

    package var remedy: String? {
        switch self {
        case .missing: "Count something first, or name another directory with --data-dir."
        case .cannotCreate, .notDurable: "Name another directory with --data-dir or COUNTER_DATA_DIR."
        case .notPermitted: "Give yourself access to it, or name another directory with --data-dir."
        case .wrongOwner:
            "Make it yours with chown, or name another directory with --data-dir. Do not run counter with sudo."
        case .empty: "Nothing was changed. Restore it from a backup, or remove it to start anew."
        case .networkFileSystem:
            "Name a directory on a disk of this machine with --data-dir, or add --allow-network-filesystem where no other machine uses it."
        case .notCopied: "Make room there, or name another directory in TMPDIR."
        case .viewerOnly: "Leave out --viewer, or remove viewer from the configuration and the environment."
        case .notAJournal: "Nothing was changed. Name another directory with --data-dir."
        case .corrupt: "Nothing was changed. Restore it from a backup, or move it away to start anew."
        case .newerSchema: "Nothing was changed. Install the newer counter that has written it."
        case .olderSchema:
            "Nothing was changed. Open it once with counter 0.2.0, the last version that migrates it, and then with this one."
        case .diskFull:
            "Make room on the disk. A counter that runs goes on by itself; a command is to be repeated."
        case .inputOutput:
            "Look at the disk with dmesg. A counter that runs goes on by itself; a command is to be repeated."
        case .tooManyFiles(let errno): Linux.remedy(forLimit: errno)
        case .gone: "Put it back under its name: what waits is stored with the next press then."
        case .busy: "Try again once the other program is done."
        }
    }

    /// For a screen that makes clear which journal it is.
    package var failure: ProgramError { ProgramError("\(self)", remedy: remedy, status: status) }
}
