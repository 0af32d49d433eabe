/// Tells of each end of a timer once, also of one that another program has acknowledged or removed by then.
package struct TimerEnds: Sendable {
    /// Those that had not ended when they were last looked at.
    private var open: [UniqueId] = []
    /// How many timers of the board are known.
    private var known = 0

    /// The ends before a time are told already.
    package init(_ board: TimerBoard, at now: Timestamp) { _ = take(board, since: now, at: now) }

    /// The timers that have ended by themselves since the last call. Of those that were not known then, only the ends after
    /// `since`: rows that are taken over from another journal tell of timers that were over long ago.
    package mutating func take(_ board: TimerBoard, since: Timestamp, at now: Timestamp) -> [TimerData] {
        let new = board.all.dropFirst(known)
        known = board.all.count
        let old = open.compactMap(board.timer)
        open = (old + new).filter { [.running, .paused].contains($0.state(at: now)) }.map(\.id)
        return (old + new.filter { $0.endDate.map { since < $0 } ?? false }).filter {
            [.ringing, .completed].contains($0.state(at: now))
        }
    }
}
