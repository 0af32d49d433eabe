import CounterModel
import Linux
import TestSupport
import Testing

@testable import CounterStore
@testable import Transfer

/// The rows of no location: what devices and journals are called.
@Suite final class SyncNameTests: SyncPlace {
    private static let clicker: Identifier = "usb:1"

    private func name(_ name: String, in journal: SQLiteJournal, at seconds: Int = 0) throws {
        let now = Self.noon + .seconds(seconds)
        #expect(try journal.set(.name(name), of: Self.clicker, isNew: true, at: now))
    }

    private func click(in journal: SQLiteJournal, at location: Identifier = "default") throws {
        let entry = Entry(.in, deviceId: Self.clicker, source: .hardware)
        let request = Request(locationId: location, timestamp: Self.noon, .entry(entry))
        _ = try journal.append([request], receivedAt: Self.noon)
    }

    private func device(in journal: SQLiteJournal) throws -> Device? {
        try journal.devices().first { $0.id == Self.clicker }
    }

    @Test func `The names of the journal and of the devices that count at a shared location travel`() throws {
        try name("Clicker", in: door)
        try share()
        try click(in: door)
        let link = try sync(door, office)
        #expect(try device(in: office)?.name == "Clicker")
        #expect(try office.journals().map(\.name) == ["other", "one"])
        #expect(try door.journals().map(\.name) == ["one", "other"])
        try expectSame(door, office)
        // What is decided later, on either side, and while they are apart.
        try name("Left door", in: office, at: 3)
        try link.pass(changesOf: link.other)
        #expect(try device(in: door)?.name == "Left door")
        #expect(try door.set(.isActive(false), of: Self.clicker, at: Self.noon + .seconds(5)))
        try door.rename(to: "door-3", at: Self.noon + .seconds(5))
        let again = try sync(door, office)
        #expect(try device(in: office)?.isActive == false)
        #expect(try office.journals().map(\.name) == ["other", "door-3"])
        #expect(again.both.map(\.rowsSent) == [2, 0])
        try expectSame(door, office)
    }

    @Test func `A device that counts elsewhere only keeps its name to itself, until it counts there`() throws
    {
        try door.add(new: Location(id: "cellar", name: "Cellar", timezone: "UTC"), at: Self.noon)
        try share()
        try name("Clicker", in: door)
        try click(in: door, at: "cellar")
        #expect(try door.set(.location, of: Self.clicker, to: "cellar", at: Self.noon))
        let link = try sync(door, office)
        try name("My clicker", in: door, at: 2)
        try link.pass(changesOf: link.one)
        let sent = try office.feed(after: .start, limit: 100).map(\.line)
        #expect(!sent.contains { $0.contains("usb:1") || $0.contains("licker") || $0.contains("cellar") })
        try click(in: door)
        try link.pass(changesOf: link.one)
        #expect(try device(in: office)?.name == "My clicker")
        #expect(try device(in: office)?.locationId == nil)
        try expectNothingToSend(door, office)
    }

    @Test func `A name that is lost on the way, or lacking, is sent again`() throws {
        for number in 1...3 { try name("Clicker \(number)", in: door, at: number) }
        try share()
        try click(in: door)
        // The last one has come in a file.
        let last = try #require(try door.rowsOfNoLocation(device: Self.clicker).last)
        _ = try office.append([Request(last.row)], receivedAt: Self.noon)
        try click(in: office)
        let link = try sync(door, office)
        #expect(
            link.one.notices == [
                "other lacked 2 rows of journal \(try door.id()) of the device 'usb:1'"
            ])
        #expect(try office.rowsOfNoLocation(device: Self.clicker).count == 3)
        for number in 4...5 {
            try name("Clicker \(number)", in: door, at: number)
            try link.one.journalChanged()
            if number == 4 { link.loseOutput(of: link.one) } else { try link.run() }
        }
        #expect(link.other.notices.contains { $0.contains("of the device 'usb:1' are missing after") })
        #expect(try device(in: office)?.name == "Clicker 5")
        #expect(try office.rowsOfNoLocation(device: Self.clicker).count == 5)
    }

    @Test func `Names pass through a machine in the middle`() throws {
        let store = try journal("store")
        try share()
        try share(from: office, to: store)
        try name("Clicker", in: door)
        try click(in: door)
        let beyond = try sync(office, store)
        try sync(door, office)
        try beyond.pass(changesOf: beyond.one)
        #expect(try device(in: store)?.name == "Clicker")
        #expect(try Set(store.journals().map(\.name)) == ["one", "other"])
    }

    @Test func `A device that is connected to one is connected for the other, until the connection ends`()
        throws
    {
        try share()
        try door.note(came: [(Self.clicker, "Clicker", "default")], went: [], at: Self.noon)
        let link = try sync(door, office)
        let device = try #require(try office.devices(of: "default").first)
        #expect(device.id == Self.clicker && device.name == "Clicker" && device.isConnected)
        #expect(try office.rowsOfNoLocation(device: Self.clicker).map(\.row.isTakenOver) == [true])
        link.other.close()
        #expect(try office.devices(of: "default").first?.isConnected == false)
    }
}
