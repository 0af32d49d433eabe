package import CounterModel
package import Linux
package import Reports

/// What the Count screen shows. The executable sets it after each committed change.
package struct CountViewModel: Hashable, Sendable {
    /// The committed state of the location that is shown.
    package var state: CounterState
    /// The last change, with the local time: `+1 at 14:03:22`.
    package var lastChange: String?
    package var ratePerMinute: Int?
    package var inputDevices: [DeviceStatus] = []
    /// Why no input device can be read; nil where one can. Where every device is without access, the first one's reason
    /// and remedy are shown even without this.
    package var problem: Diagnosis?
    /// What is known of the machines that count here too, such as `42 rows not sent, office unreachable for 2 h`, from the longest form
    /// to the shortest; empty where there are none.
    package var sync: [String] = []
    /// Whether all of them are reached at present.
    package var isSynced = true
    /// Changes that wait to be stored; they are not part of `state`.
    package var notStored = 0
    /// Warnings that last until their cause is removed, each with its remedy, one sentence an element; empty where there
    /// are none.
    package var warning: [String] = []
    /// The ends of timers that nobody has acknowledged, one sentence; nil where there are none.
    package var alarm: String?
    /// How insistent the alarm is, 1...3: as many alarm clocks in front of it.
    package var insistence = 1
    /// The running timers, each with what is left and what it has counted.
    package var timers: [String] = []
    /// What is left of the timer that ends first, for the title; nil where none runs, and in the background.
    package var timeLeft: String?
    /// An error or a message; nil for none. A remedy stands on a line of its own.
    package var notice: String?
    /// The name of the location; nil where it need not be shown.
    package var location: String?
    package var step = 1
    package var keyed: [KeyedLocation] = []
    package var flash: Flash?
    /// Whether the user may make entries by hand.
    package var mayChange = true
    package var maySpeak = false
    /// The id of the location whose last day can still be ended at its own end; nil where there is none.
    package var overdueAt: Identifier?

    package enum Flash: Hashable, Sendable {
        case number
        /// The notice, after a refusal or a failure.
        case notice
        /// The line of an alarm, and the number.
        case alarm
    }

    package init(level: Int = 0) {
        state = CounterState(locationId: Location.defaultId, level: level)
    }

    var level: Int { state.currentCount }

    /// `Count 1234`: the word, a space, the decimal number. Screen readers and scripts depend on this form.
    package var caption: String { "Count \(level)" }

    /// The caption, or only the number where that is too long, or nothing: a number is never cut off.
    func caption(columns: Int) -> String {
        [caption, "\(level)"].first { $0.count <= columns } ?? ""
    }

    /// The terminal's title: the count, and its location.
    package var title: String {
        ([caption] + [location?.sanitised, timeLeft].compactMap(\.self)).joined(separator: " - ")
    }

    /// Why no input device can be read, whether from `problem` or from the devices; nil where one can.
    var unreadable: Diagnosis? {
        if let problem { return problem }
        guard let first = inputDevices.first, inputDevices.allSatisfy({ $0.state == .noAccess }) else {
            return nil
        }
        return Diagnosis(first.reason ?? "no volume key can be read", hint: first.remedy)
    }
}

/// An input device, as the Count screen shows it.
package struct DeviceStatus: Hashable, Sendable {
    package let name: String
    package let state: DeviceState
    /// Where its keys count; nil where they count into the location that is shown.
    package let location: String?
    /// Why it is in this state; nil where there is nothing to say.
    package let reason: String?
    package let remedy: String?

    /// The texts may hold any characters: they are sanitised for the terminal.
    package init(
        name: String, state: DeviceState, location: String? = nil, reason: String? = nil,
        remedy: String? = nil
    ) {
        self.location = location?.sanitised
        self.name = name.sanitised.isEmpty ? "?" : name.sanitised
        self.state = state
        self.reason = reason?.sanitised
        self.remedy = remedy?.sanitised
    }
}
