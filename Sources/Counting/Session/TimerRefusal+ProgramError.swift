package import CounterModel
import Glibc
package import Linux

extension Result {
    /// The value.
    ///
    /// - Throws: `ProgramError`: 66 for what is not there, 69 for what is not possible now, 65 for a name that exists, 64 for what
    ///   never is possible.
    package func orFailure() throws(ProgramError) -> Success where Failure == TimerRefusal {
        do throws(TimerRefusal) { return try get() } catch { throw error.failure }
    }
}

extension TimerRefusal {
    /// The refusal with what the user can do about it.
    var failure: ProgramError {
        let remedy = suggestion + (remedy ?? "")
        return ProgramError("\(self)", remedy: remedy.isEmpty ? nil : remedy, status: status)
    }

    /// The question whether a similar name was meant; empty where no name was wrong.
    fileprivate var suggestion: String {
        switch self {
        case .unknownTimer(let name, let titles), .unknownPreset(let name, let titles):
            titles.suggestion(for: name)
        case .timerIsGone, .presetIsGone, .tooManyTimers, .tooManyPresets, .notPossible, .notExtensible,
            .tooLong, .presetExists, .ambiguousTimer, .invalidSetup:
            ""
        }
    }

    fileprivate var status: CInt {
        switch self {
        case .unknownTimer, .unknownPreset, .timerIsGone, .presetIsGone: EX_NOINPUT
        case .tooManyTimers, .tooManyPresets, .notPossible, .notExtensible, .tooLong: EX_UNAVAILABLE
        case .presetExists: EX_DATAERR
        case .ambiguousTimer, .invalidSetup: EX_USAGE
        }
    }
}
