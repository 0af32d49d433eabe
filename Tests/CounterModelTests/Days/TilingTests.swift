import CounterModel
import TestSupport
import Testing

/// Properties of days and hours that hold in any zone. A seed gives the same zones on every machine.
@Suite struct TilingTests {
    private static let seeds = 0..<200

    @Test(arguments: seeds)
    func `Days tile time, and each moment is of its day`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let calendar = random.calendar()
        var day = calendar.day(containing: random.moment())
        for _ in 0..<60 {
            let next = calendar.day(after: day)
            #expect(next.start == day.end)
            #expect(next.start < next.end)
            #expect(next.date > day.date)
            #expect(calendar.day(before: next) == day)
            #expect(calendar.day(containing: day.start) == day)
            #expect(calendar.day(containing: random.moment(in: day.start..<day.end)) == day)
            #expect(calendar.day(of: day.date) == day)
            day = next
        }
    }

    @Test(arguments: seeds)
    func `Hours tile days, and each moment is of its hour`(seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let calendar = random.calendar()
        let start = random.moment()
        let end = Timestamp(microseconds: start.microseconds + 60 * 86_400_000_000)
        for day in calendar.days(in: start..<end) {
            let hours = calendar.zone.hours(in: day.start..<day.end)
            #expect(hours.first?.start == day.start)
            #expect(hours.last?.end == day.end)
            #expect(zip(hours, hours.dropFirst()).allSatisfy { $0.end == $1.start })
            #expect(hours.allSatisfy { !$0.isEmpty })
            for hour in hours { expectHour(hour, random.moment(in: hour.start..<hour.end), calendar.zone) }
        }
    }

    /// A moment of an hour belongs to no other hour, and clocks show that hour then.
    private func expectHour(_ hour: Range<Timestamp>, _ moment: Timestamp, _ zone: ZoneOffsets) {
        let (local, first) = (zone.local(at: moment), zone.local(at: hour.start))
        #expect(zone.hours(in: moment..<moment + .microseconds(1)) == [hour])
        #expect(zone.offset(at: moment) == zone.offset(at: hour.start))
        #expect(local.date == first.date && local.hour == first.hour)
    }
}

extension SplitMix64 {
    /// A start hour, and a zone whose clocks are set by up to a day, to the second, several times a year.
    fileprivate mutating func calendar() -> OperationalCalendar {
        var changes: [ZoneOffsets.Change] = []
        var start = -40 * 86_400
        while start < 500 * 86_400 {
            start += 3600 + below(20 * 86_400)
            changes.append(.init(start: Timestamp(seconds: start), offset: offset()))
        }
        return OperationalCalendar(
            zone: ZoneOffsets(initial: offset(), changes: changes), startHour: below(24))
    }

    private mutating func offset() -> UTCOffset {
        let unit = element(of: [3600, 1800, 900, 1])
        return UTCOffset(seconds: (below(86_400) - 43_200) / unit * unit)
    }

    fileprivate mutating func moment() -> Timestamp {
        moment(in: Timestamp(seconds: 0)..<Timestamp(seconds: 400 * 86_400))
    }

    fileprivate mutating func moment(in range: Range<Timestamp>) -> Timestamp {
        let length = range.upperBound.microseconds - range.lowerBound.microseconds
        return Timestamp(microseconds: range.lowerBound.microseconds + Int64(below(Int(length))))
    }
}
