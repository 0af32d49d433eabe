import TestSupport
import Testing

/// A journal on a file system that other machines share. A library shows the program such a file system.
@Suite struct NetworkFileSystemTests {
    /// Variables with which `statfs(2)` says that every path lies on NFS.
    private func onNFS(_ place: Workplace) throws -> [String: String] {
        let source = """
            #define _GNU_SOURCE
            #include <sys/syscall.h>
            #include <sys/vfs.h>
            #include <unistd.h>
            int statfs(const char *path, struct statfs *status) {
                int result = (int)syscall(SYS_statfs, path, status);
                if (result == 0) status->f_type = 0x6969;
                return result;
            }
            """
        return try place.library("network", source)
    }

    @Test(arguments: [["add"], ["show"], ["export"], ["ingest"], ["verify"]])
    func `It is refused, with the reason and the way around`(command: [String]) throws {
        let place = try Workplace.deaf()
        try place.run("add")
        expectFailure(
            try place.run(command, environment: onNFS(place)), 69, "is on a network file system (NFS)",
            "--data-dir", "--allow-network-filesystem")
        #expect(try place.show() == "1")
    }

    @Test func `Nothing is made there`() throws {
        let place = try Workplace.deaf()
        let directory = place.directory + "/new/journal"
        let outcome = try place.run(["add", "--data-dir", directory], environment: onNFS(place))
        #expect(outcome.status == .exited(69))
        #expect(try !place.files().contains("new"))
    }

    @Test func `Who says that no other machine uses it counts there`() throws {
        let place = try Workplace.deaf()
        let variables = try onNFS(place)
        #expect(try place.run(["add", "--allow-network-filesystem"], environment: variables).output == "1\n")
        try place.configure("allow-network-filesystem = true\n")
        #expect(try place.run(["add"], environment: variables).output == "2\n")
    }
}
