import Linux
import Testing

@testable import KeyServer

@Suite struct DeviceKeyTests {
    private static func identity(
        _ bus: UInt16, phys: String = "", uniq: String = "", name: String = "Some Remote"
    ) -> DeviceIdentity {
        DeviceIdentity(bus: bus, vendor: 0x046D, product: 0xC52B, name: name, phys: phys, uniq: uniq)
    }

    /// (bus, phys, uniq, the key of event7's input device)
    @Test(
        arguments: [
            // A device on a built-in bus belongs to the machine, whatever its other fields.
            (0x11, "isa0060/serio0/input0", "", .machine), (0x19, "gpio-keys/input0", "", .machine),
            (0x19, "", "", .machine), (0x10, "", "x", .machine), (0x18, "i2c-1/input0", "", .machine),
            (0x1C, "", "", .machine), (0x1D, "", "", .machine),
            // Bluetooth: phys is the adapter's, and shared by every device.
            (0x05, "5c:f3:70:00:00:01", "aa:bb:cc:dd:ee:ff", .address("aa:bb:cc:dd:ee:ff")),
            (0x05, "5c:f3:70:00:00:01", "", .node("event7")),
            (0x05, "5c:f3:70:00:00:01/input0", "", .node("event7")),
            // Otherwise the port.
            (0x03, "usb-0000:00:14.0-2/input0", "", .port("usb-0000:00:14.0-2")),
            (0x03, "usb-0000:00:14.0-2/input12", "", .port("usb-0000:00:14.0-2")),
            (0x03, "usb-0000:00:14.0-2/input2:1", "", .port("usb-0000:00:14.0-2/input2:1")),
            (0x03, "usb-0000:00:14.0-2/input2:2", "", .port("usb-0000:00:14.0-2/input2:2")),
            (0x03, "usb-0000:00:14.0-2/input0", "serial", .port("usb-0000:00:14.0-2")),
            (0x06, "virtio0/input0", "", .port("virtio0")),
            (0x7F, "a/input0", "", .port("a")),
            // A `phys` of another form: the node alone.
            (0x03, "", "", .node("event7")), (0x03, "", "serial", .node("event7")),
            (0x06, "py-evdev-uinput", "", .node("event7")),
            (0x03, "usb-1/input", "", .node("event7")), (0x03, "usb-1/inputx", "", .node("event7")),
            (0x03, "usb-1/input0:", "", .node("event7")), (0x03, "usb-1/input:1", "", .node("event7")),
            (0x03, "usb-1/input0:1:2", "", .node("event7")), (0x03, "usb-1/input0/x", "", .node("event7")),
            (0x03, "/input0", "", .node("event7")), (0x03, "input0", "", .node("event7")),
            (0x03, "usb-1/input٣", "", .node("event7")), (0x03, "usb-1/INPUT0", "", .node("event7")),
        ] as [(UInt16, String, String, DeviceKey)])
    func `Nodes of one thing are one device`(bus: UInt16, phys: String, uniq: String, device: DeviceKey) {
        let identity = Self.identity(bus, phys: phys, uniq: uniq)
        #expect(DeviceKey(of: identity, node: "event7") == device)
    }

    /// (bus, phys, uniq, name, stable id)
    @Test(
        arguments: [
            (0x11, "isa0060/serio0/input0", "", "AT Keyboard", "machine"),
            (0x05, "5c:f3", "AA:bb:cc:dd:ee:ff", "Shutter", "bluetooth:046d:c52b:AA:bb:cc:dd:ee:ff"),
            (0x05, "5c:f3", "", "Shutter", "bluetooth:046d:c52b:Shutter:5c:f3"),
            (0x03, "usb-0-2/input0", "", "Knob", "usb:046d:c52b:usb-0-2"),
            (0x03, "usb-0-2/input0", "SN 7", "Knob", "usb:046d:c52b:SN_7"),
            (0x06, "", "", "My \"remote\"", "virtual:046d:c52b:My__remote_"),
            (0x06, "", "", "Fernbedienung für Käthe", "virtual:046d:c52b:Fernbedienung_f_r_K_the"),
            (0x7F, "", "", "X", "bus-7f:046d:c52b:X"),
            (0x03, "", "", "", "usb:046d:c52b"),
        ] as [(UInt16, String, String, String, Identifier)])
    func `A device has a name for ever`(
        bus: UInt16, phys: String, uniq: String, name: String, stableID: Identifier
    ) {
        let identity = Self.identity(bus, phys: phys, uniq: uniq, name: name)
        #expect(identity.stableID(of: DeviceKey(of: identity, node: "event7")) == stableID)
    }

    /// The node's number changes with the order of plugging in, so an id with it would not be lasting.
    @Test func `No name speaks of the node`() {
        for bus in UInt16(0)...0x30 {
            for phys in ["", "a/input0", "a/input0:1", "a"] {
                for uniq in ["", "u"] {
                    let identity = Self.identity(bus, phys: phys, uniq: uniq)
                    let ids = ["event7", "event12"].map {
                        identity.stableID(of: DeviceKey(of: identity, node: $0))
                    }
                    #expect(ids[0] == ids[1])
                    #expect(!ids[0].text.contains("event"))
                    #expect(!ids[0].text.contains(" "))
                }
            }
        }
    }

    /// (bus, in a word)
    @Test(
        arguments: [
            (0x03, "usb"), (0x05, "bluetooth"), (0x06, "virtual"), (0x11, "i8042"), (0x19, "host"),
            (0x00, "bus-00"), (0x04, "bus-04"), (0x7F, "bus-7f"), (0xFFFF, "bus-ffff"),
        ] as [(UInt16, String)])
    func `A bus has a word`(bus: UInt16, word: String) {
        #expect(DeviceIdentity(bus: bus, vendor: 0, product: 0, name: "x").busName == word)
    }
}
