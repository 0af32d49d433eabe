import CEvdev
import Glibc
import KeyProtocol
import TestSupport
import Testing

@testable import KeyServer
@testable import class KeyServer.InputNode

/// Which keys are down: of the kernel's answer, which has all keys, only the given ones are kept.
@Suite(.serialized) struct KeysDownTests {
    @Test func `Of the keys that are down only those that matter are kept`() throws {
        let device = try HIDRemote(name: "Keyboard", layout: .keyboard)
        let node = try NodeDescriptor(opening: device.node)
        try device.report(down: [.a, .volumeUp])
        let counted = KeyBits(KeyMeanings.volumeKeys.codes.map(\.code))
        let both = try node.keysDown(among: counted)
        #expect(both.codes == [115])
        try device.report(down: [.a])
        let letter = try node.keysDown(among: counted)
        #expect(letter.isEmpty)
    }

    /// Whether libevdev has it that a key is down.
    private func isKept(_ key: Key, in node: InputNode) -> Bool {
        libevdev_enable_event_code(node.evdev, UInt32(EV_KEY), UInt32(key.code), nil)
        return libevdev_get_event_value(node.evdev, UInt32(EV_KEY), UInt32(key.code)) != 0
    }

    @Test func `Of a letter that is down when a node is opened nothing is kept`() throws {
        let device = try HIDRemote(name: "Keyboard", layout: .keyboard)
        try device.report(down: [.a, .volumeUp])
        let node = try InputNode(opening: device.node, id: NodeID(rawValue: 1), meanings: .volumeKeys)
        #expect(isKept(.volumeUp, in: node))
        #expect(!isKept(.a, in: node))
    }

    @Test func `Nor of one that is down when the kernel has dropped events`() throws {
        let device = try HIDRemote(name: "Keyboard", layout: .keyboard)
        let node = try InputNode(opening: device.node, id: NodeID(rawValue: 1), meanings: .volumeKeys)
        try device.report(down: [.a])
        for _ in 0..<200 {
            try device.report(down: [.a, .volumeUp])
            try device.report(down: [.a])
        }
        try device.report(down: [.a, .volumeUp])
        var events: [NodeEvent] = []
        try node.read(into: &events)
        let isDropped = events.contains { if case .resynchronized = $0 { true } else { false } }
        #expect(isDropped, "\(events)")
        #expect(isKept(.volumeUp, in: node))
        #expect(!isKept(.a, in: node))
    }

    /// A library that notes each EVIOCGKEY.
    private static let recorder = """
        #include <fcntl.h>
        #include <linux/input.h>
        #include <stdarg.h>
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        extern "C" int ioctl(int file, unsigned long request, ...) {
            va_list rest;
            va_start(rest, request);
            void *argument = va_arg(rest, void *);
            va_end(rest);
            if (_IOC_TYPE(request) == 'E' && _IOC_NR(request) == _IOC_NR(EVIOCGKEY(0)) && _IOC_DIR(request) == _IOC_READ) {
                int log = open(getenv("ASKED"), O_WRONLY | O_CREAT | O_APPEND, 0600);
                (void)!write(log, "?", 1);
                close(log);
            }
            return (int)syscall(SYS_ioctl, file, request, argument);
        }
        """

    @Test
    func `Which keys are down is asked when a node is opened and intercepted, and not while somebody types`()
        throws
    {
        let rig = try Rig("Keyboard", .keyboard)
        for (name, value) in try rig.place.library("recorder", Self.recorder) {
            rig.place.environment[name] = value
        }
        for (intercept, state, most) in [("never", "shared", 1), ("auto", "exclusive", 3)] {
            let log = rig.place.directory + "/asked-\(intercept)"
            rig.place.environment["ASKED"] = log
            let listener = try rig.place.listen(["--intercept", intercept, "--device", rig.device.node])
            defer { listener.end() }
            try listener.waitForErrorLine("Keyboard: \(state)")
            for _ in 0..<50 {
                try rig.device.report(down: [.a])
                try rig.device.report(down: [])
            }
            try rig.device.press(.volumeUp)
            #expect(try listener.readLine() != nil, "what was typed before has been read")
            var status = stat()
            #expect(stat(log, &status) == 0 && 1...most ~= Int(status.st_size), "\(status.st_size) times")
        }
    }
}
