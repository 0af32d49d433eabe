import CEvdev

/// A key by its code in `<linux/input-event-codes.h>`.
package struct Key: Hashable, Sendable, CustomStringConvertible {
    package let code: UInt16

    package init(code: UInt16) { self.code = code }

    private init(_ code: Int32) { self.code = UInt16(code) }

    package static let volumeUp = Key(KEY_VOLUMEUP)
    package static let volumeDown = Key(KEY_VOLUMEDOWN)
    package static let mute = Key(KEY_MUTE)
    package static let playPause = Key(KEY_PLAYPAUSE)
    /// The second of the codes that volume keys are remapped to.
    package static let standIn = Key(KEY_MACRO2)
    package static let power = Key(KEY_POWER)
    package static let a = Key(KEY_A)
    package static let b = Key(KEY_B)
    package static let enter = Key(KEY_ENTER)
    package static let leftMouseButton = Key(BTN_LEFT)
    /// A key that nothing counts and no desktop binds: it marks a position in a stream of events.
    package static let marker = Key(KEY_MACRO30)

    /// Whether volume keys are remapped to this code; the marker, the last of these codes, is never needed for that.
    package var isStandIn: Bool { (UInt16(KEY_MACRO1)..<UInt16(KEY_MACRO30)).contains(code) }

    /// The kernel's name of the key, such as `KEY_VOLUMEUP`.
    package var description: String {
        libevdev_event_code_get_name(UInt32(EV_KEY), UInt32(code)).map { String(cString: $0) }
            ?? "KEY \(code)"
    }
}

/// A key event, as a reader of a node receives it.
package struct KeyEvent: Hashable, Sendable, CustomStringConvertible {
    /// The action: the event's value.
    package enum Action: Int32, Sendable {
        case up = 0
        case down = 1
        case autorepeat = 2
    }

    package let key: Key
    package let action: Action

    package static func down(_ key: Key) -> KeyEvent { KeyEvent(key: key, action: .down) }
    package static func up(_ key: Key) -> KeyEvent { KeyEvent(key: key, action: .up) }
    package static func autorepeat(_ key: Key) -> KeyEvent { KeyEvent(key: key, action: .autorepeat) }

    package var description: String { "\(key) \(action)" }
}

/// One event as the kernel delivers it, without its time stamp.
package struct RawEvent: Hashable, Sendable, CustomStringConvertible {
    package let type: UInt16
    package let code: UInt16
    package let value: Int32

    package init(type: UInt16, code: UInt16, value: Int32) {
        (self.type, self.code, self.value) = (type, code, value)
    }

    package static func capsLock(_ isLit: Bool) -> RawEvent {
        RawEvent(type: UInt16(EV_LED), code: UInt16(LED_CAPSL), value: isLit ? 1 : 0)
    }

    package var description: String { "\(type)/\(code)/\(value)" }

    package var key: Key? { Int32(type) == EV_KEY ? Key(code: code) : nil }
}
