import Glibc
import TestSupport
import Testing

/// Reading where nothing can be written: a mount namespace of its own has a disk that is full or read-only.
@Suite struct ReadOnlyTests {
    /// All commands that read; each must work.
    private static let reading = [
        "show", "status", "history", "export", "verify", "day list", "location list", "journal",
        "devices --viewer",
        "show --viewer",
    ]

    /// Runs a script as root in a mount namespace; `$0` is the program, `$1` the directory of its journal.
    private func run(_ place: Workplace, _ script: String) throws -> ChildProcess.Outcome {
        try place.run(place.directory, by: inOwnMounts + ["sh", "-c", "set -e; " + script])
    }

    /// Runs all commands that read, and prints the count.
    private static let readAll =
        reading.map { "\"$0\" \($0) >/dev/null || { echo '\($0)' failed; exit 1; }" }.joined(separator: "; ")
        + "; \"$0\" show"

    @Test func `A medium that cannot be written is read`() throws {
        let place = try Workplace()
        try place.run("add", "3")
        let outcome = try run(
            place, "mount --bind \"$1\" \"$1\"; mount -o remount,ro,bind \"$1\"; \(Self.readAll); ls \"$1\"")
        #expect(outcome.status == .exited(0), "\(outcome)")
        #expect(outcome.output == "3\njournal.sqlite\n")
    }

    @Test func `A log that was never folded in is read too`() throws {
        let place = try Workplace()
        try place.run("add", "3")
        let writer = try place.database()
        try writer.execute("BEGIN IMMEDIATE; UPDATE device SET keysReadBy = 'x'; COMMIT")
        try place.run("add", "2")
        // As a crash leaves the files: the copy has the log, and no index of it.
        let outcome = try run(
            place,
            """
            mkdir "$1/crashed"; cp "$1/journal.sqlite" "$1/journal.sqlite-wal" "$1/crashed"
            [ -s "$1/crashed/journal.sqlite-wal" ]
            export COUNTER_DATA_DIR="$1/crashed"
            mount --bind "$1/crashed" "$1/crashed"; mount -o remount,ro,bind "$1/crashed"; \(Self.readAll)
            """)
        #expect(outcome.status == .exited(0), "\(outcome)")
        #expect(outcome.output == "5\n")
    }

    @Test func `A journal of an older version is read where it cannot be brought up, and is left as it was`()
        throws
    {
        let place = try Workplace()
        try place.run("add", "3")
        let journal = try place.database()
        try journal.makeVersion12()
        try journal.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        journal.close()
        let before = place.bytes(of: "journal.sqlite")
        let outcome = try run(
            place,
            """
            export TMPDIR="$1/tmp"; mkdir "$TMPDIR"; mount -t tmpfs none "$TMPDIR"
            mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"; mount -t tmpfs none "$TMPDIR"
            \(Self.readAll); "$0" add 2>&1 >/dev/null || echo "status $?"; ls "$1" "$TMPDIR"
            """)
        #expect(outcome.status == .exited(0), "\(outcome)")
        #expect(outcome.output.hasPrefix("3\ncounter: "))
        #expect(outcome.output.contains("status 77\n"))
        #expect(place.bytes(of: "journal.sqlite") == before)
        // No copy is left either.
        #expect(
            outcome.output.hasSuffix(":\njournal.sqlite\ntmp\n\n\(place.directory)/tmp:\n"),
            "\(outcome.output)")
    }

    @Test func `A full disk is read, and what would write says that it is full`() throws {
        let place = try Workplace()
        let outcome = try run(
            place,
            """
            mount -t tmpfs -o size=512k none "$1"; "$0" add 3 >/dev/null
            cat /dev/zero >"$1/filling" 2>&- || true; cat /dev/zero >>"$1/filling" 2>&- || true
            \(Self.readAll); "$0" add 2>&1 >/dev/null || echo "status $?"
            """)
        #expect(outcome.status == .exited(0), "\(outcome)")
        #expect(outcome.output.hasPrefix("3\n"))
        #expect(outcome.output.contains("no space left on the disk"))
        #expect(outcome.output.hasSuffix("status 74\n"))
    }

    @Test func `A journal of mode 0400 is read by its owner, and not changed`() throws {
        let place = try Workplace()
        let environment = place.letNobodyIn()
        let isRoot = getuid() == 0
        func run(_ command: String...) throws -> ChildProcess.Outcome {
            try place.run(command, by: isRoot ? asNobody : [], environment: environment)
        }
        #expect(try run("add", "3").status == .exited(0))
        let directory = place.directory + "/nobody"
        #expect(chmod(directory + "/journal.sqlite", 0o400) == 0)
        #expect(try run("show").output == "3\n")
        #expect(try run("export").status == .exited(0))
        #expect(try run("add").status == .exited(77))
        #expect(try run("verify").status == .exited(0))
        #expect(chmod(directory + "/journal.sqlite", 0o600) == 0)
        #expect(try run("add").output == "4\n")
    }
}

/// A journal on a file system that other machines share. A library shows the program such a file system, below one directory.
@Suite final class NetworkFileSystemTests: NewPlace {
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
        try place.run("add")
        expectFailure(
            try place.run(command, environment: onNFS(place)), 69, "is on a network file system (NFS)",
            "--data-dir", "--allow-network-filesystem")
        #expect(try place.show() == "1")
    }

    @Test func `Nothing is made there, and who says that no other machine uses it counts there`() throws {
        let variables = try onNFS(place)
        let new = ["add", "--data-dir", place.directory + "/new/journal"]
        #expect(try place.run(new, environment: variables).status == .exited(69))
        #expect(try !place.files().contains("new"))
        #expect(try place.run(["add", "--allow-network-filesystem"], environment: variables).output == "1\n")
        try place.configure("allow-network-filesystem = true\n")
        #expect(try place.run(["add"], environment: variables).output == "2\n")
    }

    @Test func `A link to a file there is refused too`() throws {
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
