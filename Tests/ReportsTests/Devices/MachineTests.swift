import Glibc
import Linux
import TestSupport
import Testing

@testable import Reports

/// From which folder `counter doctor --fix` may offer `make install`, which runs what the folder says.
@Suite struct MachineTests {
    private let folder: ScratchFolder
    private let program: String

    init() throws {
        folder = try ScratchFolder()
        for name in ["Makefile", "scripts/install-tree", ".build/x86_64/debug/counter"] {
            try folder.write("checkout/\(name)", "true\n")
        }
        chmod(folder.path(of: "checkout/scripts/install-tree"), 0o755)
        program = folder.path(of: "checkout/.build/x86_64/debug/counter")
    }

    private func checkout(of program: String) -> String? {
        Machine(executable: program, usesService: true).checkout
    }

    @Test func `A program in the build folder of a checkout knows the checkout`() throws {
        #expect(checkout(of: program) == folder.path(of: "checkout"))
        #expect(rename(folder.path(of: "checkout/.build"), folder.path(of: "checkout/.build-release")) == 0)
        #expect(
            checkout(of: program.replacing(".build", with: ".build-release")) == folder.path(of: "checkout"))
        #expect(Machine(executable: nil, usesService: true).checkout == nil)
    }

    @Test func `A folder further up is none, whatever lies in it`() throws {
        for name in ["Makefile", "scripts/install-tree"] { try folder.write(name, "true\n") }
        chmod(folder.path(of: "scripts/install-tree"), 0o755)
        for name in ["unpacked/counter-0.1.0/bin/counter", "bin/counter", "counter", "a/b/c/d/e/counter"] {
            try folder.write(name)
            #expect(checkout(of: folder.path(of: name)) == nil, "\(name)")
        }
        unlink(folder.path(of: "checkout/scripts/install-tree"))
        #expect(checkout(of: program) == nil)
    }

    /// The files that `make` reads besides those that name the checkout.
    @Test(arguments: ["Sources", "Sources/a.swift", "scripts/part.mk", ".build/x86_64/debug/counter-ringer"])
    func `No command is run whose files another user can change`(name: String) throws {
        for name in ["Sources/a.swift", "scripts/part.mk", ".build/x86_64/debug/counter-ringer"] {
            try folder.write("checkout/\(name)")
        }
        let command = Diagnosis.Step.install(folder.path(of: "checkout")).command
        #expect(throws: Never.self) { try command.requireTrusted() }
        let path = folder.path(of: "checkout/\(name)")
        var status = stat()
        #expect(stat(path, &status) == 0)
        chmod(path, status.st_mode | 0o002)
        #expect(throws: ProgramError.self) { try command.requireTrusted() }
        chmod(path, status.st_mode)
        symlink("/tmp", folder.path(of: "checkout/scripts/linked"))
        #expect(throws: ProgramError.self) { try command.requireTrusted() }
    }

    @Test(arguments: [
        "", "checkout", "checkout/Makefile", "checkout/scripts", "checkout/scripts/install-tree",
        "checkout/.build",
        "checkout/.build/x86_64/debug", "checkout/.build/x86_64/debug/counter",
    ])
    func `What another user can write to, or owns, is none`(name: String) throws {
        let path = folder.path(of: name)
        var status = stat()
        #expect(stat(path, &status) == 0)
        chmod(path, status.st_mode | 0o002)
        #expect(checkout(of: program) == nil)
        chmod(path, status.st_mode)
        #expect(checkout(of: program) == folder.path(of: "checkout"))
        guard getuid() == 0 else { return }
        chown(path, 65534, 65534)
        #expect(checkout(of: program) == nil)
    }
}
