import Glibc
import TestSupport
import Testing

/// An alarm whose machine is switched off meanwhile: two guests, one after the other, with one disk.
@Suite struct RebootTests {
    private static let hasGuest =
        (try? ChildProcess.run(["qemu-system-x86_64", "--version"]).status) == .exited(0)

    @Test(.enabled(if: hasGuest, "needs the virtual machine"))
    func `A timer of 20 s rings though counter was left and killed and the machine booted anew`() throws {
        let folder = try ScratchFolder()
        let disk = folder.path(of: "disk")
        let support = "\(#filePath.dropLast("RebootTests.swift".count))Support"
        let programs = String(BuiltProducts.counter.dropLast("/counter".count))
        let format = [
            "sh", "-c", "truncate -s 64M \"$0\" && PATH=$PATH:/sbin:/usr/sbin mke2fs -q -t ext4 \"$0\"", disk,
        ]
        #expect(try ChildProcess.run(format).status == .exited(0))
        func boot(_ which: String) throws -> ChildProcess.Outcome {
            let guest = [
                "\(support)/../../Guest/guest", "run", "--cpus", "1", "--disk", disk, "--timeout", "400",
            ]
            return try ChildProcess.run(
                guest + ["--", "\(support)/boot", which, programs], timeout: .seconds(600))
        }
        let first = try boot("first")
        // 70: the machine stopped before the command ended.
        #expect(first.status == .exited(70) && first.output.hasSuffix("armed\n"), "\(first)")
        let second = try boot("second")
        #expect(second.status == .exited(0), "\(second)")
        let lines = second.output.split(separator: "\n")
        #expect(lines.prefix(2) == ["heard", "rings"] && lines.suffix(2) == ["silent", "sound"], "\(lines)")
        #expect(lines.contains { $0.contains("Boot") && $0.contains("ended") })
        #expect(lines.contains { $0.contains("Later") && $0.contains("paused") })
    }
}
