package import CounterModel
package import Linux

/// What the Live screen shows of a location.
package struct LiveCard: Identifiable, Hashable, Sendable {
    package let id: Identifier
    package let name: String
    /// The key that counts into it; nil for none, and for a viewer.
    package var key: LocationKey?
    package var group: String?
    package var state: CounterState
    /// What counting is called: of a total, up and down where it is of tallies alone.
    package fileprivate(set) var words: FlowWords
    /// Entries in and out in the present operational day; nil where the start of the day is unknown.
    package var today: Traffic?
    /// Entries in and out in each of the last 60 minutes, the present one last; empty where they were not read.
    package var lastHour: [Traffic] = []
    /// When the location was last heard from; nil where never.
    package var freshness: Freshness?
    /// The names of its devices that have sent nothing for too long.
    package var staleDevices: [String] = []

    /// Who did the last of today, where on another machine: `ada on door-3`.
    package var lastActor: String?
    /// Why the start of the day is unknown; nil where it is known.
    package var problem: String?

    package init(id: Identifier, name: String, state: CounterState) {
        self.id = id
        self.name = name.sanitised
        self.state = state
        words = FlowWords(capacity: state.maxCapacity)
    }

    package struct Traffic: Hashable, Sendable {
        package var ins = 0, outs = 0
    }
}

extension LiveCard.Traffic {
    init(sum flows: [Self]) {
        self.init(ins: flows.reduce(0) { $0 + $1.ins }, outs: flows.reduce(0) { $0 + $1.outs })
    }
}

extension [LiveCard] {
    package var totals: [LiveCard] {
        totals(by: \.group).map { name, members in
            var card = LiveCard(id: "total", name: name, state: CounterState(sumOf: members.map(\.state)))
            card.words = members.contains { $0.words == .occupancy } ? .occupancy : .tally
            let flows = members.compactMap(\.today)
            if flows.count == members.count { card.today = LiveCard.Traffic(sum: flows) }
            return card
        }
    }
}

/// When a location was last heard from: an event, or a sign of life of one of its devices.
package struct Freshness: Hashable, Sendable {
    /// What the age means for the count.
    package enum Kind: Hashable, Sendable {
        case live
        /// The location has devices, and none of them has sent anything for too long.
        case stale
        /// Nothing has happened for long, and no device is expected to report now.
        case quiet
    }

    package enum Moment: Hashable, Sendable {
        /// A device is connected.
        case now
        /// A number of seconds ago, 0 or more. It has to be drawn again as time passes.
        case ago(seconds: Int)
        /// At this local time, which needs no redraw.
        case at(String)
    }

    package let kind: Kind
    package let moment: Moment

    package init(_ kind: Kind, _ moment: Moment) { (self.kind, self.moment) = (kind, moment) }

    /// `seen 12 s ago`, `seen now`, `seen at 14:03:22`.
    package var text: String {
        switch moment {
        case .now: "seen now"
        case .ago(let seconds): "seen \(DurationText.age(seconds: seconds, .card)) ago"
        case .at(let time): "seen at \(time.sanitised)"
        }
    }
}
