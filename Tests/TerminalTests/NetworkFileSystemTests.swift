import Glibc
import TestSupport
import Testing

/// A journal on a file system that other machines share. A library shows the program such a file system, below one directory.
@Suite struct NetworkFileSystemTests {
    /// Variables with which `statfs(2)` says that what lies below a directory lies on NFS; by default the journal's.
    private func onNFS(_ place: Workplace, below directory: String = "") throws -> [String: String] {
        let source = """
            #define _GNU_SOURCE
            #include <limits.h>
            #include <stdlib.h>
            #include <string.h>
            #include <sys/syscall.h>
            #include <sys/vfs.h>
            #include <unistd.h>
            int statfs(const char *path, struct statfs *status) {
                int result = (int)syscall(SYS_statfs, path, status);
                const char *shared = getenv("SHARED_DIRECTORY");
                char real[PATH_MAX];
                if (result == 0 && realpath(path, real) && strncmp(real, shared, strlen(shared)) == 0)
                    status->f_type = 0x6969;
                return result;
            }
            """
        return try place.library("network", source).merging([
            "SHARED_DIRECTORY": place.directory + directory
        ]) { $1 }
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

    @Test func `A link to a file there is refused too`() throws {
        let place = try Workplace.deaf()
        try place.run("add")
        let far = place.directory + "/far"
        let path = place.directory + "/journal.sqlite"
        #expect(mkdir(far, 0o700) == 0 && rename(path, far + "/journal.sqlite") == 0)
        #expect(symlink(far + "/journal.sqlite", path) == 0)
        let variables = try onNFS(place, below: "/far")
        expectFailure(
            try place.run(["show"], environment: variables), 69, "is on a network file system (NFS)")
        #expect(try place.show() == "1")
    }
}
