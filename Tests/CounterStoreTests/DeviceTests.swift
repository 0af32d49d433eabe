import CounterModel
import Glibc
import Linux
import Testing

@testable import CounterStore

@Suite struct DeviceTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func time(_ microseconds: Int64) -> Timestamp {
        Timestamp(microseconds: microseconds)
    }

    @Test func aDeviceBecomesKnownByCounting() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.ask(Ask.count(device: "usb:1"))
        #expect(
            try journal.devices() == [
                Device(
                    id: "usb:1", name: "usb:1", locationId: nil, lastSeenAt: time(10_000_000), isActive: true)
            ])
    }

    @Test func seeingItAgainKeepsWhatPeopleSet() throws {
        let journal = try SQLiteJournal(in: directory)
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
        let journal = try SQLiteJournal(in: directory)
        try journal.note(came: [("usb:1", "AB Shutter3", "default")], went: [], at: time(5))
        #expect(try journal.rename(device: "usb:1", to: "Clicker"))
        #expect(try journal.setActive(false, device: "usb:1"))
        #expect(try journal.forget(device: "usb:1", at: time(5)))
        #expect(try journal.devices() == [])
        #expect(try journal.devices(of: "default") == [])
        #expect(try !journal.forget(device: "usb:1", at: time(5)))
        #expect(try !journal.forget(device: "usb:2", at: time(5)))
        try journal.note(came: [("usb:1", "AB Shutter3", "default")], went: [], at: time(4))
        #expect(try journal.devices() == [], "what is earlier does not bring it back")
        try journal.note(came: [("usb:1", "AB Shutter3", "default")], went: [], at: time(6))
        let device = try #require(try journal.devices().first)
        #expect((device.name, device.isActive, device.lastSeenAt) == ("AB Shutter3", true, time(6)))
    }

    @Test func aDeviceIsSetUpBeforeItIsSeen() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.know(device: "usb:1")
        #expect(try journal.rename(device: "usb:1", to: "Clicker"))
        #expect(try journal.setActive(false, device: "usb:1"))
        try journal.note(came: [("usb:1", "AB Shutter3", "default")], went: [], at: time(5))
        let device = try #require(try journal.devices().first)
        #expect((device.name, device.isActive) == ("Clicker", false))
    }

    @Test func manyAreNotedTogether() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.note(came: [("usb:1", "a", "default")], went: [], at: time(5))
        let before = try journal.dataVersion()
        let other = try SQLiteJournal(in: directory)
        try other.note(came: (0..<64).map { ("usb:\($0)", "Remote \($0)", "default") }, went: [], at: time(7))
        #expect(try journal.dataVersion() == before + 1, "one transaction")
        #expect(try journal.devices().count == 64)
        #expect(try journal.devices().first?.name == "a", "a known one keeps its name")
    }

    @Test func aDeviceIsOfTheLocationThatItIsAssignedToOrElseWasConnectedForLast() throws {
        let journal = try SQLiteJournal(in: directory)
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
        let journal = try SQLiteJournal(in: directory)
        #expect(try !journal.rename(device: "none", to: "x"))
        #expect(try !journal.setActive(true, device: "none"))
        #expect(try !journal.assign(device: "none", to: "default"))
        try journal.note(came: [("usb:1", "a", "default")], went: [], at: time(5))
        #expect(try !journal.assign(device: "usb:1", to: "nowhere"))
    }

    @Test func onlyDevicesThatAreAssignedOrDisabledHaveSettings() throws {
        let journal = try SQLiteJournal(in: directory)
        for id in ["a", "b", "c", "d"] as [Identifier] { try journal.know(device: id) }
        _ = try (journal.assign(device: "b", to: "default"), journal.setActive(false, device: "c"))
        _ = try (journal.assign(device: "d", to: "default"), journal.forget(device: "d", at: time(5)))
        let settings = try journal.devicesWithSettings()
        #expect(settings.map(\.id) == ["b", "c"])
        #expect(settings.map(\.locationId) == ["default", nil] && settings.map(\.isActive) == [true, false])
    }

    @Test func aProcessOfAnotherBootIsGoneThoughAnotherHasItsNumberAndStart() throws {
        let journal = try SQLiteJournal(in: directory)
        try journal.note(came: [("usb:1", "a", "default")], went: [], at: time(5))
        #expect(try journal.devices().first?.isConnected == true)
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
        let journal = try SQLiteJournal(in: directory)
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
