public import CounterModel
public import System

/// What the Count screen shows. The executable sets it after each committed change.
public struct CountViewModel: Hashable, Sendable {
    /// The committed count of the current location.
    public var level: Int
    /// How many more have left an occupancy than entered it; 0 where the count hides nothing.
    public var moreLeftThanEntered = 0
    /// The last change; nil before the first.
    public var lastChange: LastChange?
    /// Counts per minute; nil where there is no rate.
    public var ratePerMinute: Int?
    /// The input devices, in display order.
    public var inputDevices: [DeviceStatus]
    /// Why no input device can be read; nil where one can. Where every device is without access, the first one's reason
    /// and remedy are shown even without this.
    public var problem: DeviceProblem?
    /// Changes that wait to be stored; they are not part of `level`.
    public var notStored: Int
    /// Warnings that last until their cause is removed, each with its remedy, one sentence an element; empty where there
    /// are none.
    public var warning: [String]
    /// The ends of timers that nobody has acknowledged, one sentence; nil where there are none.
    public var alarm: String?
    /// How insistent the alarm is, 1...3: as many alarm clocks in front of it.
    public var insistence = 1
    /// The running timers, each with what is left and what it has counted.
    public var timers: [String] = []
    /// What is left of the timer that ends first, for the title; nil where none runs, and in the background.
    public var timeLeft: String?
    /// An error or a message; nil for none. A remedy stands on a line of its own.
    public var notice: String?
    /// The id of the location.
    public var locationId = Location.defaultId
    /// The name of the location; nil where it need not be shown.
    public var location: String?
    /// How full the location is; nil for a tally.
    public var capacity: Capacity?
    /// The count to reach; nil for none.
    public var target: Int?
    /// How many a press counts.
    public var step = 1
    /// The locations that have keys of their own.
    public var keyed: [KeyedLocation] = []
    /// The part that is highlighted for a moment; nil at rest.
    public var flash: Flash?
    /// Whether the user may make entries by hand.
    public var mayChange = true
    /// Whether a key says the count.
    public var maySpeak = false
    /// The id of the location whose last day can still be ended at its own end; nil where there is none.
    public var overdueAt: Identifier?

    /// How full a location with a capacity is.
    public struct Capacity: Hashable, Sendable {
        /// How many it holds.
        public let places: Int
        /// The count in hundredths of that.
        public let percentage: Int

        /// A capacity; nil for a tally.
        public init?(_ state: CounterState) {
            guard let places = state.maxCapacity, let percentage = state.percentage else { return nil }
            (self.places, self.percentage) = (places, percentage)
        }
    }

    /// A part that can be highlighted.
    public enum Flash: Hashable, Sendable {
        /// The number, after a reset.
        case number
        /// The notice, after a refusal or a failure.
        case notice
        /// The line of an alarm, and the number.
        case alarm
    }

    /// A screen with `level` and nothing else.
    public init(level: Int = 0) {
        self.level = level
        lastChange = nil
        ratePerMinute = nil
        inputDevices = []
        problem = nil
        notStored = 0
        warning = []
        notice = nil
        location = nil
        flash = nil
    }

    /// `Count 1234`: the word, a space, the decimal number. Screen readers and scripts depend on this form.
    public var caption: String { "Count \(level)" }

    /// The terminal's title: the count, and its location.
    public var title: String {
        ([caption] + [location?.sanitised, timeLeft].compactMap(\.self)).joined(separator: " - ")
    }

    /// Why no input device can be read, whether from `problem` or from the devices; nil where one can.
    var unreadable: DeviceProblem? {
        if let problem { return problem }
        guard let first = inputDevices.first, inputDevices.allSatisfy({ $0.state == .noAccess }) else {
            return nil
        }
        return DeviceProblem(reason: first.reason ?? "no volume key can be read", remedy: first.remedy)
    }
}
