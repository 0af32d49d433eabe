import CounterModel
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
        #expect(try journal.forget(device: "usb:1"))
        #expect(try journal.devices() == [])
        #expect(try journal.devices(of: "default") == [])
        #expect(try !journal.forget(device: "usb:1"))
        #expect(try !journal.forget(device: "usb:2"))
        try journal.note(came: [("usb:1", "AB Shutter3", "default")], went: [], at: time(4))
        let device = try #require(try journal.devices().first)
        #expect((device.name, device.isActive, device.lastSeenAt) == ("AB Shutter3", true, time(4)))
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
        try journal.note(came: [("usb:1", "a", "door")], went: ["usb:1"], at: time(6))
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
}
