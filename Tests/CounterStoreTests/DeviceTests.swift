import CounterModel
import Glibc
import Linux
import Testing

@testable import CounterStore

@Suite final class DeviceTests: NewJournal {
    private func time(_ microseconds: Int64) -> Timestamp {
        Timestamp(microseconds: microseconds)
    }

    @Test func aDeviceBecomesKnownByCounting() throws {
        try journal.ask(Ask.count(device: "usb:1"))
        #expect(
            try journal.devices() == [
                Device(
                    id: "usb:1", name: "usb:1", locationId: nil, lastSeenAt: time(10_000_000), isActive: true)
            ])
    }

    @Test func `The readings of a device are those after a row, back to the last that is too old`() throws {
        for number in 1...5 {
            for device: Identifier in ["usb:1", "usb:2"] {
                let request = Request(
                    locationId: "default", timestamp: time(1), .reading(device, text: "\(number)"),
                    order: .ownTime)
                try journal.append(request, at: time(Int64(number)))
            }
        }
        func texts(after position: Int64 = 0, since received: Int64 = 0) throws -> [String] {
            try journal.readings(of: "usb:1", after: Position(position), since: time(received)).map(\.text)
        }
        let first = try #require(try journal.readings(of: "usb:1", after: .start, since: time(0)).first)
        #expect(try texts() == ["1", "2", "3", "4", "5"])
        #expect(first.location == "default" && first.receivedAt == time(1))
        #expect(try texts(after: first.position.number) == ["2", "3", "4", "5"])
        #expect(try texts(since: 4) == ["4", "5"])
        #expect(
            try texts(since: 9) == [] && journal.readings(of: "usb:3", after: .start, since: time(0)).isEmpty)
        #expect(try journal.verify() == [])
    }

    @Test func seeingItAgainKeepsWhatPeopleSet() throws {
        try journal.note(came: [("usb:1", "AB Shutter3", "default")], went: [], at: time(5))
        #expect(try journal.rename(device: "usb:1", to: "Clicker"))
        #expect(try journal.assign(device: "usb:1", to: "default"))
        #expect(try journal.setActive(false, device: "usb:1"))
        try journal.note(came: [("usb:1", "AB Shutter3", "default")], went: [], at: time(9))
        try journal.note(came: [("usb:1", "AB Shutter3", "default")], went: [], at: time(3))
        let expected = Device(
            id: "usb:1", name: "Clicker", locationId: "default", lastSeenAt: time(9), isActive: false,
            connection: try journal.devices().first?.connection, lastLocationId: "default")
        #expect(expected.isConnected)
        #expect(expected.connection?.isOwn == true)
        #expect(expected.connection?.locationId == "default")
        #expect(try journal.devices() == [expected])
        #expect(try journal.assign(device: "usb:1", to: nil))
        #expect(try journal.devices().first?.locationId == nil)
    }

    @Test func aForgottenDeviceIsNotListedUntilItIsSeenAgain() throws {
        try journal.note(came: [("usb:1", "AB Shutter3", "default")], went: [], at: time(5))
        #expect(try journal.rename(device: "usb:1", to: "Clicker"))
        #expect(try journal.setActive(false, device: "usb:1"))
        #expect(try journal.forget(device: "usb:1", at: time(5)))
        #expect(try journal.devices() == [])
        #expect(try journal.devices(of: "default") == [])
        #expect(try !journal.forget(device: "usb:1", at: time(5)))
        #expect(try !journal.forget(device: "usb:2", at: time(5)))
        try journal.ask(Ask.count(device: "usb:1", source: .import))
        #expect(try journal.devices() == [], "a file is no sign of life")
        try journal.note(came: [("usb:1", "AB Shutter3", "default")], went: [], at: time(6))
        let device = try #require(try journal.devices().first)
        #expect((device.name, device.isActive, device.lastSeenAt) == ("AB Shutter3", true, time(6)))
    }

    @Test func aDeviceIsSetUpBeforeItIsSeen() throws {
        try journal.know(device: "usb:1")
        #expect(try journal.rename(device: "usb:1", to: "Clicker"))
        #expect(try journal.setActive(false, device: "usb:1"))
        try journal.note(came: [("usb:1", "AB Shutter3", "default")], went: [], at: time(5))
        let device = try #require(try journal.devices().first)
        #expect((device.name, device.isActive) == ("Clicker", false))
    }

    @Test func manyAreNotedTogether() throws {
        try journal.note(came: [("usb:1", "a", "default")], went: [], at: time(5))
        let before = try journal.dataVersion()
        let other = try SQLiteJournal(in: directory)
        try other.note(came: (0..<64).map { ("usb:\($0)", "Remote \($0)", "default") }, went: [], at: time(7))
        #expect(try journal.dataVersion() == before + 1, "one transaction")
        #expect(try journal.devices().count == 64)
        #expect(try journal.devices().first?.name == "a", "a known one keeps its name")
    }

    @Test func aDeviceIsOfTheLocationThatItIsAssignedToOrElseWasConnectedForLast() throws {
        _ = try journal.add(Location(id: "door", name: "door", timezone: "UTC"))
        try journal.ask(Ask.count(device: "file"))
        try journal.note(
            came: [("usb:1", "a", "default"), ("usb:2", "b", "default")], went: [], at: time(5))
        try journal.note(came: [], went: ["usb:1"], at: time(6))
        try journal.note(came: [("usb:1", "a", "door")], went: ["usb:1"], at: time(7))
        #expect(try journal.devices(of: "default").map(\.id) == ["usb:2"])
        #expect(try journal.devices(of: "door").map(\.id) == ["usb:1"])
        #expect(try journal.assign(device: "usb:2", to: "door"))
        #expect(try journal.devices(of: "default").isEmpty)
        #expect(try journal.devices(of: "door").map(\.id) == ["usb:1", "usb:2"])
        #expect(try journal.devices(of: "door").map(\.isConnected) == [false, true])
        #expect(try journal.devices(of: "nowhere").isEmpty)
        #expect(try journal.devices().count == 3)
    }

    @Test func unknownOnesAreSaidToBe() throws {
        #expect(try !journal.rename(device: "none", to: "x"))
        #expect(try !journal.setActive(true, device: "none"))
        #expect(try !journal.assign(device: "none", to: "default"))
        try journal.note(came: [("usb:1", "a", "default")], went: [], at: time(5))
        #expect(try !journal.assign(device: "usb:1", to: "nowhere"))
    }

    @Test func onlyDevicesThatAreAssignedOrDisabledHaveSettings() throws {
        for id in ["a", "b", "c", "d"] as [Identifier] { try journal.know(device: id) }
        _ = try (journal.assign(device: "b", to: "default"), journal.setActive(false, device: "c"))
        _ = try (journal.assign(device: "d", to: "default"), journal.forget(device: "d", at: time(5)))
        let settings = try journal.devicesWithSettings()
        #expect(settings.map(\.id) == ["b", "c"])
        #expect(settings.map(\.locationId) == ["default", nil] && settings.map(\.isActive) == [true, false])
    }

    @Test func aProcessOfAnotherBootIsGoneThoughAnotherHasItsNumberAndStart() throws {
        try journal.note(came: [("usb:1", "a", "default")], went: [], at: time(5))
        #expect(try journal.devices().first?.isConnected == true)
        #expect(Clock.bootId?.isEmpty == false)
        let ticks = ProcessIdentity.current.startedAt & (1 << 40 - 1)
        let before = ProcessIdentity(running: Int64(getpid()), boot: "the boot before")
        #expect(before.startedAt & (1 << 40 - 1) == ticks && ticks > 0)
        try journal.run(sql: "UPDATE presence SET started = \(before.startedAt)")
        #expect(try journal.devices().first?.isConnected == false)
        let connection = try #require(try journal.connections(now: time(50)).first)
        #expect(connection.upperBound == time(5))
        // Versions that stored no boot may still run.
        try journal.run(sql: "UPDATE presence SET started = \(ticks)")
        #expect(try journal.devices().first?.isConnected == true)
    }

    @Test func whatManyKilledProcessesLeftOpenIsEndedAtOnce() throws {
        let ids: [Identifier] = (0..<2_500).map { "door-\($0)" }
        try journal.note(came: ids.map { ($0, $0.text, "default") }, went: [], at: time(5))
        try journal.run(sql: "UPDATE presence SET started = started + 1 + rowid % 2")
        let next = try SQLiteJournal(in: directory)
        try next.note(came: [("usb:1", "a", "default")], went: [], at: time(9))
        #expect(try next.devices().count { $0.isConnected } == 1)
        #expect(
            try next.access {
                try $0.statement("SELECT count(*) FROM presence WHERE until IS NULL").integer()
            }
                == 1)
    }
}

/// What is set of devices are rows, and the last one in the order holds, whenever it comes.
@Suite final class DeviceRowTests: NewJournal {
    private func row(_ position: Int64, at seconds: Int, _ content: RowContent, _ location: Identifier? = nil)
        -> Request
    {
        let (time, origin) = (
            Timestamp(seconds: seconds), RowIdentity(journalId: "a", position: Position(position))
        )
        return Request(
            JournalRow(
                origin: .journal(origin), locationId: location, timestamp: time, receivedAt: time, content))
    }

    @Test func theLastInTheOrderHolds() throws {
        try journal.ask(
            row(2, at: 20, .device("d", .name("Second"))), row(1, at: 10, .device("d", .name("First"))),
            row(3, at: 5, .device("d", .isActive(false))), row(4, at: 5, .device("d", .location), "hall"))
        let device = try #require(try journal.devices().first)
        #expect((device.name, device.isActive, device.locationId) == ("Second", false, "hall"))
        #expect(try journal.locations().map(\.id) == ["default", "hall"])
        try journal.ask(row(5, at: 30, .device("d", .location)), row(6, at: 15, .device("d", .isForgotten)))
        let after = try #require(try journal.devices().first)
        #expect((after.name, after.isActive, after.locationId) == ("Second", true, nil))
        #expect(try journal.verify() == [])
    }

    @Test func whatCameBeforeItWasForgottenDoesNotBringItBack() throws {
        let entry = RowContent.entry(Entry(.in, deviceId: "d", source: .hardware))
        try journal.ask(row(3, at: 3, .device("d", .isForgotten)))
        try journal.ask(row(1, at: 1, entry, "default"), row(2, at: 2, .device("d", .name("Door"))))
        #expect(try journal.devices() == [])
        try journal.ask(row(4, at: 4, entry, "default"))
        #expect(try journal.devices().map(\.name) == ["d"])
        #expect(try journal.level() == 2)
    }

    @Test func noUndoReachesThem() throws {
        #expect(try journal.set(.name("Door"), of: "d", isNew: true, at: Timestamp(seconds: 1)))
        #expect(try journal.ask(Ask.undo("default")) == [.nothingToUndo(since: nil)])
        #expect(try journal.ask(Ask.void(1)) == [.nothingToVoid])
        #expect(try journal.devices().map(\.name) == ["Door"])
    }

    @Test func theyTravelAsTheyAre() throws {
        _ = try journal.add(Location(id: "hall", name: "Hall", timezone: "Asia/Kathmandu"))
        for setting in [DeviceSetting.name("Door"), .isActive(false), .isForgotten, .name("Gate")] {
            _ = try journal.set(setting, of: "d", isNew: true, at: Timestamp(seconds: 1))
        }
        _ = try journal.set(.location, of: "d", to: "hall", at: Timestamp(seconds: 2))
        let copy = try SQLiteJournal(in: directory, "copy")
        let id = try journal.id()
        for row in try journal.feed(after: .start, limit: 99) {
            let fields = try LineFields(json: Array(row.row.line(ofJournal: id).text.utf8)[...])
            #expect(try fields.row() == row.row)
            try copy.ask(Request(try fields.row()))
        }
        #expect(try copy.locations() == journal.locations())
        #expect(try copy.devices() == journal.devices())
        #expect(try copy.devices().map(\.name) == ["Gate"])
    }
}
