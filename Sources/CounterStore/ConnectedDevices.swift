package import CounterModel
package import Linux

/// Records in the journal which input devices were connected and disconnected. They can then be named and assigned while
/// they are absent, and a silent device can be told from an absent one.
package struct ConnectedDevices {
    private let journal: SQLiteJournal
    /// The input devices that the journal knows to be connected.
    private var connected: Set<Identifier> = []

    /// Before any device was connected.
    package init(_ journal: SQLiteJournal) {
        self.journal = journal
    }

    /// Records what has changed. Where the journal is locked, the next change records it.
    ///
    /// - parameters:
    ///     - present: The input devices that are connected now, each with what it calls itself.
    ///     - time: Our clock's time.
    ///     - location: The location that a device counts into, by its id.
    package mutating func note(
        _ present: [(id: Identifier, name: String)], at time: Timestamp, location: (Identifier) -> Identifier
    ) {
        if journal.role == .viewer { return }
        let new = present.filter { !connected.contains($0.id) }
        let gone = connected.subtracting(present.map(\.id))
        if new.isEmpty, gone.isEmpty { return }
        let came = new.map { ($0.id, $0.name, location($0.id)) }
        do {
            try journal.note(
                came: came, went: gone.sorted(), at: time, keysReadBy: LoginName.current)
            connected = Set(present.map(\.id))
        } catch { return }
    }
}
