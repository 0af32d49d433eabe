import CEvdev
import KeyProtocol

/// How a node's counted keys are kept from other programs while `counter` captures keys.
enum InterceptionMethod: Hashable, Sendable {
    /// The counted keys are mapped to codes that no program acts on. Other programs still receive all other keys.
    case remap
    /// EVIOCGRAB: no other program receives the node's events, nor with `alsoTakes` those of its other keys.
    case grab(alsoTakes: Bool)
    /// Not intercepted: its keys count, and the system acts on them too.
    case shared(SharedReason)
}

/// The abilities of a node that decide how it is intercepted.
struct NodeAbilities: Hashable, Sendable {
    var countedKeys: CountedKeys
    var hasOtherKeys = false
    /// Whether the driver has a key map that can be changed (EVIOCGKEYCODE_V2 succeeds).
    var hasKeyMap = false
    /// Whether the key map has the counted keys, and there are codes to move them to.
    var canRemap = false
    /// What forbids a grab; `nil` if nothing does.
    var obstacle: SharedReason?

    /// The way to intercept the node that takes the least from other programs.
    var interceptionMethod: InterceptionMethod {
        if canRemap && hasOtherKeys { return .remap }
        if let obstacle { return .shared(obstacle) }
        if hasKeyMap && hasOtherKeys { return .shared(.otherKeys) }
        return .grab(alsoTakes: hasOtherKeys)
    }
}

extension NodeAbilities {
    /// Key codes that forbid a grab, by what it would break.
    enum Codes {
        static let letters = [
            UInt32(KEY_Q)...UInt32(KEY_P), UInt32(KEY_A)...UInt32(KEY_L), UInt32(KEY_Z)...UInt32(KEY_M),
        ]
        static let pointerButtons = [UInt32(BTN_LEFT)...UInt32(BTN_TASK)]
        static let system = [
            KEY_POWER, KEY_SLEEP, KEY_SUSPEND, KEY_WAKEUP, KEY_BRIGHTNESSDOWN, KEY_BRIGHTNESSUP, KEY_RFKILL,
            KEY_WLAN,
        ].map { UInt32($0)...UInt32($0) }
    }

    /// Finds what forbids a grab, worst first. `hasType` asks for an `EV_…`, `hasCode` for a code of one.
    static func obstacle(
        hasType: (UInt32) -> Bool, hasCode: (_ type: UInt32, _ code: UInt32) -> Bool
    ) -> SharedReason? {
        func hasKey(in ranges: [ClosedRange<UInt32>]) -> Bool {
            ranges.contains { $0.contains { hasCode(UInt32(EV_KEY), $0) } }
        }
        if hasKey(in: Codes.letters) { return .keyboard }
        let axes = [
            (EV_REL, REL_X), (EV_REL, REL_Y), (EV_ABS, ABS_X), (EV_ABS, ABS_Y), (EV_ABS, ABS_MT_SLOT),
            (EV_ABS, ABS_MT_POSITION_X),
        ]
        let points = axes.contains { hasCode(UInt32($0.0), UInt32($0.1)) }
        if points || hasKey(in: Codes.pointerButtons) { return .pointer }
        if hasType(UInt32(EV_SW)) { return .switches }
        if hasType(UInt32(EV_FF)) { return .forceFeedback }
        return hasKey(in: Codes.system) ? .systemKeys : nil
    }
}
