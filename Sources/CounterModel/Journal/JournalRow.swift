/// A row of the journal that moves a level.
package enum JournalRow: Hashable, Sendable {
    /// A count.
    case entry(Entry)
    /// A level moved by a difference.
    case correction(Correction)
    /// A level set to an absolute value.
    case reset(Reset)

    /// Its position in the journal.
    package var id: Position {
        switch self {
        case .entry(let entry): entry.id
        case .correction(let correction): correction.id
        case .reset(let reset): reset.id
        }
    }
}
