import CounterModel
package import CounterStore
import CounterTUI
import Glibc
package import Linux

extension ProgramError {
    package init(_ error: any Error) {
        switch error {
        case let error as ProgramError: self = error
        case let error as JournalError:
            self.init("\(error)", remedy: error.reason.remedy, status: error.reason.status)
        case let error as TimerRefusal: self = error.failure
        case let error as TerminalError: self.init(terminal: error)
        case let error as ZoneError: self.init("\(error)", remedy: error.remedy, status: error.status)
        case let error as HistoryRangeError:
            self.init("\(error)", remedy: error.remedy, status: EX_USAGE)
        case let error as SystemCallError: self.init("\(error)", remedy: error.remedy, status: EX_OSERR)
        default: self.init("\(error)", status: EX_SOFTWARE)
        }
    }

    /// The failure for a journal error, where the journal's name is clear from the context.
    package init(_ reason: JournalError.Reason) {
        self.init("\(reason)", remedy: reason.remedy, status: reason.status)
    }

    private init(terminal error: TerminalError) {
        let status =
            switch error {
            case .noTerminal, .noType, .unknownType, .tooSimple: EX_UNAVAILABLE
            case .failed, .hungUp: EX_IOERR
            }
        self.init("\(error)", remedy: error.remedy, status: status)
    }
}

extension ZoneError {
    fileprivate var status: CInt {
        switch self {
        case .notAName, .missing, .notAZone: EX_NOINPUT
        case .unreadable: EX_IOERR
        }
    }
}

extension SystemCallError {
    /// The remedy where a limit of the system was reached.
    fileprivate var remedy: String? {
        guard call == "inotify_init1", errno == EMFILE else { return Linux.remedy(forLimit: errno) }
        return
            "Your programs watch as many files as one user may: end some, or raise fs.inotify.max_user_instances."
    }
}
