/// What is announced once, at its moment, while a timer runs.
package struct TimerSignal: Hashable, Sendable {
    /// What is announced.
    package enum Kind: Hashable, Sendable {
        /// A round begins, from 1; of a timer with a lead-in or several rounds.
        case roundBegan(Int)
        /// A round is over, and another one follows.
        case roundEnded(Int)
        /// A minute of a round is left.
        case lastMinute
        /// The timer is over; the twelve alerts begin.
        case ended
    }

    /// What is announced.
    package let kind: Kind
    /// When.
    package let time: Timestamp

    package init(kind: Kind, time: Timestamp) {
        self.kind = kind
        self.time = time
    }
}

extension TimerData {
    private static let minute: Int64 = 60_000_000

    /// The signals that are still to come after a time; none where it does not run.
    package func signals(after now: Timestamp) -> [TimerSignal] {
        var begin: Int64 = 0
        var signals: [TimerSignal] = []
        func add(_ kind: TimerSignal.Kind, at moment: Int64) {
            if let time = time(ofElapsed: moment), time > now {
                signals.append(TimerSignal(kind: kind, time: time))
            }
        }
        for (index, phase) in phases.enumerated() {
            let end = begin + phase.length
            if case .round(let round) = phase.kind {
                if index > 0 { add(.roundBegan(round), at: begin) }
                if setup.announcesLastMinute, phase.length > Self.minute {
                    add(.lastMinute, at: end - Self.minute)
                }
                add(index == phases.count - 1 ? .ended : .roundEnded(round), at: end)
            }
            begin = end
        }
        return signals
    }
}
