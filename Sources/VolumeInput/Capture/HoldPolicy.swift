import CEvdev

/// How the system is kept from acting on a source's counted keys while the program is in front.
public enum HoldMethod: Hashable, Sendable {
    /// Moving the counted keys of its key map to codes that nobody acts on. All other keys stay everybody's.
    case swap
    /// EVIOCGRAB: nobody else hears the node. `alsoTakes`: it carries other keys, which are silent too.
    case grab(alsoTakes: Bool)
    /// Not at all: it counts, and the system's volume moves too.
    case shared(SharedReason)
}

/// Why a node stays shared.
public enum SharedReason: UInt8, CaseIterable, Sendable {
    /// It is a keyboard, which a grab would silence.
    case keyboard
    /// It moves a pointer or draws.
    case pointer
    /// It carries switches, such as a lid or a docking station.
    case switches
    /// It has force feedback.
    case forceFeedback
    /// It carries keys that must always work: power, sleep, brightness, radio.
    case systemKeys
    /// It carries other keys, which a grab would silence.
    case otherKeys
    /// Another program holds it; nothing is heard until that lets go.
    case heldElsewhere
    /// `--intercept never`.
    case asConfigured
    /// The program is in the background.
    case inBackground
    /// A key of it is down; it is held once all are up.
    case waitingForRelease
    /// The kernel refused.
    case refused
    /// There is no directory in which a swap could be written down, so that a crash could be mended.
    case noRuntimeDirectory
    /// Another user is in the foreground of the device's seat.
    case otherUser
    /// The device belongs to a seat where this user is not in the foreground: nothing of it is told.
    case otherSeat
}

/// What of a node's abilities the decision rests on.
public struct NodeAbilities: Hashable, Sendable {
    /// The counted keys that it has.
    public var countedKeys: CountedKeys
    /// It has keys that do not count.
    public var hasOtherKeys: Bool
    /// The driver has a key map that can be changed (EVIOCGKEYCODE_V2 answers).
    public var hasKeyMap: Bool
    /// The key map has the counted keys, and there are codes to move them to.
    public var canSwap: Bool
    /// What forbids a grab; `nil` where nothing does.
    public var obstacle: SharedReason?

    /// Abilities from their parts.
    public init(
        countedKeys: CountedKeys, hasOtherKeys: Bool = false, hasKeyMap: Bool = false,
        canSwap: Bool = false, obstacle: SharedReason? = nil
    ) {
        self.countedKeys = countedKeys
        self.hasOtherKeys = hasOtherKeys
        self.hasKeyMap = hasKeyMap
        self.canSwap = canSwap
        self.obstacle = obstacle
    }

    /// The way to hold the node that takes nothing from anybody.
    public var holdMethod: HoldMethod {
        if canSwap && hasOtherKeys { return .swap }
        if let obstacle { return .shared(obstacle) }
        if hasKeyMap && hasOtherKeys { return .shared(.otherKeys) }
        return .grab(alsoTakes: hasOtherKeys)
    }
}

extension NodeAbilities {
    /// Key codes that the decision looks at, by what a grab of them would break.
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

    /// Finds what forbids a grab, worst first.
    ///
    /// - Parameters:
    ///   - hasType: whether the node has an event type (`EV_…`).
    ///   - hasCode: whether it has a code of a type.
    /// - Returns: `nil` where nothing forbids it.
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
