import Linux
import Testing

@testable import CounterModel
@testable import CounterTUI
@testable import Reports

/// Timers at fixed times, without a journal.
struct TimersSample {
    private static let start: Int64 = 1_800_000_000_000_000
    /// A tally and an occupancy.
    private static let locations = [("North door", nil), ("Hall", 60)].map { name, capacity in
        Location(id: Identifier(name), name: name, timezone: "UTC", maxCapacity: capacity)
    }

    private var board = TimerBoard()
    private var position: Int64 = 0
    private(set) var ids: [UniqueId] = []

    /// The time so many seconds after the start.
    static func time(_ seconds: Int64) -> Timestamp { Timestamp(microseconds: start + seconds * 1_000_000) }

    mutating func start(_ setup: TimerSetup, at seconds: Int64 = 0) {
        let id = UniqueId()
        ids.append(id)
        apply(.started(id, setup), at: seconds)
    }

    mutating func keep(_ setup: TimerSetup) { apply(.presetSaved(UniqueId(), setup), at: 0) }

    mutating func apply(_ event: TimerEvent, at seconds: Int64) {
        position += 1
        board.apply(
            TimerRow(
                position: Position(position), timestamp: Self.time(seconds), userId: nil,
                content: TimerRowContent(event, clock: nil)))
    }

    /// The screens at a time, with the Timers tab shown.
    func screens(at seconds: Int64) -> Screens {
        let screens = Screens(count: Sample.ordinary())
        screens.context.locations.offer(
            Self.locations.map { .init(id: $0.id, name: $0.name) }, preferred: "Hall")
        let now = Self.time(seconds)
        let cards = board.timers(at: now).map { card($0, now) }
        screens.timers.cards = cards
        screens.timers.presets = board.presets.map { PresetReport($0, locations: Self.locations) }
        screens.timers.results = board.all.filter { !$0.state(at: now).isActive }.map {
            var report = TimerReport($0, TimerResult([], []), at: now, locations: Self.locations)
            report.started = "2027-01-15 08:00"
            return report
        }
        screens.timers.preferences = [
            PreferenceLine(.mode, "sound", choices: ["sound", "vibration", "silent"]),
            PreferenceLine(.urgency, "no", choices: ["no", "yes"]), PreferenceLine(.alarmVolume, "100"),
            PreferenceLine(.sounds, "up,down"), PreferenceLine(.soundVolume, "80"),
            PreferenceLine(.speech, "never", choices: ["never", "each", "tenth", "key"]),
        ]
        screens.count.timers = cards.filter { $0.left != nil }.map(\.brief)
        let ringing = board.ringing(at: now).map { card($0, now).alarm }
        screens.count.alarm = ringing.isEmpty ? nil : ringing.joined(separator: ", ")
        screens.type("5")
        return screens
    }

    private func card(_ timer: TimerData, _ now: Timestamp) -> TimerReport {
        let place = timer.locations.ids.first ?? "Hall"
        let counts = [[TimerCount(locationId: place, totalIn: 12, totalOut: 3)]]
        let window = timer.windows(at: now).prefix(1)
        return TimerReport(timer, TimerResult(Array(window), counts), at: now, locations: Self.locations)
    }

    /// A timer that was started from a preset.
    static var ofAPreset: TimersSample {
        var sample = TimersSample()
        sample.keep(TimerSetup(seconds: 60))
        let preset = sample.board.presets.first?.id
        sample.apply(
            .started(UniqueId(), TimerSetup(seconds: 60), presetId: preset), at: 0)
        return sample
    }

    /// One of everything.
    static var ordinary: TimersSample {
        var sample = TimersSample()
        sample.start(TimerSetup(label: "Robins", seconds: 300, locations: .some(["North door"])))
        sample.start(TimerSetup(label: "Wrens in the hedge", seconds: 600, mode: .vibration))
        sample.start(TimerSetup(seconds: 60, rounds: 3, pauseSeconds: 30))
        sample.start(TimerSetup(label: "Gone", seconds: 5))
        sample.apply(.action(sample.ids[1], .pause), at: 20)
        sample.apply(.action(sample.ids[3], .stop), at: 2)
        sample.apply(.action(sample.ids[3], .remove), at: 3)
        sample.keep(
            TimerSetup(label: "Press-ups", seconds: 60, endAction: .preserve, locations: .some(["Hall"])))
        sample.keep(
            TimerSetup(seconds: 300, mode: .silent, endAction: .preserve, rounds: 3, pauseSeconds: 60))
        return sample
    }
}
