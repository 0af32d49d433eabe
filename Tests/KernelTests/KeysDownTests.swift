import CEvdev
import Glibc
import KeyProtocol
import TestSupport
import Testing

@testable import KeyServer
@testable import class KeyServer.InputNode

/// What a node is asked and told: which keys are down, of which only the given ones are kept, and that a frame ends.
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

    /// A library that notes each EVIOCGKEY, and each end of a frame that is written to a node.
    private static let recorder = """
        #include <fcntl.h>
        #include <linux/input.h>
        #include <stdarg.h>
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <unistd.h>
        static void note(char sign) {
            int log = open(getenv("NOTES"), O_WRONLY | O_CREAT | O_APPEND, 0600);
            syscall(SYS_write, log, &sign, 1);
            close(log);
        }
        extern "C" ssize_t write(int file, const void *bytes, size_t size) {
            const struct input_event *event = (const struct input_event *)bytes;
            if (size == sizeof *event && event->type == EV_SYN && event->code == SYN_REPORT && event->input_event_sec == 0)
                note('.');
            return syscall(SYS_write, file, bytes, size);
        }
        extern "C" int ioctl(int file, unsigned long request, ...) {
            va_list rest;
            va_start(rest, request);
            void *argument = va_arg(rest, void *);
            va_end(rest);
            if (_IOC_TYPE(request) == 'E' && _IOC_NR(request) == _IOC_NR(EVIOCGKEY(0)) && _IOC_DIR(request) == _IOC_READ)
                note('?');
            return (int)syscall(SYS_ioctl, file, request, argument);
        }
        """

    /// What the programs with the recorder do to a device, a sign for each note.
    private func notes(
        of rig: Rig<some PluggedDevice>, _ options: [String], until state: String, _ body: () throws -> Void
    )
        throws -> String
    {
        for (name, value) in try rig.place.library("recorder", Self.recorder) {
            rig.place.environment[name] = value
        }
        let log = rig.place.directory + "/notes"
        rig.place.environment["NOTES"] = log
        let listener = try rig.place.listen(options + ["--device", rig.device.node])
        defer { listener.end() }
        try listener.waitForErrorLine("Keyboard: \(state)")
        try body()
        // All that came before the second press has been read when it counts.
        for _ in 1...2 {
            try rig.press(.volumeUp)
            pause(.apart)
            #expect(try listener.readLine() != nil)
        }
        return try ChildProcess.run(["cat", log]).output
    }

    @Test(arguments: [("never", "shared", 1), ("auto", "exclusive", 3)])
    func `Which keys are down is asked when a node is opened and intercepted, and not while somebody types`(
        intercept: String, state: String, most: Int
    ) throws {
        let rig = try Rig("Keyboard", .keyboard)
        let notes = try notes(of: rig, ["--intercept", intercept], until: state) {
            for _ in 0..<50 {
                try rig.device.report(down: [.a])
                try rig.device.report(down: [])
            }
        }
        #expect(1...most ~= notes.count { $0 == "?" }, "\(notes)")
    }

    @Test
    func
        `A frame that may be open is ended when a node begins to be shared or intercepted, and not whenever it changes`()
        throws
    {
        func ends(_ rig: Rig<some PluggedDevice>, _ intercept: String, _ state: String = "shared") throws
            -> Int
        {
            let notes = try notes(of: rig, ["--intercept", intercept], until: state) {
                for mode in [0o640, 0o600, 0o660] as [mode_t] { chmod(rig.device.node, mode) }
            }
            return notes.count { $0 == "." }
        }
        #expect(try ends(Rig("Keyboard", .keyboard), "never") == 1)
        // A uinput device has no key map, and a grab would take its letters.
        #expect(try ends(Rig("Keyboard", keys: [.a, .volumeUp, .volumeDown]), "auto") == 1)
        // Once more before its keys are remapped: the node may have waited for keys that were down.
        #expect(try ends(Rig("Keyboard", .keyboard), "auto", "exclusive") == 2)
    }
}
