import Alarms
import Glibc
import TestSupport
import Testing

/// Where the ringer and `counter` meet: only where no other user can change anything.
@Suite(.enabled(if: getuid() == 0, "only root may become another user")) struct RingerPlaceTests {
    private let place: Workplace
    private let runtime: ScratchFolder

    init() throws {
        runtime = try ScratchFolder()
        place = try Workplace.silent(["XDG_RUNTIME_DIR": runtime.path, "XDG_STATE_HOME": nil])
        // No program is found there until one is planted.
        mkdir(place.directory + "/bin", 0o755)
        place.environment["PATH"] = place.directory + "/bin"
    }

    /// In the place of the speech server. It notes where it would make its socket, and serves none: given up after 10 s.
    private func plantSpeechServer() throws {
        try place.write(
            "bin/speech-dispatcher",
            Array("#!/bin/sh\necho \"${XDG_RUNTIME_DIR-none}\" >>\"$HOME/started\"\n".utf8))
        chmod(place.directory + "/bin/speech-dispatcher", 0o755)
    }

    /// Another user's program that listens at a socket, and prints when somebody has connected.
    private func plantSocket(_ path: String) throws -> ChildProcess {
        let script = """
            import os, socket
            s = socket.socket(socket.AF_UNIX)
            s.bind('\(path)')
            os.chmod('\(path)', 0o777)
            s.listen()
            print('listening', flush=True)
            s.accept()
            print('connected', flush=True)
            """
        let planted = try ChildProcess(asNobody + ["/usr/bin/python3", "-c", script])
        #expect(try planted.readLine() == "listening")
        return planted
    }

    private func expectUnused(_ planted: ChildProcess) throws {
        try planted.signal(SIGTERM)
        _ = try planted.wait()
        #expect(try planted.readLine() == nil, "it was connected to")
    }

    private var state: String { place.directory + "/.local/state/counter" }

    private func names(in directory: String) throws -> [String] {
        try ChildProcess.run(["ls", "-A", directory]).output.split(separator: "\n").map(String.init)
    }

    /// The ringer of an alarm has its socket in a directory, and acknowledging reaches it there.
    private func expectRinging(in directory: String) throws {
        let ringer = try place.ring("Robins")
        try eventually("the ringer to listen") {
            try names(in: directory).filter { $0.hasPrefix("ringer-") && $0.hasSuffix(".socket") }.count == 1
        }
        // It finds the ringer that runs, by its lock.
        let second = try ChildProcess.run(
            [BuiltProducts.counterRinger, "--data-dir", place.directory], environment: place.environment)
        #expect(second.status == .exited(0), "\(second.errors)")
        #expect(try place.run("timer", "acknowledge", "Robins").status == .exited(0))
        try eventually("the ringer to end") { !ringer.isAlive }
        // The command that acknowledges starts another, which arms the next end and ends.
        try eventually("nothing to be left") {
            try names(in: directory).allSatisfy { !$0.hasPrefix("ringer-") }
        }
    }

    /// A ringer for which nothing rings listens in a directory, which is not there before, and leaves nothing in it.
    private func expectListening(in directory: String) throws {
        try place.run("add")
        #expect(access(directory, F_OK) != 0)
        let ringer = try ChildProcess.run(
            [BuiltProducts.counterRinger, "--data-dir", place.directory], environment: place.environment)
        #expect(ringer.status == .exited(0), "\(ringer.errors)")
        #expect(access(directory, F_OK) == 0)
        #expect(try names(in: directory).allSatisfy { !$0.hasPrefix("ringer-") })
    }

    @Test func `The runtime directory is used where it is this user's own`() throws {
        try expectRinging(in: runtime.path + "/counter")
        #expect(
            !(try names(in: place.directory + "/.local/state/counter")).contains { $0.hasPrefix("ringer") })
    }

    @Test func `In another user's runtime directory nothing is made, and alarms ring`() throws {
        chown(runtime.path, 65534, 65534)
        chmod(runtime.path, 0o700)
        try plantSpeechServer()
        try expectRinging(in: state)
        #expect(try names(in: runtime.path) == [])
        #expect(
            Set(try ChildProcess.run(["cat", place.directory + "/started"]).output.split(separator: "\n"))
                == ["none"])
    }

    @Test(arguments: [0o777, 0o1777])
    func `Nor in one of another user that all may enter`(mode: mode_t) throws {
        chown(runtime.path, 65534, 65534)
        chmod(runtime.path, mode)
        try expectListening(in: state)
        #expect(try names(in: runtime.path) == [])
    }

    @Test(arguments: [0o1777, 0o777, 0o755])
    func `A directory that others may enter is no runtime directory`(mode: mode_t) throws {
        chmod(runtime.path, mode)
        let planted = runtime.path + "/counter"
        mkdir(planted, 0o777)
        chown(planted, 65534, 65534)
        try expectListening(in: state)
        #expect(try names(in: planted) == [])
    }

    @Test func `A link in the place of the directory is not followed`() throws {
        let victim = try ScratchFolder()
        chown(runtime.path, 65534, 65534)
        symlink(victim.path, runtime.path + "/counter")
        lchown(runtime.path + "/counter", 65534, 65534)
        try expectListening(in: state)
        #expect(try names(in: victim.path) == [])
    }

    @Test func `What is counted is not told to a socket that another user has planted`() throws {
        chown(runtime.path, 65534, 65534)
        chmod(place.directory, 0o755)
        let name = try #require(RingerPlace.name(of: place.directory))
        let directory = runtime.path + "/counter"
        mkdir(directory, 0o777)
        chmod(directory, 0o777)
        chown(directory, 65534, 65534)
        let planted = try plantSocket("\(directory)/ringer-\(name).socket")
        let terminal = try place.opened(["--sound", "all", "--speech", "each"])
        try terminal.type("++")
        try terminal.waitForText("Count 2")
        // The ringer that it has started instead.
        _ = try eventualValue("the ringer") { try place.ringer }
        try terminal.type("q")
        #expect(try terminal.waitForExit() == .exited(0))
        try expectUnused(planted)
    }

    /// As `sudo -E` and su(1) leave them.
    @Test(arguments: [
        ("SPEECHD_ADDRESS", "unix_socket:", "/socket"), ("PULSE_SERVER", "unix:", "/socket"),
        ("PULSE_SERVER", "{id}unix:/none ", "/socket"), ("PULSE_RUNTIME_PATH", "", "/native"),
    ])
    func `What is counted is not told to a server of another user`(
        variable: String, prefix: String, name: String
    ) throws {
        chown(runtime.path, 65534, 65534)
        let server = try plantSocket(runtime.path + name)
        let isDirectory = variable == "PULSE_RUNTIME_PATH"
        place.environment[variable] = prefix + runtime.path + (isDirectory ? "" : name)
        place.environment["XDG_RUNTIME_DIR"] = nil as String?
        let part = variable == "SPEECHD_ADDRESS" ? "speech" : "sound"
        let check = try ChildProcess.run(
            [BuiltProducts.counterRinger, "check", part], environment: place.environment)
        #expect(check.output.contains("another user's"), "\(check.output)")
        try expectUnused(server)
    }

    @Test func `No runtime directory is made`() throws {
        place.environment["XDG_RUNTIME_DIR"] = runtime.path + "/a/b"
        try expectListening(in: state)
        #expect(try names(in: runtime.path) == [])
    }

    @Test func `A runtime directory whose path is longer than a socket's address has a ringer`() throws {
        let deep = (0..<3).reduce(runtime.path) { path, _ in path + "/" + String(repeating: "x", count: 60) }
        #expect(try ChildProcess.run(["mkdir", "-p", "-m", "700", deep]).status == .exited(0))
        place.environment["XDG_RUNTIME_DIR"] = deep
        try expectListening(in: deep + "/counter")
    }

    @Test func `Without any variable it finds the home directory as counter does`() throws {
        try place.run("add")
        let outcome = try ChildProcess.run(
            [BuiltProducts.counterRinger, "--data-dir", place.directory],
            environment: place.environment.merging(["HOME": nil, "XDG_RUNTIME_DIR": nil]) { $1 })
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
    }

    @Test func `Where every directory is another user's the ringer says so`() throws {
        try place.endTimer(["Robins"])
        let theirs = try ScratchFolder()
        chown(theirs.path, 65534, 65534)
        let outcome = try ChildProcess.run(
            asUser(65533) + [BuiltProducts.counterRinger, "--data-dir", "/"],
            environment: ["XDG_RUNTIME_DIR": theirs.path, "XDG_STATE_HOME": nil, "HOME": theirs.path])
        #expect(outcome.status == .exited(77), "\(outcome)")
        #expect(outcome.errors.contains("only this user may change"), "\(outcome.errors)")
    }
}
