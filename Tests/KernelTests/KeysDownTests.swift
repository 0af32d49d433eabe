import KeyProtocol
import TestSupport
import Testing

@testable import KeyServer

/// Which keys are down: of the kernel's answer, which has all keys, only the given ones are kept.
@Suite(.serialized) struct KeysDownTests {
    @Test func `Of the keys that are down only those that matter are kept`() throws {
        let device = try HIDRemote(.init(name: "Keyboard", layout: .keyboard))
        defer { device.destroy() }
        let node = try NodeDescriptor(opening: device.node)
        try device.report(down: [.a, .volumeUp])
        let counted = KeyBits(KeyMeanings.volumeKeys.codes.map(\.code))
        let both = try node.keysDown(among: counted)
        #expect(both.codes == [115])
        try device.report(down: [.a])
        let letter = try node.keysDown(among: counted)
        #expect(letter.isEmpty)
    }
}
