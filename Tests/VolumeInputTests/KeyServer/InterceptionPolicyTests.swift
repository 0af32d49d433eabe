import Testing

@testable import KeyProtocol
@testable import KeyServer

@Suite struct InterceptionPolicyTests {
    /// A node with these codes only.
    private struct Node {
        var keys: [UInt32] = []
        var other: [(type: UInt32, code: UInt32)] = []

        var obstacle: SharedReason? {
            NodeAbilities.obstacle(
                hasType: { type in type == 1 ? !keys.isEmpty : other.contains { $0.type == type } },
                hasCode: { type, code in
                    type == 1 ? keys.contains(code) : other.contains { $0.type == type && $0.code == code }
                })
        }
    }

    private static let volume: [UInt32] = [114, 115]

    @Test func `Volume and media keys may be taken`() {
        #expect(Node(keys: Self.volume).obstacle == nil)
        // Mute, play, next, previous, stop, home page, a digit, space, BTN_0.
        #expect(Node(keys: Self.volume + [113, 164, 163, 165, 166, 172, 2, 57, 0x100]).obstacle == nil)
        #expect(Node(keys: Self.volume, other: [(4, 4), (17, 0)]).obstacle == nil, "MSC_SCAN, LEDs")
        #expect(Node(keys: Self.volume, other: [(2, 8)]).obstacle == nil, "a wheel moves no pointer")
    }

    @Test func `Every letter makes a keyboard`() {
        let letters = Array(UInt32(16)...25) + Array(30...38) + Array(44...50)
        #expect(letters.count == 26)
        for letter in letters { #expect(Node(keys: Self.volume + [letter]).obstacle == .keyboard) }
        for other in [15, 26, 29, 39, 43, 51] as [UInt32] {
            #expect(Node(keys: Self.volume + [other]).obstacle == nil)
        }
    }

    /// (type, code): REL_X, REL_Y, ABS_X, ABS_Y, ABS_MT_SLOT, ABS_MT_POSITION_X.
    @Test(arguments: [(2, 0), (2, 1), (3, 0), (3, 1), (3, 0x2F), (3, 0x35)] as [(UInt32, UInt32)])
    func `What moves a pointer stays`(type: UInt32, code: UInt32) {
        #expect(Node(keys: Self.volume, other: [(type, code)]).obstacle == .pointer)
    }

    @Test func `Pointer buttons stay`() {
        for button in UInt32(0x110)...0x117 {
            #expect(Node(keys: Self.volume + [button]).obstacle == .pointer)
        }
        #expect(Node(keys: Self.volume + [0x10F]).obstacle == nil)
        #expect(Node(keys: Self.volume + [0x118]).obstacle == nil)
    }

    @Test func `Switches and force feedback stay`() {
        #expect(Node(keys: Self.volume, other: [(5, 0)]).obstacle == .switches)
        #expect(Node(keys: Self.volume, other: [(0x15, 0x50)]).obstacle == .forceFeedback)
    }

    /// Power, sleep, suspend, wake-up, brightness down and up, rfkill, WLAN.
    @Test(arguments: [116, 142, 205, 143, 224, 225, 247, 238] as [UInt32])
    func `What must always work stays`(code: UInt32) {
        #expect(Node(keys: Self.volume + [code]).obstacle == .systemKeys)
    }

    @Test func `The worst is named`() {
        let everything = Node(keys: [16, 0x110, 116, 115], other: [(2, 0), (5, 0), (0x15, 0x50)])
        #expect(everything.obstacle == .keyboard)
        #expect(Node(keys: [0x110, 116], other: [(5, 0)]).obstacle == .pointer)
        #expect(Node(keys: [116], other: [(5, 0), (0x15, 0x50)]).obstacle == .switches)
        #expect(Node(keys: [116], other: [(0x15, 0x50)]).obstacle == .forceFeedback)
    }

    @Test(arguments: SharedReason.allCases)
    func `An obstacle keeps a node shared`(reason: SharedReason) {
        let abilities = NodeAbilities(countedKeys: CountedKeys(.up), obstacle: reason)
        #expect(abilities.interceptionMethod == .shared(reason))
    }

    @Test func `What is taken is said`() {
        func method(otherKeys: Bool, keyMap: Bool) -> InterceptionMethod {
            NodeAbilities(countedKeys: CountedKeys(.up), hasOtherKeys: otherKeys, hasKeyMap: keyMap)
                .interceptionMethod
        }
        #expect(method(otherKeys: false, keyMap: false) == .grab(alsoTakes: false))
        #expect(method(otherKeys: false, keyMap: true) == .grab(alsoTakes: false))
        #expect(method(otherKeys: true, keyMap: false) == .grab(alsoTakes: true))
        #expect(method(otherKeys: true, keyMap: true) == .shared(.otherKeys))
    }
}
