import CEvdev
import Glibc
import TestSupport
import Testing

/// How the package's scripts restore key maps.
@Suite(.serialized) struct PackageTests {
    /// Runs the package's `prerm remove` with the executable under test, on a machine with one user, whose home is
    /// `home`, and without a service.
    private func remove(home: String) throws -> ChildProcess.Outcome {
        let folder = try ScratchFolder()
        let tools = [
            "getent": "echo 'somebody:x:65534:65534::\(home):/bin/sh'", "deb-systemd-invoke": "true",
        ]
        for (name, text) in tools { try folder.script(name, text) }
        return try ChildProcess.run([
            "sh", "-c",
            "sed 's|/usr/libexec/counter/counter-keys|'\"$1\"'|' packaging/debian/prerm | PATH=\"$0:$PATH\" sh -s remove",
            folder.path, BuiltProducts.counterKeys,
        ])
    }

    @Test func `Removing it restores what a user's own server left, and root's`() throws {
        let rig = try Rig("Some Device", .singleSlot)
        try killBoth(try rig.listenAsNobody())
        let roots = try Rig("Root's Device", .singleSlot)
        try killBoth(try roots.listen(["--device", roots.device.node]))
        #expect(try rig.isRemapped && roots.isRemapped)
        #expect(try remove(home: rig.place.directory) == .init(status: .exited(0), output: "", errors: ""))
        #expect(try !rig.isRemapped && !roots.isRemapped)
    }
}

/// The udev rule gives the user at the seat access to devices with a volume key and no letters, and to nothing else.
@Suite(.serialized) struct UdevRuleTests {
    /// A device, and whether the rule is to open it.
    struct Case: CustomTestStringConvertible {
        let name: String
        let keys: [Key]
        let isOpened: Bool
        var testDescription: String { name }
    }

    static let letters =
        [KEY_Q...KEY_P, KEY_A...KEY_L, KEY_Z...KEY_M].joined().map { Key(code: UInt16($0)) }

    static let cases = [
        Case(name: "a remote", keys: [.volumeUp, .volumeDown, .mute], isOpened: true),
        Case(name: "a shutter with one key", keys: [.volumeUp], isOpened: true),
        Case(name: "volume down and a high code", keys: [.volumeDown, .marker], isOpened: true),
        Case(
            name: "a remote with digits, arrows, Enter, brackets, semicolon and comma",
            keys: [KEY_1, KEY_0, KEY_ENTER, KEY_UP, KEY_LEFTBRACE, KEY_SEMICOLON, KEY_COMMA, KEY_VOLUMEUP]
                .map { Key(code: UInt16($0)) }, isOpened: true),
        Case(name: "no volume key", keys: [.mute, .playPause], isOpened: false),
        // 0x172 and 0x173 end in the volume keys' codes.
        Case(name: "codes that look alike", keys: [Key(code: 0x172), Key(code: 0x173)], isOpened: false),
    ]

    static let lettered = Volume.of(sample: 5, full: letters).map { letter in
        Case(name: "volume keys and \(letter)", keys: [letter, .volumeUp, .volumeDown], isOpened: false)
    }

    @Test(arguments: cases + lettered)
    func `The rule opens it to the seat, or not`(device: Case) throws {
        let remote = try VirtualRemote(.init(name: "Rule Device", keys: device.keys))
        forgetEarlierDevices()
        try expect(remote.node, isOpened: device.isOpened, on: "add")
    }

    @Test func `What is swapped for the moment stays opened, whatever is triggered meanwhile`() throws {
        let remote = try HIDRemote(name: "Swapped Device", layout: .consumerControl)
        forgetEarlierDevices()
        try expect(remote.node, isOpened: true, on: "add")
        let listener = try Workplace().listen(until: "Swapped Device: exclusive")
        defer { listener.end() }
        for action in ["change", "add"] { try expect(remote.node, isOpened: true, on: action) }
    }

    /// No udev daemon runs here, so devices that are gone stay in udev's database, and another device may get the
    /// same number.
    private func forgetEarlierDevices() {
        for file in entries(of: "/run/udev/data") { unlink("/run/udev/data/" + file) }
    }

    private func expect(
        _ node: String, isOpened: Bool, on action: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let rule = "udev/70-counter.rules"
        _ = try ChildProcess.run(["install", "-D", "-m", "644", rule, "/run/udev/rules.d/70-counter.rules"])
        let path = "/sys/class/input/" + node.split(separator: "/")[2]
        let outcome = try ChildProcess.run(["udevadm", "test", "--action=\(action)", path])
        #expect(outcome.status == .exited(0), sourceLocation: sourceLocation)
        // TAGS has the tags of earlier devices of the same number too; CURRENT_TAGS does not.
        let tags = outcome.output.split(separator: "\n").first { $0.hasPrefix("CURRENT_TAGS=") } ?? ""
        #expect(
            tags.contains(":uaccess:") == isOpened, "\(outcome.output)", sourceLocation: sourceLocation)
    }
}
