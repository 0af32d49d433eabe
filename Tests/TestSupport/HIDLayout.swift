/// The keys of a ``HIDRemote`` and its report format: the kernel creates very different nodes for each.
package enum HIDLayout: CaseIterable, Sendable {
    /// A full keyboard with letters and volume keys: the boot protocol, up to 6 keys at a time, and five LEDs.
    case keyboard
    /// Volume, mute and play keys, one bit for each, so any combination can be down.
    case consumerControl
    /// The same keys in one slot, as in cheap remotes: when a second key goes down, the first goes up in the same frame.
    case singleSlot

    /// The HID report descriptor; see "HID Usage Tables" for the numbers.
    var descriptor: [UInt8] {
        switch self {
        case .keyboard:
            [0x05, 0x01, 0x09, 0x06, 0xA1, 0x01]  // generic desktop, keyboard, application
                + [0x05, 0x07, 0x19, 0xE0, 0x29, 0xE7]  // modifiers: 8 bits
                + [0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x08, 0x81, 0x02]
                + [0x75, 0x08, 0x95, 0x01, 0x81, 0x01]  // a reserved byte
                + [0x19, 0x00, 0x29, 0x81, 0x15, 0x00, 0x26, 0x81, 0x00]  // 6 keys, up to Volume Down
                + [0x75, 0x08, 0x95, 0x06, 0x81, 0x00]
                + [0x05, 0x08, 0x19, 0x01, 0x29, 0x05]  // LEDs: one bit for each; Caps Lock is the second
                + [0x25, 0x01, 0x75, 0x01, 0x95, 0x05, 0x91, 0x02]
                + [0x75, 0x03, 0x95, 0x01, 0x91, 0x01, 0xC0]  // padding to a whole byte
        case .consumerControl:
            [0x05, 0x0C, 0x09, 0x01, 0xA1, 0x01]  // consumer, consumer control, application
                + [0x09, 0xE9, 0x09, 0xEA, 0x09, 0xE2, 0x09, 0xCD]  // one bit each, in the order of `bits`
                + [0x15, 0x00, 0x25, 0x01, 0x75, 0x01, 0x95, 0x04, 0x81, 0x02]
                + [0x75, 0x04, 0x95, 0x01, 0x81, 0x01, 0xC0]  // padding to a whole byte
        case .singleSlot:
            [0x05, 0x0C, 0x09, 0x01, 0xA1, 0x01]  // consumer, consumer control, application
                + [0x1A, 0x01, 0x00, 0x2A, 0xFF, 0x02, 0x16, 0x01, 0x00, 0x26, 0xFF, 0x02]  // 1 to 0x2FF
                + [0x75, 0x10, 0x95, 0x01, 0x81, 0x00, 0xC0]
        }
    }

    /// The report for the keys that are down, in the order in which they went down. Keys that the device does not have
    /// are left out.
    func report(down keys: [Key]) -> [UInt8] {
        switch self {
        case .keyboard:
            let pressed = keys.compactMap { Self.keyboardUsages[$0] }.prefix(6)
            return [0, 0] + pressed + Array(repeating: 0, count: 6 - pressed.count)
        case .consumerControl:
            return [keys.compactMap { Self.bits[$0] }.reduce(0) { $0 | 1 << $1 }]
        case .singleSlot:
            return [keys.last.flatMap { Self.consumerUsages[$0] } ?? 0, 0]
        }
    }

    private static let keyboardUsages: [Key: UInt8] = [
        .a: 0x04, .b: 0x05, .enter: 0x28, .power: 0x66, .mute: 0x7F, .volumeUp: 0x80, .volumeDown: 0x81,
    ]
    private static let consumerUsages: [Key: UInt8] = [
        .playPause: 0xCD, .mute: 0xE2, .volumeUp: 0xE9, .volumeDown: 0xEA,
    ]
    private static let bits: [Key: UInt8] = [.volumeUp: 0, .volumeDown: 1, .mute: 2, .playPause: 3]
}
