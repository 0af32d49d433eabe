import Foundation
import TestSupport
import Testing

private let sshd = ["/usr/sbin/sshd", "/usr/bin/sshd"].first { (path: String) in access(path, X_OK) == 0 }

/// The words before a command with which it finds a file in another one's place.
private func mounting(_ files: String) -> [String] {
    ["unshare", "--map-root-user", "--mount", "sh", "-c", "mount --bind \(files) && exec \"$@\"", "sh"]
}

private let hasMounts =
    (try? ChildProcess.run(mounting("/etc/hostname /etc/machine-id") + ["true"]))?.status == .exited(0)

/// `counter sync` between the journals of two homes, with pipes in place of SSH.
@Suite struct SyncTests {
    private let door: Workplace, office: Workplace

    init() throws {
        door = try Workplace.deaf()
        office = try Workplace.deaf()
    }

    /// The journal's file, once no program has it open: then it is one file.
    private static func journal(of place: Workplace) throws -> String {
        let path = place.directory + "/journal.sqlite"
        try eventually("the journal to be closed") { access(path + "-wal", F_OK) != 0 }
        return path
    }

    private var serve: String {
        "env COUNTER_DATA_DIR='\(door.directory)' HOME='\(door.directory)' '\(BuiltProducts.counter)' sync --serve"
    }

    /// The options with which the office reaches the door.
    private func toDoor(_ options: String..., by command: String? = nil) -> [String] {
        ["sync"] + options + ["--command", command ?? serve, "door"]
    }

    private func join() throws {
        try door.run("location", "share", "default")
        let joined = try office.run(toDoor("--join", "all"))
        #expect(joined.status == .exited(0), "\(joined.errors)")
        #expect(joined.output.contains("joined 'default'"))
    }

    private func expectEach(toShow count: String) throws {
        for place in [door, office] {
            #expect(try place.show() == count)
            #expect(try place.verify().status == .exited(0))
        }
    }

    /// A home that was copied to another machine: its programs see another /etc/machine-id.
    @Test(.enabled(if: hasMounts, "only root, or a user with namespaces, can give a program another file"))
    func `A copied home says once that its rows have a new id, and agrees with the original`() throws {
        try door.run("add", "2")
        try join()
        let copy = try Workplace.deaf()
        try FileManager.default.copyItem(
            atPath: Self.journal(of: door), toPath: copy.directory + "/journal.sqlite")
        func onCopy(_ words: String...) throws -> ChildProcess.Outcome {
            let id = "\(copy.directory)/machine-id"
            try copy.write("machine-id", "0123456789abcdef0123456789abcdef\n")
            return try copy.run(words, by: mounting("'\(id)' /etc/machine-id"))
        }
        let first = try onCopy("add")
        #expect(first.output == "3\n" && first.errors.contains("was last written to on another machine"))
        #expect(try onCopy("add").errors == "")
        try door.run("add", "5")
        let synced = try onCopy("sync", "--once", "--command", serve, "door")
        #expect(synced.status == .exited(0), "\(synced.errors)")
        #expect(try onCopy("show").output == "9\n")
        #expect(try door.show() == "9")
        #expect(try onCopy("verify").status == .exited(0))
        #expect(try door.verify().status == .exited(0))
    }

    @Test func `An earlier copy that was counted on is told of on both machines, until it is forked`() throws
    {
        try door.run("add", "2")
        try join()
        let (journal, earlier) = (try Self.journal(of: door), door.directory + "/earlier.sqlite")
        try FileManager.default.copyItem(atPath: journal, toPath: earlier)
        try door.run("add", "5")
        #expect(try office.run(toDoor("--once")).status == .exited(0))
        try FileManager.default.removeItem(atPath: Self.journal(of: door))
        try FileManager.default.moveItem(atPath: earlier, toPath: journal)
        #expect(
            try door.run("sync", "--fork").errors.contains("was found to hold other rows of this journal"))
        try door.run("add", "7")
        let failed = try office.run(toDoor("--once"))
        #expect(
            failed.status == .exited(69) && failed.errors.contains("of the journal of"), "\(failed.errors)")
        #expect(try door.run("doctor").output.contains("counter sync --fork"))
        let forked = try door.run("sync", "--fork")
        #expect(forked.output.contains("7 rows have a new journal id, from row"), "\(forked.errors)")
        let synced = try office.run(toDoor("--once"))
        #expect(synced.status == .exited(0), "\(synced.errors)")
        try expectEach(toShow: "14")
    }

    @Test func `Two journals count one place: each at once, and what comes later too`() throws {
        try door.run("add", "2")
        try join()
        #expect(try office.show() == "2")
        let live = try office.start(toDoor())
        try office.run("add", "3")
        try eventually("the door to show it") { try door.show() == "5" }
        try door.run("sub")
        try eventually("the office to show it") { try office.show() == "4" }
        try eventually("it to be told") {
            try office.run("sync", "--status").output.contains("door: synced ")
        }
        try live.terminate()
        try office.run("reset")
        #expect(
            try office.run("sync", "--status").output.contains(/door: 1 row not sent, .* reached \d+ s ago/))
        #expect(try office.run(toDoor("--once")).status == .exited(0))
        try expectEach(toShow: "0")
    }

    @Test func `What stands in the way is said with its remedy`() throws {
        expectFailure(
            try office.run(toDoor("--once")), 69, "nothing is shared", "counter location share NAME")
        try door.run("location", "share", "default")
        expectFailure(
            try office.run(toDoor("--once")), 69, "shares 'default'", "counter sync --join all PEER")
        expectFailure(
            try office.run(toDoor("--join", "cellar")), 69, "shares no location 'cellar'",
            "It shares 'default'")
        expectFailure(
            try office.run("sync", "--once", "--command", "no-such-program", "door"), 69,
            "there is no counter",
            "Install it there")
        expectFailure(
            try office.run("sync", "--once", "--command", "echo Welcome", "door"), 76,
            "does not speak counter sync", ".bashrc")
        expectFailure(try office.run("sync", "--viewer", "--once", "door"), 77, "viewer")
        expectFailure(try office.run("location", "share", "default", "--viewer"), 77, "viewer")
        expectFailure(try office.run("sync"), 64, "the other machine is missing")
        #expect(try office.run("sync", "--status").output.contains("nothing synced with"))
        #expect(
            try office.run("doctor").output.contains(
                "counter sync: the other side does not speak counter sync"))
        try office.run("sync", "--forget", "door")
        expectFailure(try office.run("sync", "--forget", "door"), 69, "is not synced with 'door'", "--status")
    }

    /// The library that kills a process at its n-th call of fdatasync(2), which is a commit or a checkpoint.
    private func killing(atCommit number: Int) throws -> String {
        let environment = try office.library(
            "killed",
            """
            #include <csignal>
            #include <dlfcn.h>
            static int calls;
            extern "C" int fdatasync(int file) {
                static int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
                if (++calls == \(number)) raise(SIGKILL);
                return real(file);
            }
            """)
        return try #require(environment["LD_PRELOAD"])
    }

    @Test(arguments: [true, false])
    func `It is killed at commits on either side, and the figures are the same`(isOffice: Bool) throws {
        try join()
        var kills = 0
        while kills < 40 {
            for place in [door, office] { try place.run("add", "2") }
            let library = "LD_PRELOAD=" + (try killing(atCommit: kills + 1))
            let cut = try office.run(
                toDoor("--once", by: isOffice ? "unset LD_PRELOAD; \(serve)" : "\(library) \(serve)"),
                by: isOffice ? ["env", library] : [])
            if cut.status == .exited(0) { break }
            kills += 1
        }
        #expect(3..<40 ~= kills)
        #expect(try office.run(toDoor("--once")).status == .exited(0))
        let count = try door.show()
        try expectEach(toShow: count)
        #expect(try [door.exported().count, office.exported().count] == [Int(count), Int(count)])
    }

    @Test(arguments: [true, false])
    func `A disk that is full on either side is told on both, and nothing is lost`(isOffice: Bool) throws {
        let (full, roomy) = isOffice ? (office, door) : (door, office)
        let disk = try ChildProcess(
            inOwnMounts + [
                "sh", "-c", "mount -t tmpfs -o size=512k none \"$1\" && echo ready && exec cat", "sh",
                full.directory,
            ],
            environment: full.environment)
        #expect(try disk.readLine() == "ready")
        let enter = FullDiskTests.SmallDisk.enter(disk.process)
        func run(_ place: Workplace, _ words: [String]) throws -> ChildProcess.Outcome {
            try place.run(words, by: place === full ? enter : [])
        }
        let reach = (isOffice ? "" : enter.joined(separator: " ") + " ") + serve
        #expect(try run(door, ["location", "share", "default"]).status == .exited(0))
        #expect(try run(office, toDoor("--join", "all", by: reach)).status == .exited(0))
        for _ in 1...4 { #expect(try run(roomy, ["add", "1000"]).status == .exited(0)) }
        let cut = try run(office, toDoor("--once", by: reach))
        expectFailure(cut, isOffice ? 74 : 69, "no space left on the disk")
        let told = try run(roomy, ["sync", "--status"]).output
        #expect(told.contains("no space left on the disk"), "\(told)")
        let grown = try ChildProcess.run(
            enter + ["mount", "-o", "remount,size=64m", full.directory], environment: full.environment)
        #expect(grown.status == .exited(0), "\(grown.errors)")
        let again = try run(office, toDoor("--once", by: reach))
        #expect(again.status == .exited(0), "\(again.errors)")
        for place in [door, office] {
            #expect(try run(place, ["show"]).output == "4000\n")
            #expect(try run(place, ["verify"]).status == .exited(0))
        }
        disk.closeInput()
    }

    @Test func `The screens say whether the other machine is reached, and Admin shares`() throws {
        try join()
        let screen = try office.opened()
        let live = try office.start(toDoor())
        try screen.waitForText("synced")
        try door.run("add", "7")
        try screen.waitForText("Count 7")
        // Nothing wakes the screen but the time.
        try live.signal(SIGSTOP)
        try office.run("add", "2")
        try screen.waitForText("2 rows not sent to")
        try live.signal(SIGCONT)
        try screen.waitForText("  synced")
        try live.terminate()
        try screen.waitForText(" not connected")
        try screen.type("4")
        try screen.waitForText("Other machines")
        try screen.waitForText("with other machines")
    }

    @Test func `A second connection that ends leaves what is said of the first`() throws {
        try join()
        let live = try office.start(toDoor())
        let status = { try office.run("sync", "--status").output }
        try eventually("it to be told") { try status().contains("door: synced ") }
        #expect(try office.run(toDoor("--once")).status == .exited(0))
        #expect(try status().contains("door: synced "))
        let failing = try office.run(toDoor("--once", by: "exit 3"))
        #expect(failing.status != .exited(0))
        #expect(try status().contains("door: synced "))
        try live.terminate()
        #expect(try status().contains(" reached "))
    }

    // MARK: - SSH

    /// Lets the office reach the door by ssh: with a real server, which speaks over a pipe in place of a port.
    private func serveSSH(knowsKey: Bool = true) throws {
        let folder = office.directory
        for key in ["host", "user", "other"] {
            let made = try ChildProcess.run([
                "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", "\(folder)/\(key)",
            ])
            try #require(made.status == .exited(0), "\(made.errors)")
        }
        let user = try ChildProcess.run(["id", "-un"]).output.dropLast()
        let line =
            "command=\"counter sync --serve\",restrict "
            + (try String(contentsOfFile: "\(folder)/\(knowsKey ? "user" : "other").pub", encoding: .utf8))
        try office.write("authorized", line)
        try office.write(
            "sshd_config",
            """
            HostKey \(folder)/host
            AuthorizedKeysFile \(folder)/authorized
            StrictModes no
            UsePAM no
            PermitRootLogin yes
            SetEnv PATH=\(BuiltProducts.directory):/usr/bin:/bin COUNTER_DATA_DIR=\(door.directory) HOME=\(door.directory)

            """)
        try office.write(
            "ssh_config",
            """
            Host door
            User \(user)
            ProxyCommand \(sshd ?? "") -i -f \(folder)/sshd_config
            IdentityFile \(folder)/user
            IdentitiesOnly yes
            UserKnownHostsFile \(folder)/known
            StrictHostKeyChecking accept-new
            LogLevel ERROR

            """)
        mkdir("\(folder)/bin", 0o700)
        try office.write("bin/ssh", "#!/bin/sh\nexec /usr/bin/ssh -F '\(folder)/ssh_config' \"$@\"\n")
        chmod("\(folder)/bin/ssh", 0o700)
        office.environment["PATH"] = "\(folder)/bin:/usr/bin:/bin"
        if getuid() == 0 { mkdir("/run/sshd", 0o755) }
    }

    @Test(.enabled(if: sshd != nil, "there is no sshd")) func `Two machines count one place over SSH`() throws
    {
        try serveSSH()
        try door.run("add", "2")
        try door.run("location", "share", "default")
        let joined = try office.run("sync", "--join", "all", "door")
        try #require(joined.status == .exited(0), "\(joined.errors)")
        #expect(try office.show() == "2")
        let live = try office.start(["sync", "door"])
        try office.run("add", "3")
        try eventually("the door to show it") { try door.show() == "5" }
        try door.run("sub")
        try eventually("the office to show it") { try office.show() == "4" }
        // The cable is cut, and both reset.
        let cut = try ChildProcess.run(["pkill", "-P", "\(live.process.pid)"])
        #expect(cut.status == .exited(0))
        try office.run("reset")
        try door.run("reset")
        try door.run("add", "6")
        try eventually("both to show it") { try office.show() == "6" && door.show() == "6" }
        live.end()
        try expectEach(toShow: "6")
    }

    @Test(.enabled(if: sshd != nil, "there is no sshd"))
    func `A key that is refused, and a password that nobody can type, are said`() throws {
        try serveSSH(knowsKey: false)
        expectFailure(
            try office.run("sync", "--once", "door"), 77, "door: it does not accept this machine's key",
            "ssh-copy-id door")
        try office.write("bin/ssh", "#!/bin/sh\necho 'Host key verification failed.' >&2\nexit 255\n")
        expectFailure(try office.run("sync", "--once", "door"), 77, "its host key is not known", "ssh door")
        unlink("\(office.directory)/bin/ssh")
        office.environment["PATH"] = "\(office.directory)/bin"
        expectFailure(
            try office.run("sync", "--once", "door"), 69, "there is no ssh on this machine", "openssh-client")
    }
}
