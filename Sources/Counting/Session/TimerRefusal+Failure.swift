import Glibc
public import System
public import TimerModel

extension Result where Failure == TimerRefusal {
    /// The value.
    ///
    /// - Throws: `Failure`: 66 for what is not there, 69 for what is not possible now, 65 for a name that exists, 64 for what
    ///   never is possible.
    public func orFailure() throws(System.Failure) -> Success {
        do throws(TimerRefusal) { return try get() } catch {
            throw System.Failure("\(error)", remedy: error.remedy, status: error.status)
        }
    }
}

extension TimerRefusal {
    fileprivate var status: CInt {
        switch self {
        case .unknownTimer, .unknownPreset: EX_NOINPUT
        case .tooManyTimers, .tooManyPresets, .notPossible, .notExtensible, .tooLong: EX_UNAVAILABLE
        case .presetExists: EX_DATAERR
        case .ambiguousTimer, .invalidSetup: EX_USAGE
        }
    }
}
