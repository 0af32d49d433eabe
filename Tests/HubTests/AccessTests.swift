import Glibc
import TestSupport
import Testing

/// Who may do what.
@Suite final class AccessTests: HubSuite {
    @Test func `A token is shown once and stored as a hash in a file of its owner's`() throws {
        let hub = try self.hub
        let path = hub.place.directory + "/hub-tokens"
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let text = try ChildProcess.run(["cat", path]).output
        #expect(!text.contains(hub.admin) && text.contains("boss\tadmin\t"))
        // 256 bits in base64url.
        #expect(hub.admin.utf8.count == 43)
        let list = try hub.command("token", "list").output
        #expect(list.contains("door-1  device  Hall") && !list.contains(hub.device))
        let again = try hub.command("token", "add", "boss", "--door", "--location", "default")
        #expect(again.status == .exited(65) && again.errors.contains("already"))
        #expect(!again.errors.contains("is shared"))
        #expect(try hub.command("token", "add", "x", "--device").status == .exited(64))
        #expect(try hub.command("token", "revoke", "bos").errors.contains("Did you mean 'boss'?"))
    }

    @Test func `Each role may do its own`() throws {
        let hub = try self.hub
        let viewer = try hub.token("wall", "--viewer")
        let door = try hub.token("entrance", "--door", "--location", "Hall")
        let reading = ["/v1/status", "/v1/history", "/v1/days", "/v1/rows"]
        for (token, reads, sends, measures) in [
            (hub.admin, 200, 200, 200), (viewer, 200, 403, 200), (door, 200, 200, 403),
            (hub.device, 403, 200, 403),
        ] {
            for path in reading { #expect(try hub.curl(path, token: token).status == reads, "\(path)") }
            let event = try hub.post("{\"delta\":1,\"deviceId\":\"door-1\"}", token: token)
            #expect(event.status == sends)
            #expect(try hub.curl("/metrics", token: token).status == measures)
            #expect(try hub.curl("/readyz", token: token).status == 200)
        }
        for path in reading + ["/v1/live", "/v1/ws", "/readyz", "/metrics"] {
            #expect(try hub.curl(path).status == 401, "\(path)")
        }
    }

    @Test func `A token that nobody could see is not kept`() throws {
        for (target, why) in [("> /dev/full", "No space left"), (">&-", "Bad file descriptor")] {
            let outcome = try ChildProcess.run(
                ["sh", "-c", "'\(BuiltProducts.counterHub)' token add lost --viewer \(target)"],
                environment: hub.place.environment)
            #expect(outcome.status == .exited(74) && outcome.errors.contains(why), "\(target): \(outcome)")
        }
        #expect(!(try hub.command("token", "list").output).contains("lost"))
    }

    @Test func `A change of tokens waits for another one`() throws {
        let lock = try hub.place.directory + "/hub-tokens.lock"
        // Locks as another program does, says so, and goes on when its input ends.
        let other = try ChildProcess(["flock", "-x", lock, "sh", "-c", "echo locked; read line"])
        while let line = try other.readLine(), line != "locked" {}
        let waiting = try ChildProcess(
            [BuiltProducts.counterHub, "token", "add", "wall", "--viewer"], environment: hub.place.environment
        )
        let open = "/proc/\(waiting.process.pid)/fd"
        try eventually("it to have the lock open") {
            try ChildProcess.run(["ls", "-l", open]).output.contains("hub-tokens.lock")
        }
        try other.write("go\n")
        #expect(try waiting.wait(timeout: .seconds(10)) == .exited(0))
    }

    @Test func `Remedies name the directory where it was given, and help the command's own`() throws {
        let folder = try ScratchFolder()
        func refused(_ words: String...) throws -> String {
            try hub.command(words[0], words[1], "--data-dir", folder.path, words[2]).errors
        }
        #expect(
            try refused("token", "revoke", "x").contains("counter-hub token list --data-dir \(folder.path)"))
        #expect(!(try hub.command("token", "revoke", "x").errors).contains("--data-dir"))
        for (words, own) in [
            (["token", "add", "--nonsense"], "token add"), (["token", "--nonsense"], "token"),
            (["certificate", "--nonsense"], "certificate"), (["adapter", "test"], "adapter test"),
        ] {
            let outcome = try TestHub.run(words)
            #expect(
                outcome.status == .exited(64) && outcome.errors.contains("'counter-hub \(own) --help'"),
                "\(outcome.errors)")
        }
        #expect(
            try hub.command("--version").output
                == ChildProcess.run([BuiltProducts.counter, "--version"]).output)
    }

    @Test func `Blanks around a token are none of it, and Basic is asked for too`() throws {
        let hub = try self.hub
        let basic = "Basic Ym9zczo="
        for (field, status) in [
            ("Bearer \(hub.admin) ", 200), ("Bearer   \(hub.admin)\t ", 200), ("bearer \(hub.admin)", 200),
            ("Bearer", 401), ("\(basic) ", 401),
        ] {
            let answer = try hub.exchange(
                "GET /readyz HTTP/1.1\r\nHost: h\r\nConnection: close\r\nAuthorization: \(field)\r\n\r\n")
            #expect(answer.status == status, "\(field)")
            #expect(
                answer.contains("WWW-Authenticate: Bearer realm=\"counter-hub\", Basic") == (status == 401))
        }
    }

    /// A browser sends the password that it was asked for with every request, whichever page makes it.
    @Test func `A page of another origin cannot use the password that a browser knows`() throws {
        func post(_ origin: String) throws -> Int {
            try hub.curl(
                "/v1/events",
                ["-u", "x:\(hub.device)", "-H", "Origin: \(origin)", "-d", "{\"delta\":1}"]
            ).status
        }
        #expect(try post("https://elsewhere.example") == 403)
        #expect(try post(hub.url("")) == 200)
        #expect(try hub.count() == "1")
    }

    @Test func `A report is of the token's only location, or else of the hub's, as counter's are`() throws {
        try hub.place.run("location", "add", "Main Hall")
        func location(_ token: String, _ query: String = "") throws -> String {
            let answer = try hub.curl("/v1/history\(query)", token: token)
            return answer.body.split(separator: "\"").drop { $0 != "locationId" }.dropFirst(2).first.map(
                String.init) ?? "\(answer)"
        }
        #expect(try location(hub.admin) == "default")
        // A plus is a blank, as forms have it.
        #expect(try location(hub.admin, "?location=Main+Hall") == "Main Hall")
        #expect(try location(hub.token("one", "--viewer", "--location", "Hall")) == "Hall")
        let several = try hub.token("two", "--viewer", "--location", "Hall", "--location", "Main Hall")
        #expect(try location(several, "?location=Hall") == "Hall")
        for path in ["/v1/history", "/v1/days"] {
            let refused = try hub.curl(path, token: several)
            #expect(refused.status == 400 && refused.body.contains("Add ?location="), "\(refused)")
        }
        let own = try hub.token("three", "--viewer", "--location", "Hall", "--location", "default")
        #expect(try location(own) == "default")
    }

    @Test func `A history by minute is of seven days at most`() throws {
        #expect(try hub.curl("/v1/history?range=7d&by=minute", token: hub.admin).status == 200)
        for days in [8, 40] {
            let answer = try hub.curl("/v1/history?range=\(days)d&by=minute", token: hub.admin)
            #expect(answer.status == 400 && answer.body.contains("more than 7 days"), "\(answer)")
        }
        #expect(try hub.curl("/v1/history?range=400d&by=hour", token: hub.admin).status == 200)
        #expect(try hub.curl("/v1/history?range=500d&by=hour", token: hub.admin).body.contains("by day"))
    }

    @Test func `A revoked token is useless at once, and who uses it is cut off`() throws {
        let (reader, sender) = (try hub.reader(hub.admin), try hub.connect())
        try reader.take(past: ": counter-hub\n\n")
        try sender.send(hub.head() + "c\r\n{\"delta\":1}\n\r\n")
        try sender.take(past: "accepted")
        #expect(try hub.command("token", "revoke", "boss").status == .exited(0))
        _ = try reader.readToEnd(timeout: .seconds(10))
        #expect(try hub.curl("/v1/status", token: hub.admin).status == 401)
        #expect(try hub.post("{\"delta\":1}").status == 200)
        #expect(try hub.command("token", "revoke", "door-1").status == .exited(0))
        _ = try sender.readToEnd(timeout: .seconds(10))
    }

    @Test func `The file of tokens may be edited, and what is no token is told and changes nothing`() throws {
        let path = try hub.place.directory + "/hub-tokens"
        func write(_ command: String) throws {
            let line = "text=$(\(command)) && echo \"$text\" > '\(path)'"
            #expect(try ChildProcess.run(["sh", "-c", line]).status == .exited(0))
        }
        try write("cat '\(path)' && echo nonsense")
        try hub.said(upTo: "is no token")
        #expect(try hub.post("{\"delta\":1}").status == 200)
        try write("grep -v -e nonsense -e door-1 '\(path)'")
        try eventually("the token to be useless") { try hub.post("{\"delta\":1}").status == 401 }
        #expect(try hub.curl("/v1/status", token: hub.admin).status == 200)
    }

    @Test func `Who guesses is slowed down, and others from there are served`() throws {
        let statuses = try (0..<30).map { try hub.curl("/v1/status", token: "guess-\($0)").status }
        #expect(statuses.first == 401 && statuses.contains(429))
        // On a slow machine some are allowed again meanwhile.
        var guesses = statuses.count
        try eventually("a guess that is slowed down") {
            guesses += 1
            return try hub.curl("/v1/status", token: "guess").body.contains("Correct the token")
        }
        #expect(try hub.curl("/v1/status", token: hub.admin).status == 200)
        #expect(try hub.metric("wrong_tokens_total") == guesses)
    }

    /// By chance one of 2,000 wrong hashes agrees with a right one in any eight of its bits.
    @Test func `No wrong token is taken for another one`() throws {
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
            try TestHub.run(options, in: place)
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
