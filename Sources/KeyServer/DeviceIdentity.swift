/// How a device identifies itself: what EVIOCGID, EVIOCGNAME, EVIOCGPHYS and EVIOCGUNIQ return for a node.
package struct DeviceIdentity: Hashable, Sendable {
    /// A `BUS_…` number of `<linux/input.h>`.
    package var bus: UInt16
    /// The vendor's number on this bus.
    package var vendor: UInt16
    /// The vendor's number for the product.
    package var product: UInt16
    /// The name for display; any bytes that the device sends.
    package var name: String
    /// Where it is attached, such as `usb-0000:00:14.0-2/input0`; empty if the driver does not say.
    package var phys: String
    /// A serial number or Bluetooth address; empty for most devices.
    package var uniq: String

    /// An identity from its parts.
    package init(
        bus: UInt16, vendor: UInt16, product: UInt16, name: String, phys: String = "", uniq: String = ""
    ) {
        self.bus = bus
        self.vendor = vendor
        self.product = product
        self.name = name
        self.phys = phys
        self.uniq = uniq
    }

    /// The bus in a word: `usb`, `bluetooth`, … or its number in hexadecimal.
    package var busName: String { Bus(rawValue: bus).map { "\($0)" } ?? "bus-" + Self.hex(bus, width: 2) }

    static func hex(_ value: UInt16, width: Int = 4) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// The buses of `<linux/input.h>` that matter here.
enum Bus: UInt16 {
    case pci = 0x01
    case usb = 0x03
    case bluetooth = 0x05
    case virtual = 0x06
    case isa = 0x10
    case i8042 = 0x11
    case xtkbd = 0x12
    case adb = 0x17
    case i2c = 0x18
    case host = 0x19
    case spi = 0x1C
    case rmi = 0x1D
    case ishtp = 0x1F
    case sfh = 0x20

    /// Devices on this bus are part of the machine itself.
    var isBuiltIn: Bool {
        switch self {
        case .isa, .i8042, .xtkbd, .adb, .i2c, .host, .spi, .rmi, .ishtp, .sfh: true
        case .pci, .usb, .bluetooth, .virtual: false
        }
    }
}
