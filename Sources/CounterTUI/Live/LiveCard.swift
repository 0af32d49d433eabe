public import CounterModel
import System

/// What is known of a location now.
public struct LiveCard: Identifiable, Hashable, Sendable {
    /// The location.
    public let place: PlaceChoice.Place
    /// Its committed state.
    public var state: CounterState
    /// Entries in and out of the present operational day; nil where nobody knows when it began.
    public var today: Flow?
    /// Entries in and out of each of the last 60 minutes, the present one last; empty where nothing was read.
    public var lastHour: [Flow] = []
    /// When anything was last heard of it; nil where never.
    public var freshness: Freshness?
    /// The names of its devices of which nothing has been heard for too long.
    public var staleDevices: [String] = []

    /// Why nobody knows when the day began; nil where somebody does.
    public var problem: String?

    /// A location with its state, and nothing else.
    public init(place: PlaceChoice.Place, state: CounterState) {
        self.place = place
        self.state = state
    }

    /// The location's id.
    public var id: String { place.id }

    /// What came in and went out; neither is ever negative.
    public struct Flow: Hashable, Sendable {
        /// Entries in.
        public var ins: Int
        /// Entries out.
        public var outs: Int

        /// So many in and out.
        public init(ins: Int = 0, outs: Int = 0) {
            self.ins = ins
            self.outs = outs
        }
    }
}

/// When anything was last heard of a location: an event, or a sign of life of one of its devices.
public struct Freshness: Hashable, Sendable {
    /// What that means for the count.
    public enum Kind: Hashable, Sendable {
        /// The count is what is there now.
        case live
        /// The location has devices, and none of them has been heard for too long.
        case stale
        /// Nothing has happened for long, and there is no device that could tell why.
        case quiet
    }

    /// When.
    public enum Moment: Hashable, Sendable {
        /// A device is connected.
        case now
        /// So many seconds ago, 0 or more. Somebody has to draw it again.
        case ago(seconds: Int)
        /// At this local time, which stays true by itself.
        case at(String)
    }

    /// What it means.
    public let kind: Kind
    /// When it was.
    public let moment: Moment

    /// Heard of at a moment.
    public init(_ kind: Kind, _ moment: Moment) {
        self.kind = kind
        self.moment = moment
    }

    /// How many seconds an age in seconds still reads the same: until the next second, minute, hour or day.
    public static func seconds(untilChangeOf age: Int) -> Int {
        let unit = unit(of: age).seconds
        return unit - age % unit
    }

    /// `Live • 12s`, `Stale • 5m`, `Last • 3h`.
    func text(dot: Character) -> String {
        switch moment {
        case .now: "\(word) \(dot) now"
        case .ago(let seconds): "\(word) \(dot) \(Self.text(ofAge: seconds))"
        case .at(let time): "\(word) at \(time.harmless)"
        }
    }

    private var word: String {
        switch kind {
        case .live: "Live"
        case .stale: "Stale"
        case .quiet: "Last"
        }
    }

    private static func text(ofAge seconds: Int) -> String {
        let unit = unit(of: seconds)
        return "\(seconds / unit.seconds)\(unit.letter)"
    }

    private static func unit(of seconds: Int) -> (seconds: Int, letter: Character) {
        switch seconds {
        case ..<60: (1, "s")
        case ..<3600: (60, "m")
        case ..<172_800: (3600, "h")
        default: (86_400, "d")
        }
    }
}
