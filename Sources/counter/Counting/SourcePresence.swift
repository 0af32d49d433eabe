import CounterModel
import CounterStore
import System
import VolumeInput

/// Records in the journal which input devices were connected and disconnected. They can then be named and assigned while
/// they are absent, and a silent device can be told from an absent one.
struct SourcePresence {
    let journal: SQLiteJournal
    /// The input devices that the journal knows to be connected.
    private var connected: Set<String> = []

    init(_ journal: SQLiteJournal) {
        self.journal = journal
    }

    /// Records what has changed. Where the journal is locked, the next change records it.
    ///
    /// - Parameters:
    ///   - present: The input devices that are connected now.
    ///   - time: The time of this machine's clock.
    ///   - location: The location that an input device counts into, by its stable id.
    mutating func note(_ present: [Source], at time: Timestamp, location: (String) -> String) {
        if journal.role == .viewer { return }
        let new = present.filter { !connected.contains($0.stableID) }
        let gone = connected.subtracting(present.map(\.stableID))
        if new.isEmpty, gone.isEmpty { return }
        let came = new.map { ($0.stableID, $0.name, location($0.stableID)) }
        do {
            try journal.note(
                came: came, went: gone.sorted(), at: time, keysReadBy: LoginName.current)
            connected = Set(present.map(\.stableID))
        } catch { return }
    }
}
