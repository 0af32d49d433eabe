import Testing

@testable import KeyServer

@Suite struct DeviceIdentityTests {
    /// (bus, in a word)
    @Test(
        arguments: [
            (0x03, "usb"), (0x05, "bluetooth"), (0x06, "virtual"), (0x11, "i8042"), (0x19, "host"),
            (0x00, "bus-00"), (0x04, "bus-04"), (0x7F, "bus-7f"), (0xFFFF, "bus-ffff"),
        ] as [(UInt16, String)])
    func aBusHasAWord(bus: UInt16, word: String) {
        #expect(DeviceIdentity(bus: bus, vendor: 0, product: 0, name: "x").busName == word)
    }

    @Test func numbersAreHexadecimalOfOneWidth() {
        #expect(DeviceIdentity.hex(0) == "0000")
        #expect(DeviceIdentity.hex(0x46D) == "046d")
        #expect(DeviceIdentity.hex(.max) == "ffff")
        #expect(DeviceIdentity.hex(7, width: 2) == "07")
    }
}
