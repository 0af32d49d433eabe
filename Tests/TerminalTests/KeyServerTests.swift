import Glibc
import TestSupport
import Testing

/// A faulty key server ends only its own connection: the error is shown, and counting by hand goes on.
@Suite struct StrangeKeyServerTests {
    /// What it sends, as arguments of printf(1) and head(1), and the error.
    static let speeches: [(script: String, why: String)] = [
        ("head -c 64 /dev/zero >&$1", "malformed message"),
        ("head -c 512 /dev/urandom >&$1", "malformed message"),
        (
            #"(printf 'ckey\002\000\003\000'; head -c 56 /dev/zero) | dd bs=64 iflag=fullblock >&$1"#,
            "speaks version 2 of the key messages, this one 1"
        ),
        ("exit 3", "counter-keys exited with 3"),
        ("kill -ILL $$", "counter-keys was killed by signal 4"),
    ]

    @Test(arguments: speeches)
    func `Its fault is told, and the terminal's keys count`(script: String, why: String) throws {
        try expectCountingGoesOn(beside: "[[ $1 == repair ]] && exit; \(script); sleep 60", saying: why)
    }

    @Test func `A repair of key maps that does not end keeps nobody from leaving`() throws {
        try expectCountingGoesOn(
            beside: "[[ $1 == repair ]] && sleep 60; exit 3", saying: "counter-keys exited with 3")
    }

    private func expectCountingGoesOn(beside script: String, saying why: String) throws {
        let place = try Workplace.deaf()
        _ = try ChildProcess.run(["cp", BuiltProducts.counter, place.directory + "/counter"])
        try place.write("counter-keys", "#!/bin/bash\n\(script)\n")
        chmod(place.directory + "/counter-keys", 0o755)
        let terminal = try TerminalSession(
            [place.directory + "/counter"], columns: 120, environment: place.environment)
        try terminal.waitForText(why)
        try terminal.type("+")
        try terminal.waitForCount(1)
        try terminal.type("q")
        #expect(try terminal.waitForExit() == .exited(0))
    }
}

/// The program as a client of the key service.
@Suite struct KeyServiceClientTests {
    @Test(.asRoot) func `A v that is held down does not use up what the key service allows`() throws {
        let service = try KeyService()
        let place = try Workplace.deaf(environment: ["COUNTER_KEYS_SOCKET": service.path])
        let terminal = try place.open()
        try terminal.waitForCount(0)
        let program = try terminal.process
        let connection = try eventualValue("the service to serve it") { program.sockets.first }
        // Far faster than any keyboard repeats.
        for count in 1...20 {
            try terminal.type(String(repeating: "v", count: 101) + "+")
            try terminal.waitForCount(count)
        }
        try eventually("the service to have read all of it") {
            let switches = service.child.process.contextSwitches
            pause(.milliseconds(300))
            return service.child.process.contextSwitches == switches
        }
        #expect(program.sockets.contains(connection), "it is the connection that it was")
        #expect(program.children.isEmpty, "it has no key server of its own")
    }
}

extension RunningProcess {
    /// The sockets that it has open, as the kernel names them.
    fileprivate var sockets: [String] {
        let listing = try? ChildProcess.run([
            "find", "/proc/\(pid)/fd", "-lname", "socket:*", "-printf", "%l\\n",
        ])
        return (listing?.output ?? "").split(separator: "\n").map(String.init)
    }
}
