import CounterModel

/// Something that happened, for a front to show.
enum SessionEvent {
    /// These requests are stored or answered; the state has been read anew.
    case stored([Receipt])
    /// Another program has changed the journal.
    case changedElsewhere
    /// Another program has hidden the location that is counted.
    case isHidden
    /// Sources came, went, or are treated differently.
    case sourcesChanged
    /// Another program holds the journal; what waits is stored as soon as it lets go.
    case waits
    /// Something to know.
    case notice(String)
    /// What somebody asked for is done, and no number shows it.
    case done(String)
    /// What somebody asked for is not done, and why.
    case refused(String)
    /// A source is a knob, of which detents are not counted: what to do about it.
    case knob(String)
}

extension SessionEvent {
    /// Whether what the journal says may be different now.
    var concernsJournal: Bool {
        switch self {
        case .stored, .changedElsewhere, .sourcesChanged: true
        case .isHidden, .waits, .notice, .done, .refused, .knob: false
        }
    }

    /// Whether sources came, went, or are treated differently.
    var concernsSources: Bool {
        switch self {
        case .sourcesChanged: true
        case .stored, .changedElsewhere, .isHidden, .waits, .notice, .done, .refused, .knob: false
        }
    }
}
