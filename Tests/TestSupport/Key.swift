import CEvdev

/// A key by its code in `<linux/input-event-codes.h>`.
public struct Key: Hashable, Sendable, CustomStringConvertible {
    /// The code.
    public let code: UInt16

    /// - Parameter code: One of the `KEY_…` and `BTN_…` codes.
    public init(code: UInt16) { self.code = code }

    private init(_ code: Int32) { self.code = UInt16(code) }

    public static let volumeUp = Key(KEY_VOLUMEUP)
    public static let volumeDown = Key(KEY_VOLUMEDOWN)
    public static let mute = Key(KEY_MUTE)
    public static let playPause = Key(KEY_PLAYPAUSE)
    public static let power = Key(KEY_POWER)
    public static let a = Key(KEY_A)
    public static let b = Key(KEY_B)
    public static let enter = Key(KEY_ENTER)
    public static let leftMouseButton = Key(BTN_LEFT)
    /// A key that nothing counts and no desktop binds: to mark a place in a stream of events.
    public static let marker = Key(KEY_MACRO30)

    /// The kernel's name of it, like `KEY_VOLUMEUP`.
    public var description: String {
        libevdev_event_code_get_name(UInt32(EV_KEY), UInt32(code)).map { String(cString: $0) } ?? "KEY \(code)"
    }
}

/// What a reader of a node is told about a key.
public struct KeyEvent: Hashable, Sendable, CustomStringConvertible {
    /// What happened to it: the event's value.
    public enum Action: Int32, Sendable {
        case up = 0
        case down = 1
        case autorepeat = 2
    }

    /// The key.
    public let key: Key
    /// What happened to it.
    public let action: Action

    /// The key went down.
    public static func down(_ key: Key) -> KeyEvent { KeyEvent(key: key, action: .down) }
    /// The key went up.
    public static func up(_ key: Key) -> KeyEvent { KeyEvent(key: key, action: .up) }
    /// The kernel repeated the key.
    public static func autorepeat(_ key: Key) -> KeyEvent { KeyEvent(key: key, action: .autorepeat) }

    public var description: String { "\(key) \(action)" }
}
