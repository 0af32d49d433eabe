/// A part of a timer: only its rounds count.
package struct TimerPhase: Hashable, Sendable {
    /// Which part.
    package enum Kind: Hashable, Sendable {
        /// Before the first round.
        case leadIn
        /// A round, from 1.
        case round(Int)
        /// Between a round and the next.
        case pause(after: Int)
    }

    /// Which part.
    package let kind: Kind
    /// In microseconds.
    var length: Int64

    init(_ kind: Kind, seconds: Int) {
        self.kind = kind
        length = Int64(seconds) * 1_000_000
    }

    /// Its length in seconds.
    package var seconds: Int { Int(length / 1_000_000) }
}
