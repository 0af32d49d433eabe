import Linux
import Testing

@testable import CounterModel

@Suite("When devices are expected to report") struct ReportingHoursTests {
    /// 2026-11-21, a Saturday, in UTC.
    private static let midnight = Timestamp(seconds: 1_795_219_200)
    private static let calendar = OperationalCalendar(zone: .utc)

    private static func at(_ hour: Int, _ minute: Int = 0, day: Int = 0) -> Timestamp {
        midnight + .seconds(day * 86_400 + hour * 3600 + minute * 60)
    }

    private func hours(_ opening: String? = nil, events: [(day: Int, hour: Int)] = []) -> ReportingHours {
        var hall = Location(id: "hall", name: "Hall", timezone: "UTC")
        hall.openingHours = opening.flatMap { OpeningHours($0) }
        return ReportingHours(
            of: hall, about: Self.calendar.day(containing: Self.at(12)), Self.calendar,
            eventful: events.map { Self.at($0.hour, day: $0.day) })
    }

    private func door(seen: Timestamp) -> Device {
        Device(id: "door", name: "Door", locationId: "hall", lastSeenAt: seen, isActive: true)
    }

    private static let age = Duration.seconds(120)

    /// Whether the door is stale at each of some times.
    private func isStale(_ hours: ReportingHours, seen: Timestamp, at times: [Timestamp]) -> [Bool] {
        times.map { hours.isStale(door(seen: seen), after: Self.age, now: $0) }
    }

    @Test func `Outside the opening hours nothing is stale, and in them two minutes after the opening`() {
        let times = [Self.at(9), Self.at(10, 1), Self.at(10, 3), Self.at(16, 59), Self.at(17)]
        let seen = Self.at(16, 50, day: -1)
        #expect(
            isStale(hours("Sat 10:00-17:00"), seen: seen, at: times) == [false, false, true, true, false])
        #expect(!isStale(hours("Mon-Fri 10:00-17:00"), seen: seen, at: times).contains(true))
        #expect(!isStale(hours("Sat 10:00-17:00"), seen: Self.at(10), at: [Self.at(10, 2)])[0])
    }

    @Test func `Without opening hours it is from the first event to the last of a usual day`() {
        let usual = hours(events: [(-1, 10), (-1, 16), (-2, 9), (-2, 12), (-2, 16), (-3, 10), (-3, 22)])
        let times = [Self.at(9, 30), Self.at(10, 30), Self.at(16, 30), Self.at(17, 30)]
        #expect(isStale(usual, seen: Self.at(9), at: times) == [false, true, true, false])
    }

    @Test func `Where two days are known nothing is usual, and a device is always expected`() {
        let unknown = hours(events: [(-1, 10), (-1, 16), (-2, 9)])
        #expect(isStale(unknown, seen: Self.at(1), at: [Self.at(2), Self.at(23)]) == [true, true])
    }

    @Test func `It is known when a device turns stale, and when it closes`() {
        let saturday = hours("Sat,Sun 10:00-17:00")
        func next(_ seen: Timestamp, _ now: Timestamp) -> Timestamp? {
            saturday.nextChange(of: door(seen: seen), after: Self.age, now: now)
        }
        let late = Self.age + .microseconds(1)
        #expect(next(Self.at(9), Self.at(9)) == Self.at(10) + late)
        #expect(next(Self.at(11), Self.at(11)) == Self.at(11) + late)
        #expect(next(Self.at(11), Self.at(12)) == Self.at(17))
        #expect(next(Self.at(11), Self.at(18)) == Self.at(10, day: 1) + late)
        #expect(
            hours().nextChange(of: door(seen: Self.at(11)), after: Self.age, now: Self.at(11)) == Self.at(11)
                + late)
        #expect(hours().nextChange(of: door(seen: Self.at(11)), after: Self.age, now: Self.at(12)) == nil)
    }
}
