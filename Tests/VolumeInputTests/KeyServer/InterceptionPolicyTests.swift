import Testing

@testable import KeyProtocol
@testable import KeyServer

@Suite struct InterceptionPolicyTests {
    /// What forbids a grab of a node with the volume keys, these keys, and these codes of other types.
    private func obstacle(
        _ keys: [UInt32], _ other: [(type: UInt32, code: UInt32)] = []
    ) -> SharedReason? {
        let keys = keys + [114, 115]
        return InterceptionMethod.obstacle(
            hasType: { type in type == 1 || other.contains { $0.type == type } },
            hasCode: { type, code in
                type == 1 ? keys.contains(code) : other.contains { $0.type == type && $0.code == code }
            })
    }

    @Test func `Volume and media keys may be taken`() {
        #expect(obstacle([]) == nil)
        // Mute, play, next, previous, stop, home page, a digit, space, BTN_0.
        #expect(obstacle([113, 164, 163, 165, 166, 172, 2, 57, 0x100]) == nil)
        #expect(obstacle([], [(4, 4), (17, 0)]) == nil, "MSC_SCAN, LEDs")
        #expect(obstacle([], [(2, 8)]) == nil, "a wheel moves no pointer")
    }

    @Test func `Every letter makes a keyboard`() {
        let letters = Array(UInt32(16)...25) + Array(30...38) + Array(44...50)
        #expect(letters.count == 26)
        for letter in letters { #expect(obstacle([letter]) == .keyboard) }
        for other in [15, 26, 29, 39, 43, 51] as [UInt32] { #expect(obstacle([other]) == nil) }
    }

    @Test func `What points, switches, shakes and must always work stays`() {
        // REL_X, REL_Y, ABS_X, ABS_Y, ABS_MT_SLOT, ABS_MT_POSITION_X.
        let axes: [(type: UInt32, code: UInt32)] = [(2, 0), (2, 1), (3, 0), (3, 1), (3, 0x2F), (3, 0x35)]
        for axis in axes { #expect(obstacle([], [axis]) == .pointer) }
        for button in UInt32(0x110)...0x117 { #expect(obstacle([button]) == .pointer) }
        for button in [0x10F, 0x118] as [UInt32] { #expect(obstacle([button]) == nil) }
        #expect(obstacle([], [(5, 0)]) == .switches)
        #expect(obstacle([], [(0x15, 0x50)]) == .forceFeedback)
        // Power, sleep, suspend, wake-up, brightness down and up, rfkill, WLAN.
        for code in [116, 142, 205, 143, 224, 225, 247, 238] as [UInt32] {
            #expect(obstacle([code]) == .systemKeys)
        }
    }

    @Test func `The worst is named`() {
        #expect(obstacle([16, 0x110, 116], [(2, 0), (5, 0), (0x15, 0x50)]) == .keyboard)
        #expect(obstacle([0x110, 116], [(5, 0)]) == .pointer)
        #expect(obstacle([116], [(5, 0), (0x15, 0x50)]) == .switches)
        #expect(obstacle([116], [(0x15, 0x50)]) == .forceFeedback)
    }

    @Test(arguments: SharedReason.allCases)
    func `An obstacle keeps a node shared`(reason: SharedReason) {
        #expect(InterceptionMethod(obstacle: reason) == .shared(reason))
    }

    @Test func `What is taken is said`() {
        func method(otherKeys: Bool, keyMap: Bool) -> InterceptionMethod {
            InterceptionMethod(hasOtherKeys: otherKeys, hasKeyMap: keyMap)
        }
        #expect(method(otherKeys: false, keyMap: false) == .grab(alsoTakes: false))
        #expect(method(otherKeys: false, keyMap: true) == .grab(alsoTakes: false))
        #expect(method(otherKeys: true, keyMap: false) == .grab(alsoTakes: true))
        #expect(method(otherKeys: true, keyMap: true) == .shared(.otherKeys))
    }
}
