import Glibc
import TestSupport
import Testing

/// `counter sync` of doors with a hub: `POST /v1/sync`.
@Suite final class SyncTests: HubSuite {
    /// A machine with a journal of its own.
    private struct Door {
        let place: Workplace
        let peer: String
        let token: String

        init(_ hub: TestHub, _ name: String, scheme: String = "http", fragment: String = "") throws {
            token = try hub.token(name, "--door", "--location", "Hall")
            place = try Workplace(environment: ["COUNTER_HUB_TOKEN": token])
            peer = hub.url("", scheme: scheme) + fragment
        }

        func sync(_ options: String..., to other: String? = nil, environment: [String: String?] = [:]) throws
            -> ChildProcess.Outcome
        {
            try place.run(["sync"] + options + [other ?? peer], environment: environment)
        }

        /// Joins what the hub shares.
        func join() throws {
            let outcome = try sync("--join", "all")
            #expect(outcome.status == .exited(0), "\(outcome.errors)")
        }

        func live() throws -> ChildProcess {
            try ChildProcess([BuiltProducts.counter, "sync", peer], environment: place.environment)
        }

        func count() throws -> String {
            String(try place.run("show", "--location", "Hall").output.dropLast())
        }

        func add(_ number: Int = 1) throws { try place.run("add", "\(number)", "--location", "Hall") }
    }

    private func expectAgreement(_ hub: TestHub, _ doors: Door..., count: String) throws {
        #expect(try hub.count() == count)
        #expect(try hub.place.verify().status == .exited(0))
        for door in doors {
            #expect(try door.count() == count)
            #expect(try door.place.verify().status == .exited(0))
        }
    }

    @Test func `Doors, devices and the hub's own programs count one place, each at once`() throws {
        let (left, right) = (try Door(hub, "left"), try Door(hub, "right"))
        for door in [left, right] { try door.join() }
        let programs = try [left.live(), right.live()]
        try left.add(2)
        try eventually("the other door to show it") { try right.count() == "2" }
        #expect(try hub.post(String(repeating: "{\"delta\":1}\n", count: 3)).status == 200)
        for door in [left, right] { try eventually("both to show it") { try door.count() == "5" } }
        try hub.place.run("sub", "--location", "Hall")
        for door in [left, right] { try eventually("both to show it") { try door.count() == "4" } }
        #expect(try hub.metric("syncs") == 2)
        #expect(try left.place.run("sync", "--status").output.hasPrefix("\(left.peer): synced "))
        for program in programs {
            try program.signal(SIGTERM)
            #expect(try program.wait() == .exited(0))
        }
        try hub.awaitMetric("syncs", 0)
        try expectAgreement(hub, left, right, count: "4")
    }

    @Test func `A reader of the page sees what a door counts, and devices follow its settings`() throws {
        let door = try Door(hub, "left")
        try door.join()
        let program = try door.live()
        let reader = try hub.reader(hub.admin)
        try reader.take(past: ": counter-hub\n\n")
        try door.add()
        try reader.take(past: "\"count\":1}\n\n", timeout: .seconds(10))
        #expect(try hub.post("{\"delta\":1}").status == 200)
        try eventually("the device to be known") { try door.count() == "2" }
        try door.place.run("device", "disable", "door-1")
        try eventually("the device to be refused") {
            try hub.post("{\"delta\":1}").body.contains("is disabled")
        }
        withExtendedLifetime(program) {}
    }

    @Test func `A hub that is killed is reached again, and nothing is lost or counted twice`() throws {
        let door = try Door(hub, "left")
        try door.join()
        let program = try door.live()
        for round in 1...Volume.of(sample: 3, full: 30) {
            try door.add()
            if round % 2 == 0 {
                try eventually("the hub to show it") { try hub.count() == "\(round * 2 - 1)" }
            }
            try hub.program.signal(SIGKILL)
            _ = try hub.program.wait()
            try hub.place.run("add", "--location", "Hall")
            try hub.restart()
            try eventually("both to agree") {
                try door.count() == "\(round * 2)" && hub.count() == "\(round * 2)"
            }
        }
        withExtendedLifetime(program) {}
        try expectAgreement(hub, door, count: try hub.count())
    }

    @Test func `What stands in the way is said with its remedy, and by doctor`() throws {
        let door = try Door(hub, "left")
        func expect(
            _ status: Int32, _ texts: String..., to peer: String? = nil, token: String? = nil,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let outcome = try door.sync(
                "--once", to: peer, environment: token.map { ["COUNTER_HUB_TOKEN": $0] } ?? [:])
            #expect(outcome.status == .exited(status), "\(outcome.errors)", sourceLocation: sourceLocation)
            for text in texts {
                #expect(outcome.errors.contains(text), "\(outcome.errors)", sourceLocation: sourceLocation)
            }
        }
        try expect(69, "no location is shared on both machines", "counter sync --join all PEER")
        try expect(
            77, "does not accept the token", "its token is not valid", "counter-hub token add", token: "x")
        try expect(77, "the role device may not do this", "counter-hub token add", token: hub.device)
        try expect(78, "there is no token for the hub", "hub-token", token: "")
        try expect(69, "no machine has the name 'no.invalid'", "getent", to: "https://no.invalid/")
        try expect(64, "without TLS everybody", "--insecure", to: "http://no.invalid/")
        try expect(69, "nothing listens at this port", "--listen", to: "http://127.0.0.1:1")
        try expect(69, "speaks no TLS", "certificate", to: hub.url("", scheme: "https"))
        try expect(69, "there is no hub, or one of an earlier version", to: hub.url("/elsewhere"))
        try expect(64, "is no address of a hub", "Such as https://", to: "ftp://127.0.0.1")
        try expect(64, "is no address of a hub", to: "https://user:secret@127.0.0.1")
        try expect(64, "is no SHA-256", "counter-hub certificate", to: "https://127.0.0.1#sha256=12")
        let doctor = try door.place.run("doctor").output
        #expect(doctor.contains("counter sync: http://127.0.0.1:1: nothing listens at this port"))
    }

    @Test(arguments: [
        (
            "200 OK\r\nContent-Type: text/html", 69, "is no hub: it answers as a web server does",
            "begin the address with https://"
        ),
        (
            "301 Moved Permanently\r\nLocation: https://hub.example/v1/sync", 69,
            "sends on to another address", "Use that address, if it is the hub's: https://hub.example\n"
        ),
        ("302 Found\r\nLocation: https://portal.example/login", 75, "https://portal.example/login", "log in"),
        ("413 Content Too Large", 69, "limits how much", "client_max_body_size 0"),
        ("502 Bad Gateway", 75, "does not reach it (502)", "systemctl status counter-hub"),
        ("504 Gateway Timeout", 75, "does not reach it (504)", "systemctl status counter-hub"),
        ("400 Bad Request", 69, "is no hub: it answers 400", "begin the address with https://"),
    ])
    func `What other servers answer is said with its remedy`(
        head: String, status: Int32, what: String, remedy: String
    ) throws {
        try OtherServer.answering(head).expect(status, what, remedy)
    }

    @Test(arguments: [("502 Bad Gateway", true), ("413 Content Too Large", false)])
    func `That it is tried again is said where time may mend it`(head: String, mayMend: Bool) throws {
        let server = try OtherServer.answering(head)
        let live = try ChildProcess(
            [BuiltProducts.counter, "sync", server.peer], environment: server.place.environment)
        try eventually("it to have tried twice") { try server.connections() == 2 }
        try live.signal(SIGTERM)
        var said = ""
        while let line = try live.readErrorLine() { said += line }
        #expect(said.contains("It is tried again.") == mayMend, "\(said)")
    }

    @Test func `A proxy that waits for the end of the request is told as one`() throws {
        try OtherServer(nil).expect(75, "no answer within 25 s", "without a limit")
    }

    @Test(arguments: [
        ("SSH-2.0-OpenSSH_9.2\r\n", "speaks no HTTP"), ("", "ends the connection without an answer"),
    ])
    func `What speaks no HTTP is no hub`(answer: String, what: String) throws {
        try OtherServer(answer).expect(69, what, "begin the address with https://")
    }

    /// A server that answers each connection so, and what a door says of it.
    private final class OtherServer {
        let place: Workplace
        let peer: String
        private let program: ChildProcess
        private var count = 0

        static func answering(_ head: String) throws -> OtherServer {
            try OtherServer("HTTP/1.1 \(head)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }

        /// - Parameter answer: Nil for none.
        init(_ answer: String?) throws {
            place = try Workplace(environment: ["COUNTER_HUB_TOKEN": "x"])
            program = try ChildProcess(
                [
                    "python3", "-uc",
                    """
                    import socket, sys
                    server = socket.create_server(("127.0.0.1", 0))
                    print(server.getsockname()[1])
                    while True:
                        client = server.accept()[0]
                        print("connection")
                        client.recv(4096)
                        if len(sys.argv) > 1:
                            client.sendall(sys.argv[1].encode())
                            client.shutdown(socket.SHUT_WR)
                        while client.recv(4096): pass
                    """,
                ] + [answer].compactMap(\.self))
            let port = try #require(try program.readLine())
            peer = "http://127.0.0.1:\(port)"
        }

        /// Waits for the next one, and returns how many there have been.
        func connections() throws -> Int {
            if try program.readLine() != nil { count += 1 }
            return count
        }

        func expect(_ status: Int32, _ texts: String...) throws {
            let once = try place.run(["sync", "--once", peer])
            #expect(once.status == .exited(status), "\(once.errors)")
            for text in texts { #expect(once.errors.contains(text), "\(once.errors)") }
            #expect(!once.errors.contains("tried again"))
        }
    }

    @Test func `A token in a file that others may read is refused`() throws {
        let door = try Door(hub, "left")
        try door.place.write("token", Array((door.token + "\n").utf8))
        let path = door.place.directory + "/token"
        chmod(path, 0o644)
        let refused = try door.sync("--token-file", path, "--join", "all")
        #expect(refused.status == .exited(77) && refused.errors.contains("chmod 600"))
        chmod(path, 0o600)
        let joined = try door.sync(
            "--token-file", path, "--join", "all", environment: ["COUNTER_HUB_TOKEN": nil])
        #expect(joined.status == .exited(0), "\(joined.errors)")
    }

    @Test func `A revoked token ends the connection at once, and says so`() throws {
        let door = try Door(hub, "left")
        try door.join()
        let program = try door.live()
        try hub.awaitMetric("syncs", 1)
        #expect(try hub.command("token", "revoke", "left").status == .exited(0))
        try program.errorLine(with: "does not accept the token")
        try door.add()
        #expect(try hub.metric("syncs") == 0)
        #expect(try hub.count() == "0")
        #expect(try door.place.run("doctor").output.contains("does not accept the token"))
    }

    @Test func `A door takes and gives the locations of its token only`() throws {
        for location in ["default", "Hall"] {
            try hub.place.run("location", "share", location)
            try hub.place.run("add", "5", "--location", location)
        }
        let door = try Door(hub, "left")
        try door.join()
        #expect(try door.count() == "5")
        let exported = try door.place.exported()
        #expect(exported.count == 5, "\(exported)")
        #expect(try door.sync("--join", "default").errors.contains("shares no location 'default'"))
    }

    @Test func `The fingerprint of the hub's key says who it is`() throws {
        let folder = try ScratchFolder()
        let fingerprint = try TestHub.certificate(in: folder)
        let hub = try TestHub(TestHub.tls(folder))
        let door = try Door(hub, "left", scheme: "https", fragment: "#\(fingerprint)")
        try door.join()
        try door.add(3)
        #expect(try door.sync("--once").status == .exited(0))
        try expectAgreement(hub, door, count: "3")
        let plain = try door.sync("--once", to: hub.url("", scheme: "https"))
        #expect(plain.status == .exited(77) && plain.errors.contains("is of no known authority"))
        #expect(plain.errors.contains("#sha256=FINGERPRINT"))
        let another = try TestHub.certificate(in: ScratchFolder())
        let wrong = try door.sync("--once", to: hub.url("", scheme: "https") + "#\(another)")
        #expect(wrong.status == .exited(77) && wrong.errors.contains("has another fingerprint"))
        #expect(wrong.errors.contains("counter-hub certificate"))
    }

    // MARK: The wire

    private static let head = "POST /v1/sync HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n"

    private func open(_ hub: TestHub, _ token: String) throws -> SocketClient {
        let client = try hub.connect()
        try client.send(Self.head + "Authorization: Bearer \(token)\r\n\r\n")
        return client
    }

    private func chunk(_ text: String) -> String { "\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n" }

    @Test(arguments: [
        ("nonsense\n", "does not speak counter sync"), (String(repeating: "x", count: 70_000), "longer than"),
        ("{\"type\":\"ready\"}\n", "ready before hello"),
        (
            "{\"type\":\"hello\",\"text\":\"9\",\"journal\":\"a\",\"name\":\"b\",\"timestamp\":\"2026-01-01T00:00:00Z\"}\n",
            "version 9"
        ),
    ])
    func `What is no line of counter sync ends it with the reason`(text: String, why: String) throws {
        let client = try open(hub, hub.admin)
        try client.take(past: "{\"type\":\"ready\"}\n")
        try client.send(chunk(text))
        let end = try client.readToEnd(timeout: .seconds(10))
        #expect(end.contains("{\"type\":\"end\"") && end.contains(why), "\(end)")
        #expect(end.hasSuffix("\r\n0\r\n\r\n"))
        #expect(try hub.metric("syncs") == 0)
    }

    @Test func `SIGTERM tells the doors, and ends`() throws {
        let client = try open(hub, hub.admin)
        try client.take(past: "{\"type\":\"ready\"}\n")
        try hub.program.signal(SIGTERM)
        #expect(try client.readToEnd(timeout: .seconds(10)).contains("the hub is stopping"))
        #expect(try hub.program.wait(timeout: .seconds(10)) == .exited(0))
    }

    @Test func `A door that does not read costs no memory, and others are served`() throws {
        let hub = try TestHub(["--lines-per-second", "0"])
        let (slow, door) = (try Door(hub, "slow"), try Door(hub, "left"))
        for each in [slow, door] { try each.join() }
        let program = try slow.live()
        try hub.awaitMetric("syncs", 1)
        let carrier = try ChildProcess.run([
            "pgrep", "-f", "counter-sync-hub hub http://127.0.0.1:\(hub.port)",
        ])
        let ids = carrier.output.split(separator: "\n").compactMap { Int32($0) }
        #expect(!ids.isEmpty)
        for id in ids { kill(id, SIGSTOP) }
        defer { for id in ids { kill(id, SIGCONT) } }
        let before = hub.program.process.residentBytes
        for _ in 0..<20 {
            #expect(try hub.post(String(repeating: "{\"delta\":1}\n", count: 1_000)).status == 200)
        }
        #expect(hub.program.process.mostResidentBytes - before < 16 << 20)
        #expect(try door.sync("--once").status == .exited(0))
        #expect(try door.count() == "20000")
        withExtendedLifetime(program) {}
    }
}
