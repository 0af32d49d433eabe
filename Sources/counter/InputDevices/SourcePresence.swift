import CounterModel
import CounterStore
import VolumeInput

/// Makes it known to the journal which sources came and went, so that they can be named and assigned while they are away,
/// and that silence can be told from absence.
struct SourcePresence {
    let journal: SQLiteJournal
    /// The sources of which the journal knows that they are connected.
    private var connected: Set<String> = []

    init(_ journal: SQLiteJournal) {
        self.journal = journal
    }

    /// Notes what has changed. Where the journal is held that becomes known with what changes next.
    ///
    /// - Parameters:
    ///   - present: The sources that are connected now.
    ///   - time: Our clock's.
    ///   - location: Where a source counts, by its stable id.
    mutating func note(_ present: [Source], at time: Timestamp, location: (String) -> String) {
        if journal.role == .viewer { return }
        let new = present.filter { !connected.contains($0.stableID) }
        let gone = connected.subtracting(present.map(\.stableID))
        if new.isEmpty, gone.isEmpty { return }
        let came = new.map { ($0.stableID, $0.name, location($0.stableID)) }
        do {
            try journal.note(came: came, went: gone.sorted(), at: time)
            connected = Set(present.map(\.stableID))
        } catch { return }
    }
}
