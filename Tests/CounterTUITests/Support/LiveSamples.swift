import CounterModel
import Linux

@testable import CounterTUI
@testable import Reports

/// The states of the Live screen.
enum LiveState: String, CaseIterable {
    case empty, ok, warning, full, overcrowded, stale, drifted, tally, unknownZone, viewer, twelve, enlarged,
        keyed

    var cards: [LiveCard] {
        switch self {
        case .empty: [Self.card("Hall", 0, of: 60, freshness: nil, today: (0, 0))]
        case .ok, .viewer: [Self.card("Hall", 42, of: 60)]
        case .warning: [Self.card("Hall", 59, of: 60)]
        case .full: [Self.card("Hall", 60, of: 60, freshness: Freshness(.live, .now))]
        case .overcrowded: [Self.card("Hall", 67, of: 60)]
        case .stale: [Self.staleCard]
        case .drifted: [Self.card("Hall", -3, of: 60)]
        case .tally: [Self.card("Rows", -1234, of: nil, freshness: Freshness(.quiet, .ago(seconds: 7300)))]
        case .unknownZone: [Self.lostCard]
        case .twelve, .enlarged: Self.twelveCards
        case .keyed: Self.keyedCards
        }
    }

    /// The screens with the tab Live selected.
    var screens: Screens {
        let screens = Self.screens(cards, tabs: [.count, .live])
        screens.live.mayChange = self != .viewer
        screens.count.mayChange = self != .viewer
        if self == .keyed { screens.live.step = 10 }
        let keys: [TerminalEvent] =
            switch self {
            case .twelve: [.key(.right), .key(.right)]
            case .enlarged: [.key(.right), .key(.enter)]
            default: []
            }
        screens.press(keys)
        return screens
    }

    /// A house with a shop, for the documents.
    static var house: Screens {
        var library = card(
            "Library", 22, of: 44, freshness: Freshness(.stale, .ago(seconds: 372)), today: (97, 75))
        library.staleDevices = ["Gate"]
        return screens(
            [
                card("Main hall", 42, of: 60), card("North wing", 53, of: 60, today: (188, 135)),
                card("Café", 24, of: 20, freshness: Freshness(.live, .now), today: (203, 179)), library,
                card("Tower", 12, of: 12, today: (61, 49)), card("Shop", 94, of: nil, today: (94, 0)),
            ], tabs: Screens.Tab.allCases)
    }

    private static func screens(_ cards: [LiveCard], tabs: [Screens.Tab]) -> Screens {
        let screens = Screens(count: CountViewModel(level: 42), tabs: tabs)
        screens.live.cards = cards
        screens.context.locations.offer(cards.map { .init(id: $0.id, name: $0.name) }, preferred: cards[0].id)
        screens.type("2")
        return screens
    }

    static func card(
        _ name: String, _ level: Int, of capacity: Int?,
        freshness: Freshness? = Freshness(.live, .ago(seconds: 12)), today: (Int, Int) = (312, 298)
    ) -> LiveCard {
        let id = Identifier(name)
        var card = LiveCard(id: id, name: name, state: CounterState(level, of: capacity, at: id))
        card.freshness = freshness
        card.today = LiveCard.Traffic(ins: today.0, outs: today.1)
        card.lastHour = (0..<60).map { minute in
            today.0 == 0
                ? LiveCard.Traffic() : LiveCard.Traffic(ins: minute * minute % 11, outs: minute * 7 % 5)
        }
        return card
    }

    private static var staleCard: LiveCard {
        var card = card("Hall", 42, of: 60, freshness: Freshness(.stale, .ago(seconds: 372)))
        card.staleDevices = ["Door A", "Door\u{1B}[31m B"]
        return card
    }

    /// Species that are counted with keys, each towards a target or not.
    private static var keyedCards: [LiveCard] {
        [("Robin", "a", 40, 50), ("Wren", "s", 12, 12), ("Finch", "d", 7, nil)].map {
            name, key, count, target in
            var card = card(name, count, of: nil, today: (count, 0))
            card.state = CounterState(count, target: target, at: card.id)
            card.key = LocationKey(key)
            return card
        }
    }

    private static var lostCard: LiveCard {
        var card = card("Hall", 42, of: 60)
        card.today = nil
        card.problem = "Mars/Olympus: no such time zone"
        return card
    }

    private static var twelveCards: [LiveCard] {
        let names = [
            "North door", "South door", "Café", "Library", "Pool", "Gym", "Roof", "シアター 大ホール", "Cellar",
            "A room with a name that is much too long for a card", "Lab", "Desk",
        ]
        return names.enumerated().map { index, name in
            var card = card(name, index * 9 - 5, of: index == 11 ? nil : 20 + index * 8)
            if index == 3 { card.freshness = Freshness(.stale, .ago(seconds: 400)) }
            if index == 3 { card.staleDevices = ["Gate"] }
            if index == 5 { card.freshness = nil }
            return card
        }
    }
}
