import CounterModel
import CounterStore
import Reports
import TestSupport
import Testing

/// The offer to end a day that nobody ended. One at a time: the C library has one zone for a process.
@Suite(.serialized) struct OverdueDayOfferTests {
    /// 2026-10-19 12:00 UTC, a Monday.
    private static let monday = Timestamp(seconds: 1_792_411_200)
    private static let tuesday = Timestamp(seconds: monday.seconds + 86_400)
    private let folder: ScratchFolder
    private let journal: SQLiteJournal

    init() throws {
        folder = try ScratchFolder()
        journal = try SQLiteJournal(directory: folder.path, timezone: "UTC")
    }

    private func append(_ content: RowContent, at time: Timestamp) throws {
        let request = Request(locationId: "default", userId: "ada", timestamp: time, content)
        let answers = try journal.append([request], receivedAt: time)
        try #require(answers.allSatisfy { if case .accepted = $0.outcome { true } else { false } })
    }

    private func count(at time: Timestamp) throws {
        try append(.entry(Entry(.in, deviceId: "remote", source: .manual)), at: time)
    }

    private func offer(_ offer: inout OverdueDayOffer, at now: Timestamp) throws -> String? {
        let location = try #require(try journal.locations().first)
        let state = try #require(try journal.state(of: location.id))
        return offer.offer(of: location, state, in: journal, at: now)
    }

    @Test func `Where no day was ever ended, yesterday is offered until something counts today`() throws {
        try append(.setting(.capacity(50)), at: Self.monday)
        try count(at: Self.monday)
        var overdue = OverdueDayOffer()
        #expect(try offer(&overdue, at: Self.monday) == nil)
        #expect(try offer(&overdue, at: Self.tuesday) == "Yesterday was not ended (1 inside). E ends it.")
        try count(at: Self.tuesday)
        #expect(try offer(&overdue, at: Self.tuesday) == nil)
    }

    /// A sensor counts before anybody looks at the screen.
    @Test func `Whatever is counted today, the days before are offered until a correction`() throws {
        try append(.setting(.capacity(50)), at: Self.monday)
        try count(at: Self.monday)
        var overdue = OverdueDayOffer()
        let location = try #require(try journal.locations().first)
        _ = try DayEnd(of: location, in: journal, now: Self.monday).end(at: Self.monday)
        func day(_ number: Int) -> Timestamp { Timestamp(seconds: Self.monday.seconds + number * 86_400) }
        try count(at: day(1))
        for count in 0...1 {
            if count == 1 { try self.count(at: day(2)) }
            #expect(try offer(&overdue, at: day(2)) == "Yesterday was not ended (1 inside). E ends it.")
        }
        #expect(
            try offer(&overdue, at: day(3))
                == "2 days were not ended, the last at 2026-10-21 (2 inside). E ends them.")
        let (correction, work) = Correction.Amount.to(1).correction(deviceId: "terminal", reason: "counted")
        let request = Request(locationId: "default", userId: "ada", timestamp: day(3), correction, work)
        _ = try journal.append([request], receivedAt: day(3))
        #expect(try offer(&overdue, at: day(3)) == nil)
    }

    @Test func `A viewer, who ends nothing, is told without a key, and that a day has not ended by itself`()
        throws
    {
        try append(.setting(.capacity(50)), at: Self.monday)
        try count(at: Self.monday)
        let viewed = try SQLiteJournal(directory: folder.path, timezone: "UTC", role: .viewer)
        let location = try #require(try viewed.locations().first)
        let state = try #require(try viewed.state(of: location.id))
        var overdue = OverdueDayOffer()
        #expect(
            overdue.offer(of: location, state, in: viewed, at: Self.tuesday)
                == "Yesterday was not ended (1 inside).")
        try append(.setting(.endsDaysAutomatically(true)), at: Self.monday)
        let automatic = try #require(try viewed.locations().first)
        let reading = try LiveReading(of: automatic, in: viewed, at: Self.tuesday, after: nil)
        let card = reading.card(at: Self.tuesday, staleAfter: .seconds(120), isInForeground: false)
        #expect(card.problem == "The day before is over (1 inside). It ends with the next change.")
    }
}
