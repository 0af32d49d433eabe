import Glibc
import TestSupport
import Testing

/// What `make install` puts in place works from there, and `make uninstall` takes it away.
@Suite struct InstallTests {
    @Test func `The installed program finds its key server, and leaves nothing behind`() throws {
        let place = try Workplace.deaf()
        let root = place.directory + "/root"
        let built = String(BuiltProducts.counter.dropLast("/counter".count))
        func tree(_ action: String) throws -> ChildProcess.Outcome {
            try ChildProcess.run([
                "scripts/install-tree", action, root, "/usr/local", "/usr/lib/udev/rules.d", built,
            ])
        }
        let files = [
            "/usr/local/bin/counter": "755", "/usr/local/libexec/counter/counter-keys": "755",
            "/usr/lib/udev/rules.d/70-counter.rules": "644",
        ]
        #expect(try tree("install").status == .exited(0))
        for (file, mode) in files {
            let outcome = try ChildProcess.run(["stat", "-c", "%a", root + file])
            #expect(outcome.output == mode + "\n", "\(file): \(outcome.errors)")
        }
        let program = root + "/usr/local/bin/counter"
        let devices = try ChildProcess.run([program, "devices"], environment: place.environment)
        #expect(devices.status == .exited(0))
        #expect(try ChildProcess.run([program, "add"], environment: place.environment).output == "1\n")

        #expect(try tree("uninstall").status == .exited(0))
        #expect(try ChildProcess.run(["find", root, "-type", "f"]).output.isEmpty)
        #expect(try place.show() == "1")
    }
}
