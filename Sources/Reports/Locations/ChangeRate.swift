package import CounterModel

/// The last change of a location, and its count rate.
package struct ChangeRate: Sendable {
    package enum Kind: Hashable, Sendable {
        case up(Int)
        case down(Int)
        case corrected
        /// An absolute value was set.
        case reset
        case undone

        package var text: String {
            switch self {
            case .up(let count): "+\(count)"
            case .down(let count): "-\(count)"
            case .corrected: "corrected"
            case .reset: "reset"
            case .undone: "undone"
            }
        }

        /// The kind of a change that a redo has appended again.
        package init(again change: Undone.Change) {
            self =
                switch change {
                case .entries(type: .in, let count): .up(count)
                case .entries(type: .out, let count): .down(count)
                case .correction: .corrected
                case .reset, .endOfDay, .clock: .reset
                }
        }
    }

    /// How long a change counts for the rate.
    package static let window = Duration.seconds(60)

    /// The last change and its time; nil before the first.
    package private(set) var last: (kind: Kind, at: Timestamp)?
    private var changes: [(count: Int, at: Timestamp)] = []

    package init() {}

    /// The rate of the rows within its window, the oldest first.
    package init(_ rows: [HistoryRow]) {
        for row in rows where !row.isVoid { note(row) }
    }

    private mutating func note(_ row: HistoryRow) {
        switch row.row.content.shown {
        case .entry(let entry): note(entry.type == .in ? .up(1) : .down(1), at: row.countedAt)
        case .correction: note(.corrected, at: row.countedAt)
        case .reset, .endOfDay: note(.reset, at: row.countedAt)
        default: break
        }
    }

    /// Takes an earlier reading's last change, if there is no later one.
    package mutating func remember(_ known: (kind: Kind, at: Timestamp)?) {
        if let known, last.map({ $0.at <= known.at }) ?? true { last = known }
    }

    package func perMinute(at now: Timestamp) -> Int? {
        let counts = changes.filter { $0.at > now - Self.window }.map(\.count)
        return counts.isEmpty ? nil : counts.reduce(0, +)
    }

    /// When the rate falls though nothing is counted; nil while it is nil.
    package func nextFall(after now: Timestamp) -> Timestamp? {
        changes.map { $0.at + Self.window }.filter { $0 > now }.min()
    }

    /// Forgets when the counts were: the clock was set.
    package mutating func forgetTimes() { changes = [] }

    package mutating func note(_ kind: Kind, at time: Timestamp) {
        last = (kind, time)
        switch kind {
        case .up(let count), .down(let count): changes.append((count, time))
        case .corrected, .undone: break
        case .reset: changes = []
        }
        changes.removeAll { $0.at <= time - Self.window }
    }
}
