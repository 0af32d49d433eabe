public import CounterModel
public import CounterStore
import CounterTUI
import Glibc
import System
import Transfer
import Zones

extension Failure {
    /// The failure for an error of any layer.
    init(_ error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as JournalError: self.init(journal: error)
        case let error as TerminalError: self.init(terminal: error)
        case let error as ZoneError: self.init("\(error)", remedy: error.remedy, status: EX_DATAERR)
        case let error as HistoryRangeError:
            self.init("\(error)", remedy: error.remedy, status: EX_USAGE)
        case let error as SystemCallError: self.init("\(error)", remedy: error.remedy, status: EX_OSERR)
        default: self.init("\(error)", status: EX_SOFTWARE)
        }
    }

    /// The failure for a journal error, where the journal's name is clear from the context.
    init(_ reason: JournalError.Reason) {
        self.init("\(reason)", remedy: reason.remedy, status: reason.status)
    }

    private init(journal error: JournalError) {
        self.init("\(error)", remedy: error.reason.remedy, status: error.reason.status)
    }

    private init(terminal error: TerminalError) {
        let status =
            switch error {
            case .noTerminal, .noType, .unknownType, .tooSimple: EX_UNAVAILABLE
            case .failed, .hungUp: EX_IOERR
            }
        self.init("\(error)", status: status)
    }
}

extension JournalError: JournalFailure {
    /// Whether another program has the journal locked.
    public var isBusy: Bool { reason == .busy }
    /// The remedy.
    public var remedy: String? { reason.remedy }
}

extension SQLiteJournal: DeviceRepository {}

extension JournalFollower: JournalWatch {}

extension SystemCallError {
    /// The remedy where a limit of the system was reached.
    fileprivate var remedy: String? {
        guard call == "inotify_init1", errno == EMFILE else { return nil }
        return
            "Your programs watch as many files as one user may: end some, or raise fs.inotify.max_user_instances."
    }
}

extension JournalError.Reason {
    var status: CInt {
        switch self {
        case .missing: EX_NOINPUT
        case .cannotCreate: EX_CANTCREAT
        case .notPermitted, .wrongOwner, .viewerOnly: EX_NOPERM
        case .notAJournal, .corrupt, .empty, .newerSchema: EX_DATAERR
        case .diskFull, .inputOutput, .gone, .notCopied: EX_IOERR
        case .busy: EX_TEMPFAIL
        case .notDurable, .networkFileSystem: EX_UNAVAILABLE
        }
    }

    var remedy: String? {
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
        case .gone: "Put it back under its name: what waits is stored with the next press then."
        case .busy: "Try again once the other program is done."
        }
    }
}
