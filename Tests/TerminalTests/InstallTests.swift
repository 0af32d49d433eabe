import Glibc
import TestSupport
import Testing

/// What `make install` puts in place works from there, and `make uninstall` takes it away.
@Suite struct InstallTests {
    private let place: Workplace
    private var root: String { place.directory + "/root" }
    private var share: String { root + "/usr/local/share" }

    init() throws {
        place = try Workplace.deaf()
        #expect(try tree("install").status == .exited(0))
    }

    @Test func `The installed program finds its key server, which alone links libevdev`() throws {
        let program = root + "/usr/local/bin/counter"
        let devices = try ChildProcess.run([program, "devices"], environment: place.environment)
        #expect(devices.status == .exited(0))
        #expect(try ChildProcess.run([program, "add"], environment: place.environment).output == "1\n")
        let libraries = try shell("ldd \(program)")
        #expect(libraries.contains("libncursesw.so"))
        #expect(!libraries.contains("libevdev.so"))
        #expect(try shell("ldd \(root)/usr/local/libexec/counter/counter-keys").contains("libevdev.so"))
    }

    @Test func `Each file is where its readers look, with its mode`() throws {
        let files = [
            "/usr/local/bin/counter": "755",
            "/usr/local/libexec/counter/counter-keys": "755",
            "/usr/lib/udev/rules.d/70-counter.rules": "644",
            "/usr/local/lib/systemd/user/counter-listen.service": "644",
            "/usr/local/lib/systemd/user/counter-sync@.service": "644",
            "/usr/local/libexec/counter/counter-sync": "755",
            "/usr/local/libexec/counter/counter-sync-hub": "755",
            "/usr/local/share/applications/arpa.home.counter.desktop": "644",
            "/usr/local/share/icons/hicolor/scalable/apps/arpa.home.counter.svg": "644",
            "/usr/local/share/metainfo/arpa.home.counter.metainfo.xml": "644",
            "/usr/local/share/bash-completion/completions/counter": "644",
            "/usr/local/share/zsh/site-functions/_counter": "644",
            "/usr/local/share/fish/vendor_completions.d/counter.fish": "644",
            "/usr/local/share/man/man1/counter-device-rename.1.gz": "644",
        ]
        for (file, mode) in files {
            let outcome = try ChildProcess.run(["stat", "-c", "%a", root + file])
            #expect(outcome.output == mode + "\n", "\(outcome.errors)")
        }
    }

    @Test func `Each command that the help names has a page of the manual, with its options`() throws {
        let help = try ChildProcess.run([BuiltProducts.counter, "--help"]).output
        let commands = help.split(separator: "SUBCOMMANDS:\n")[1].split(separator: "\n\n")[0]
            .split(separator: "\n").filter { !$0.hasPrefix("   ") }.map { $0.split(separator: " ")[0] }
        #expect(commands.count > 10)
        for command in commands { #expect(try page("counter-\(command)").contains(".Sh SYNOPSIS")) }
        let listen = try page("counter-listen")
        #expect(listen.contains(#".It Fl \-json"#))
        #expect(listen.contains("Writes each row of the journal as a JSON object."))
        for part in [".Sh EXAMPLES", ".Sh SEE ALSO", ".Ss History", "Set the target of the location."] {
            #expect(try page("counter").contains(part))
        }
        #expect(try page("counter").contains("On the screen + and - count too, r resets, u undoes, ? shows"))
    }

    @Test func `man, the desktop, systemd and the shells understand what is theirs`() throws {
        let outcome = try ChildProcess.run(["scripts/lint-tree", root])
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
    }

    @Test func `A file that a later version no longer has goes with the older one`() throws {
        let manifest = root + "/usr/local/libexec/counter/installed"
        let old = "/usr/local/share/man/man1/counter-old.1.gz"
        try shell("touch \(root + old) && echo \(old) >>\(manifest)")
        #expect(try tree("install").status == .exited(0))
        #expect(access(root + old, F_OK) == -1)
    }

    @Test func `Nothing stays behind but the journal`() throws {
        let program = root + "/usr/local/bin/counter"
        #expect(try ChildProcess.run([program, "add"], environment: place.environment).output == "1\n")
        try shell("touch \(share)/man/man1/counter-of-somebody-else.1")
        #expect(try tree("uninstall").status == .exited(0))
        let left = try ChildProcess.run(["find", root, "-type", "f"]).output
        #expect(left == share + "/man/man1/counter-of-somebody-else.1\n")
        #expect(try place.show() == "1")
    }

    @Test(.asRoot) func `A user who may not write there becomes root by sudo, for the same places`() throws {
        chmod(place.directory, 0o777)
        try place.write("sudo", "#!/bin/sh\nprintf '%s\\n' \"$@\"\n")
        chmod(place.directory + "/sudo", 0o755)
        let outcome = try ChildProcess.run(
            asNobody + ["scripts/install-tree", "uninstall"],
            environment: [
                "PATH": "\(place.directory):/usr/bin:/bin", "DESTDIR": root, "PREFIX": nil, "UDEVDIR": nil,
                "ZSHDIR": nil,
            ])
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        let asked = outcome.output.split(separator: "\n")
        #expect(asked.first == "env")
        #expect(asked.contains("DESTDIR=\(root)") && asked.contains("PREFIX=/usr/local"))
        #expect(asked.suffix(2).first?.hasSuffix("/scripts/install-tree") == true)
        #expect(asked.last == "uninstall")
        #expect(access(root + "/usr/local/bin/counter", F_OK) == 0, "nothing is done without it")
    }

    private func tree(_ action: String) throws -> ChildProcess.Outcome {
        try ChildProcess.run(
            ["scripts/install-tree", action, BuiltProducts.directory],
            environment: ["DESTDIR": root, "PREFIX": nil, "UDEVDIR": nil, "ZSHDIR": nil])
    }

    private func page(_ name: String) throws -> String {
        try shell("gunzip -c \(share)/man/man1/\(name).1.gz")
    }

    @discardableResult
    private func shell(_ command: String) throws -> String {
        let outcome = try ChildProcess.run(["sh", "-c", command])
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        return outcome.output
    }
}
