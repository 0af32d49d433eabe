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
        for (name, text) in tools {
            try folder.write(name, "#!/bin/sh\n\(text)\n")
            chmod(folder.path(of: name), 0o755)
        }
        return try ChildProcess.run([
            "sh", "-c",
            "sed 's|/usr/libexec/counter/counter-keys|'\"$1\"'|' packaging/debian/prerm | PATH=\"$0:$PATH\" sh -s remove",
            folder.path, BuiltProducts.counterKeys,
        ])
    }

    @Test func `Removing it restores what a user's own server left`() throws {
        let device = try HIDRemote(.init(name: "Some Device", layout: .singleSlot))
        defer { device.destroy() }
        chmod(device.node, 0o666)
        let original = try KeyMapCopy(node: device.node)
        let place = try Workplace()
        let listener = try ChildProcess(
            asNobody + [BuiltProducts.counter, "listen"], environment: place.letNobodyIn())
        defer { listener.end() }
        try listener.waitForErrorLine("Some Device: exclusive")
        try killBoth(listener)
        #expect(try KeyMapCopy(node: device.node) != original)
        #expect(try remove(home: place.directory) == .init(status: .exited(0), output: "", errors: ""))
        #expect(try KeyMapCopy(node: device.node) == original)
    }

    @Test func `Removing it restores what root's own server left`() throws {
        let device = try HIDRemote(.init(name: "Some Device", layout: .singleSlot))
        defer { device.destroy() }
        let original = try KeyMapCopy(node: device.node)
        let listener = try Workplace().listen()
        defer { listener.end() }
        try listener.waitForErrorLine("Some Device: exclusive")
        try killBoth(listener)
        #expect(try remove(home: "/none") == .init(status: .exited(0), output: "", errors: ""))
        #expect(try KeyMapCopy(node: device.node) == original)
    }
}
