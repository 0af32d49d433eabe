import Glibc
import TestSupport
import Testing

/// Who may do what.
@Suite struct AccessTests {
    @Test func `A token is shown once and stored as a hash in a file of its owner's`() throws {
        let hub = try TestHub()
        let path = hub.place.directory + "/hub-tokens"
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let text = try ChildProcess.run(["cat", path]).output
        #expect(!text.contains(hub.admin) && text.contains("boss\tadmin\t"))
        // 256 bits in base64url.
        #expect(hub.admin.utf8.count == 43)
        let list = try hub.command("token", "list").output
        #expect(list.contains("door-1  device  Hall") && !list.contains(hub.device))
        let again = try hub.command("token", "add", "boss", "--admin")
        #expect(again.status == .exited(65) && again.errors.contains("already"))
        #expect(try hub.command("token", "add", "x", "--device").status == .exited(64))
        #expect(try hub.command("token", "revoke", "bos").errors.contains("Did you mean 'boss'?"))
    }

    @Test func `Each role may do its own`() throws {
        let hub = try TestHub()
        let viewer = try hub.token("wall", "--viewer")
        let door = try hub.token("entrance", "--door", "--location", "Hall")
        let reading = ["/v1/status", "/v1/history", "/v1/days", "/v1/rows"]
        for (token, reads, sends, measures) in [
            (hub.admin, 200, 200, 200), (viewer, 200, 403, 200), (door, 200, 200, 403),
            (hub.device, 403, 200, 403),
        ] {
            for path in reading { #expect(try hub.curl(path, token: token).status == reads, "\(path)") }
            let event = try hub.curl(
                "/v1/events", token: token, ["-d", "{\"delta\":1,\"deviceId\":\"door-1\"}"])
            #expect(event.status == sends)
            #expect(try hub.curl("/metrics", token: token).status == measures)
            #expect(try hub.curl("/readyz", token: token).status == 200)
        }
        for path in reading + ["/v1/live", "/v1/ws", "/readyz", "/metrics"] {
            #expect(try hub.curl(path).status == 401, "\(path)")
        }
    }

    @Test func `A revoked token is useless at once, and its readers are cut off`() throws {
        let hub = try TestHub()
        let client = try hub.connect()
        try client.send("GET /t/\(hub.admin)/v1/live HTTP/1.1\r\nHost: h\r\n\r\n")
        try client.take(past: ": counter-hub\n\n")
        #expect(try hub.command("token", "revoke", "boss").status == .exited(0))
        _ = try client.readToEnd(timeout: .seconds(10))
        #expect(try hub.curl("/v1/status", token: hub.admin).status == 401)
        #expect(try hub.post("{\"delta\":1}").status == 200)
    }

    @Test func `The file of tokens may be edited in place, and what is no token is told and changes nothing`()
        throws
    {
        let hub = try TestHub()
        let path = hub.place.directory + "/hub-tokens"
        func write(_ command: String) throws {
            let line = "text=$(\(command)) && echo \"$text\" > '\(path)'"
            #expect(try ChildProcess.run(["sh", "-c", line]).status == .exited(0))
        }
        try write("cat '\(path)' && echo nonsense")
        while let line = try hub.program.readErrorLine(), !line.contains("is no token") {}
        #expect(try hub.post("{\"delta\":1}").status == 200)
        try write("grep -v -e nonsense -e door-1 '\(path)'")
        try eventually("the token to be useless") { try hub.post("{\"delta\":1}").status == 401 }
        #expect(try hub.curl("/v1/status", token: hub.admin).status == 200)
    }

    @Test func `Who guesses is slowed down, and others from there are served`() throws {
        let hub = try TestHub()
        let statuses = try (0..<30).map { try hub.curl("/v1/status", token: "guess-\($0)").status }
        #expect(statuses.first == 401 && statuses.contains(429))
        #expect(try hub.curl("/v1/status", token: hub.admin).status == 200)
        #expect(try hub.metric("wrong_tokens_total") == 30)
    }

    /// By chance one of 2,000 wrong hashes agrees with a right one in any eight of its bits.
    @Test func `No wrong token is taken for another one`() throws {
        let hub = try TestHub()
        let client = try hub.connect()
        for guess in 0..<2_000 {
            try client.send("GET /t/guess-\(guess)/readyz HTTP/1.1\r\nHost: h\r\n\r\n")
            let head = try client.take(past: "\r\n\r\n")
            #expect([401, 429].contains(head.status))
            try client.take(past: "}\n")
        }
    }

    @Test func `Other machines are served with TLS only`() throws {
        let place = try Workplace()
        func start(_ options: String...) throws -> ChildProcess.Outcome {
            try ChildProcess.run([BuiltProducts.counterHub] + options, environment: place.environment)
        }
        let refused = try start("--listen", "0.0.0.0:0")
        #expect(refused.status == .exited(64) && refused.errors.contains("--insecure"))
        #expect(try start("--listen", "nowhere").status == .exited(64))
        #expect(try start("--tls-key", "x").status == .exited(64))
        let insecure = try TestHub(["--listen", "0.0.0.0:0", "--insecure"])
        #expect(try insecure.curl("/healthz").status == 200)
        // A second one at the same port.
        let taken = try start("--listen", "127.0.0.1:\(insecure.port)")
        #expect(taken.status == .exited(69) && taken.errors.contains("another port"))
    }
}
