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
        try journal.seen(device: "usb:1", name: "AB Shutter3", at: time(5))
        #expect(try journal.rename(device: "usb:1", to: "Clicker"))
        #expect(try journal.assign(device: "usb:1", to: "default"))
        #expect(try journal.setActive(false, device: "usb:1"))
        try journal.seen(device: "usb:1", name: "AB Shutter3", at: time(9))
        try journal.seen(device: "usb:1", name: "AB Shutter3", at: time(3))
        let expected = Device(
            id: "usb:1", name: "Clicker", locationId: "default", lastSeenAt: time(9), isActive: false)
        #expect(try journal.devices() == [expected])
        #expect(try journal.assign(device: "usb:1", to: nil))
        #expect(try journal.devices().first?.locationId == nil)
    }

    @Test func unknownOnesAreSaidToBe() throws {
        let journal = try SQLiteJournal(in: directory)
        #expect(try !journal.rename(device: "none", to: "x"))
        #expect(try !journal.setActive(true, device: "none"))
        #expect(try !journal.assign(device: "none", to: "default"))
        try journal.seen(device: "usb:1", name: "a", at: time(5))
        #expect(try !journal.assign(device: "usb:1", to: "nowhere"))
    }
}
