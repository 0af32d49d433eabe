import Glibc
public import System
public import TimerModel

extension Result where Failure == TimerRefusal {
    /// The value.
    ///
    /// - Throws: `Failure`: 66 for what is not there, 69 for what is not possible now, 65 for a name that exists, 64 for what
    ///   never is possible.
    public func orFailure() throws(System.Failure) -> Success {
        do throws(TimerRefusal) { return try get() } catch { throw error.failure }
    }
}

extension TimerRefusal {
    /// The refusal with what the user can do about it.
    var failure: Failure {
        let remedy = suggestion + (remedy ?? "")
        return Failure("\(self)", remedy: remedy.isEmpty ? nil : remedy, status: status)
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
