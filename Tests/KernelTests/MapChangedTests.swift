import Glibc
import TestSupport
import Testing

@testable import KeyServer

/// A key map that another program changes while its volume keys are remapped, as udev's hwdb does after `udevadm
/// trigger`.
@Suite(.serialized) struct MapChangedTests {
    @Test func `After a change of attributes the map is looked at again`() throws {
        let device = try HIDRemote(.init(name: "Keyboard", layout: .keyboard))
        defer { device.destroy() }
        let original = try KeyMapCopy(node: device.node)
        let place = try Workplace()
        let listener = try place.listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Keyboard: exclusive")
        // A client that a busy machine stops for half a second intercepts nothing for a moment, so the map is read
        // until it is remapped.
        var remapped = original
        try eventually("the volume keys to be moved away") {
            remapped = try KeyMapCopy(node: device.node)
            return remapped != original
        }

        let node = try NodeDescriptor(opening: device.node)
        for entry in node.keyMap() where RemappedKey.standIns.contains(entry.code) {
            let code = entry.code == RemappedKey.standIns.lowerBound ? UInt16(115) : 114
            try node.set(KeyMapEntry(scanCode: entry.scanCode, code: code))
        }
        chmod(device.node, 0o640)
        try eventually("the volume keys to be moved away again") {
            try KeyMapCopy(node: device.node) == remapped
        }
        let reader = try SecondReader(node: device.node)
        try device.press(.volumeUp)
        try listener.expectLines(["1"])
        #expect(!(try reader.take()).contains { $0.key == .volumeUp })
    }
}
