import Glibc
import Linux

extension JournalError.Reason {
    /// The exit code of a program that ends by it, of `<sysexits.h>`.
    package var status: Int32 {
        switch self {
        case .missing: EX_NOINPUT
        case .cannotCreate: EX_CANTCREAT
        case .notPermitted, .wrongOwner, .viewerOnly: EX_NOPERM
        case .notAJournal, .corrupt, .empty, .newerSchema: EX_DATAERR
        case .diskFull, .inputOutput, .gone, .notCopied: EX_IOERR
        case .busy: EX_TEMPFAIL
        case .notDurable, .networkFileSystem: EX_UNAVAILABLE
        case .tooManyFiles: EX_OSERR
        }
    }

    /// What the user can do about it; nil where there is no remedy.
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
        case .diskFull:
            "Make room on the disk. A counter that runs goes on by itself; a command is to be repeated."
        case .inputOutput:
            "Look at the disk with dmesg. A counter that runs goes on by itself; a command is to be repeated."
        case .tooManyFiles(let errno): Linux.remedy(forLimit: errno)
        case .gone: "Put it back under its name: what waits is stored with the next press then."
        case .busy: "Try again once the other program is done."
        }
    }
}
