import CounterModel
import TestSupport
import Testing

@Suite struct OperationalCalendarTests {
    let reference: DayReference

    init() throws {
        reference = try DayReference()
    }

    @Test func `Days start and end as zoneinfo has it, in every zone and around every change`() throws {
        var count = 0
        for zone in reference.zones {
            for expected in zone.days {
                let (calendar, day) = try day(expected, in: zone)
                #expect(
                    [day.start.seconds, day.end.seconds] == [expected.start, expected.end],
                    "\(zone.name) \(expected)")
                guard expected.start < expected.end else { continue }
                #expect(calendar.day(containing: day.start) == day)
                #expect(calendar.day(containing: Timestamp(microseconds: day.end.microseconds - 1)) == day)
                count += 1
            }
        }
        #expect(count > 500)
    }

    @Test func `Hours are as zoneinfo has them`() throws {
        var count = 0
        for zone in reference.zones {
            for expected in zone.days where !expected.hours.isEmpty {
                let (calendar, day) = try day(expected, in: zone)
                let hours = calendar.zone.hours(in: day.start..<day.end)
                #expect(
                    hours.map { DayReference.Hour($0, calendar.zone) } == expected.hours,
                    "\(zone.name) \(expected.date)")
                count += 1
            }
        }
        #expect(count > 50)
    }

    @Test func `A date that a zone skipped is passed over`() throws {
        let calendar = try calendar("Pacific/Apia")
        let last = try calendar.day(of: #require(CalendarDate(iso8601: "2011-12-29")))
        let next = calendar.day(after: last)
        #expect(next.date.description == "2011-12-31")
        #expect(next.start == last.end)
        #expect(calendar.day(before: next) == last)
        #expect(calendar.days(in: last.start..<next.end) == [last, next])
    }

    @Test func `The days of a range are those that it touches`() throws {
        let calendar = try calendar("Europe/Zurich", startHour: 4)
        let day = calendar.day(containing: Timestamp(seconds: 1_774_746_000))
        let next = calendar.day(after: day)
        #expect(calendar.days(in: day.start..<day.end) == [day])
        #expect(
            calendar.days(in: day.start..<Timestamp(microseconds: day.end.microseconds + 1)) == [day, next])
        #expect(calendar.days(in: day.start..<day.start).isEmpty)
        #expect(day.contains(day.start) && !day.contains(day.end))
    }

    @Test(arguments: [Int64.min, Int64.min + 1, Int64.max - 1])
    func `The ends of time have days and hours`(microseconds: Int64) throws {
        let calendar = try calendar("Australia/Lord_Howe", startHour: 23)
        let moment = Timestamp(microseconds: microseconds)
        let day = calendar.day(containing: moment)
        #expect(day.contains(moment))
        #expect(!calendar.zone.hours(in: day.start..<day.end).isEmpty)
        #expect(calendar.day(after: day).date == day.date.advanced(by: 1))
        #expect(calendar.day(before: day).date == day.date.advanced(by: -1))
    }

    private func calendar(_ zone: String, startHour: Int = 0) throws -> OperationalCalendar {
        try OperationalCalendar(zone: #require(reference[zone]).offsets, startHour: startHour)
    }

    private func day(
        _ expected: DayReference.Day, in zone: DayReference.Zone
    ) throws -> (OperationalCalendar, OperationalDay) {
        let calendar = OperationalCalendar(zone: zone.offsets, startHour: expected.startHour)
        return (calendar, try calendar.day(of: #require(CalendarDate(iso8601: expected.date))))
    }
}

extension DayReference.Hour {
    fileprivate init(_ hour: Range<Timestamp>, _ zone: ZoneOffsets) {
        let local = zone.local(at: hour.start)
        self.init(
            date: local.date.description, hour: local.hour, offset: zone.offset(at: hour.start).seconds,
            start: hour.start.seconds, end: hour.end.seconds)
    }
}
