/// What the History screen shows: a range of one location's history.
public struct HistoryViewModel: Hashable, Sendable {
    /// The ranges that have a key.
    public enum Choice: Hashable, Sendable, CaseIterable {
        /// The operational day.
        case today
        /// The one before.
        case yesterday
        /// The last seven days.
        case week
        /// The last thirty days.
        case month

        fileprivate var key: Character {
            switch self {
            case .today: "t"
            case .yesterday: "y"
            case .week: "w"
            case .month: "m"
            }
        }
    }

    /// What the range came to; nil before it has been read.
    public var summary: HistorySummary?
    /// The rows behind it.
    public var list = HistoryList()

    /// A screen on which nothing has been read.
    public init() {}

    /// What a key or the wheel means on this screen; nil where it means nothing. `area` is what the screen has for itself.
    func intent(for event: TerminalEvent, places: PlaceChoice, area: Size) -> Intent? {
        let visible = HistoryLayout(summary, rows: area.rows, columns: area.columns).list
        switch event {
        case .key(let key): return intent(for: key, visible: visible)
        case .scroll(let clicks): return .history(.scroll(clicks * 3, visible: visible))
        case .character(let character): return intent(for: character, places)
        case .pasted, .click, .resize, .focusGained, .focusLost, .volumeKey: return nil
        }
    }

    private func intent(for key: TerminalEvent.Key, visible: Int) -> Intent? {
        switch key {
        case .left: .history(.step(.before))
        case .right: .history(.step(.after))
        case .up: .history(.scroll(-1, visible: visible))
        case .down: .history(.scroll(1, visible: visible))
        case .pageUp: .history(.scroll(-max(1, visible - 1), visible: visible))
        case .pageDown: .history(.scroll(max(1, visible - 1), visible: visible))
        case .home: .history(.showLatest)
        case .end: .history(.showEarliest(visible: visible))
        case .tab, .backTab, .enter, .escape, .delete: nil
        }
    }

    private func intent(for character: Character, _ places: PlaceChoice) -> Intent? {
        let letter = Character(character.lowercased())
        if let choice = Choice.allCases.first(where: { $0.key == letter }) {
            return .history(.choose(choice))
        }
        switch letter {
        case "f": return .history(.askRange)
        case "a": return .history(.toggleAnomalies)
        case "n": return places.neighbour(1).map { .selectPlace($0.id) }
        case "p": return places.neighbour(-1).map { .selectPlace($0.id) }
        default: return nil
        }
    }
}

/// What can be asked of the History screen.
public enum HistoryIntent: Hashable, Sendable {
    /// Another range.
    case choose(HistoryViewModel.Choice)
    /// The range before this one, or after it.
    case step(Step)
    /// Ask for a range.
    case askRange
    /// The range that was typed, `FROM` or `FROM to TO`.
    case show(String)
    /// Show all that was odd, or leave that.
    case toggleAnomalies
    /// Earlier rows, or later ones where negative; so many are visible.
    case scroll(Int, visible: Int)
    /// The latest row at the top.
    case showLatest
    /// The earliest row at the bottom.
    case showEarliest(visible: Int)

    /// Which way.
    public enum Step: Hashable, Sendable {
        case before, after
    }
}
