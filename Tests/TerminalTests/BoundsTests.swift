import Foundation
import Glibc
import TestSupport
import Testing

/// Input beyond every limit is an error and does not exhaust the machine.
@Suite final class BoundsTests: NewPlace {
    /// The largest address space that an import may use, in KiB; a program at rest has some hundred thousand.
    private static let memory = 1_500_000

    private func bounded(_ place: Workplace, _ command: String) throws -> ChildProcess.Outcome {
        try place.run(script: "ulimit -v \(Self.memory); \(command)", by: "bash")
    }

    @Test func `A named pipe, a device and an endless line are no files to import, whatever comes from them`()
        throws
    {
        try place.run("add")
        let pipe = place.directory + "/pipe"
        mkfifo(pipe, 0o600)
        expectFailure(try place.run("import", pipe), 66, "\(pipe): is no file", "counter import -")
        expectFailure(try bounded(place, "\"$0\" import /dev/zero"), 66, "/dev/zero: is no file")
        expectFailure(
            try bounded(place, "\"$0\" import - < /dev/zero"), 65,
            "standard input: a line is longer than 1048576 bytes")
        expectFailure(
            try bounded(place, "truncate -s 10G \"$HOME/long\"; \"$0\" import \"$HOME/long\""), 65,
            "a line is longer than 1048576 bytes")
        #expect(try place.show() == "1")
    }

    @Test func `A journal or a configuration that is no file is waited for by nobody`() throws {
        mkfifo(place.directory + "/journal.sqlite", 0o600)
        for command in ["show", "add", "verify"] {
            expectFailure(
                try place.run(command), 65, "journal.sqlite: is damaged: it is no regular file",
                "Restore it from a backup")
        }
        unlink(place.directory + "/journal.sqlite")
        try place.configure("")
        let configuration = place.directory + "/.config/counter/config.toml"
        unlink(configuration)
        mkfifo(configuration, 0o600)
        expectFailure(try place.run("add"), 66, "config.toml: cannot be read")
        unlink(configuration)
        symlink("/dev/zero", configuration)
        expectFailure(try bounded(place, "\"$0\" add"), 65, "config.toml: is longer than 1048576 bytes")
        unlink(configuration)
        symlink("/dev/null", configuration)
        #expect(try place.run("add").output == "1\n")
    }

    @Test func `A file that is larger than memory may be is imported in pieces`() throws {
        let outcome = try bounded(
            place,
            """
            { printf 'timestamp,delta,note\\n2026-01-14T13:03:59Z,1,\\n'
            for i in {1..20}; do head -c 1000000 /dev/zero | tr '\\0' ' '; printf '\\n'; done
            printf '2026-01-14T13:04:00Z,1,\\n'; } | "$0" import -
            """)
        #expect(outcome.output == "accepted 2, duplicate 0, conflict 0, refused 0\n")
        #expect(try place.show() == "2")
    }

    @Test(arguments: [Int64.max, 300_000_000_000, -70_000_000_000, Int64.min])
    func `A clock beyond the times of a journal is told, and nothing is counted by it`(seconds: Int64) throws
    {
        try place.run("add")
        let library = try StrangeClock(place)
        expectFailure(
            try place.run(["add"], environment: library.showing(seconds)), 69,
            "clock is not in the years 0 to 9999",
            "timedatectl")
        #expect(try place.show() == "1")
    }
}
