import Linux

/// How a device identifies itself: what EVIOCGID, EVIOCGNAME, EVIOCGPHYS and EVIOCGUNIQ return for a node.
struct DeviceIdentity: Hashable, Sendable {
    /// A `BUS_…` number of `<linux/input.h>`.
    var bus: UInt16
    var vendor: UInt16
    var product: UInt16
    /// The name for display; any bytes that the device sends.
    var name: String
    /// Where it is attached, such as `usb-0000:00:14.0-2/input0`; empty if the driver does not say.
    var phys = ""
    /// A serial number or Bluetooth address; empty for most devices.
    var uniq = ""

    /// The bus in a word: `usb`, `bluetooth`, … or its number in hexadecimal.
    var busName: String { Bus(rawValue: bus).map { "\($0)" } ?? "bus-" + Self.hex(bus, width: 2) }

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
    var isBuiltIn: Bool { ![.pci, .usb, .bluetooth, .virtual].contains(self) }
}

/// The input device that a node belongs to: nodes with an equal key are one device.
enum DeviceKey: Hashable, Sendable {
    /// The machine's own keys, on any number of nodes.
    case machine
    case address(String)
    case port(String)
    /// A node by its file name, if nothing shows which nodes belong together.
    case node(String)

    /// `node` is its file name, such as `event7`.
    init(of identity: DeviceIdentity, node: String) {
        let bus = Bus(rawValue: identity.bus)
        if bus?.isBuiltIn == true {
            self = .machine
        } else if bus == .bluetooth {
            self = identity.uniq.isEmpty ? .node(node) : .address(identity.uniq)
        } else if let port = Self.port(in: identity.phys) {
            self = .port(port)
        } else {
            self = .node(node)
        }
    }

    /// The part before `/inputN`, or all of a text that ends in `/inputN:M`: receivers number their devices so.
    private static func port(in phys: String) -> String? {
        guard let slash = phys.lastIndex(of: "/"), slash != phys.startIndex else { return nil }
        let tail = phys[phys.index(after: slash)...]
        guard tail.hasPrefix("input") else { return nil }
        let numbers = tail.dropFirst(5).split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(numbers.count), numbers.allSatisfy(isNumber) else { return nil }
        return numbers.count == 1 ? String(phys[..<slash]) : String(phys)
    }

    private static func isNumber(_ text: Substring) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isASCII && $0.isNumber }
    }
}

extension DeviceIdentity {
    /// The lasting name of an input device, the deviceId of entries. It survives replugging.
    ///
    /// It is made of bus, vendor and product, then of `uniq`; without `uniq`, of where the device is attached, and
    /// for a single node of its name too. All the machine's own keys are `machine`.
    func stableID(of key: DeviceKey) -> Identifier {
        let model = [busName, Self.hex(vendor), Self.hex(product)]
        switch key {
        case .machine: return "machine"
        case .address(let address): return Self.join(model + [address])
        case .port(let port): return Self.join(model + [uniq.isEmpty ? port : uniq])
        case .node: return Self.join(model + (uniq.isEmpty ? [name, phys] : [uniq]))
        }
    }

    /// Joins the parts with colons; characters that shells and tables treat specially become underscores.
    private static func join(_ parts: [String]) -> Identifier {
        Identifier(
            parts.filter { !$0.isEmpty }.map { part in
                String(
                    part.map { $0.isASCII && ($0.isLetter || $0.isNumber || "._-:/".contains($0)) ? $0 : "_" }
                )
            }.joined(separator: ":"))
    }
}
