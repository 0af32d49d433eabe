import Glibc
import TestSupport
import Testing

@testable import Hub

/// The hub with the log in a real PostgreSQL.
@Suite struct LogTests {
    /// With a log, and a user for hubs.
    private let database: TestDatabase

    init() throws {
        database = try TestDatabase()
        _ = try TestHub.success(of: ["log", "init", database.url(user: "postgres")])
        try database.sql("CREATE ROLE hub LOGIN IN ROLE counter_hub")
    }

    private func hub(_ url: String, _ options: [String] = []) throws -> TestHub {
        let hub = try TestHub(["--log", url] + options)
        try hub.awaitMetric("log_connected", 1)
        return hub
    }

    private func expectSame(_ hub: TestHub, _ url: String) throws {
        let outcome = try hub.command("log", "check", url)
        #expect(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
        #expect(try hub.place.verify().status == .exited(0))
    }

    /// A request that waits for its answer; at the end it prints the status.
    private func request(_ hub: TestHub, _ path: String, _ body: String, token: String) throws -> ChildProcess
    {
        try ChildProcess([
            "curl", "-sS", "-w", "%{http_code}", "-H", "Authorization: Bearer \(token)", "-d", body,
            hub.url(path),
        ])
    }

    /// A copy of the files of a hub, which goes on afterwards.
    private func copy(of hub: TestHub) throws -> Workplace {
        hub.program.end()
        let copy = try Workplace()
        _ = try ChildProcess.run(["cp", "-a", "\(hub.place.directory)/.", copy.directory])
        try hub.restart()
        return copy
    }

    /// Ends a hub and puts files of a copy in the place of its own.
    private func putBack(_ copy: Workplace, _ files: String, of hub: TestHub) throws {
        hub.program.end()
        let script = "cd \(hub.place.directory) && rm \(files) && cp -a \(copy.directory)/\(files) ."
        #expect(try ChildProcess.run(["sh", "-c", script]).status == .exited(0))
    }

    private let counts = "SELECT count(*) FROM counter.row WHERE kind = 'in'"

    @Test func `Nothing is answered before it is in the log`() throws {
        let hub = try hub(database.url())
        let session = try database.lockedLog()
        let requests = [
            try request(hub, "/v1/events", "{\"delta\":1}", token: hub.device),
            try request(hub, "/v1/devices/shelly/x", #"{"id":1}"#, token: hub.admin),
            try request(hub, "/v1/changes?location=Hall", #"{"type":"in"}"#, token: hub.admin),
        ]
        try hub.awaitMetric("log_waiting", 2)
        // It is counted, and shown.
        try hub.awaitCount(2)
        #expect(requests[0].process.isAlive && requests[2].process.isAlive)
        #expect(try database.sql(counts) == "0")
        session.end()
        for request in requests {
            _ = try request.wait()
            let said = try request.takeOutput()
            #expect(said.hasSuffix("200") || said.hasSuffix("404"), "\(said)")
        }
        #expect(try database.sql(counts) == "2")
        try expectSame(hub, database.url())
    }

    @Test func `While the database is away nothing is taken, and afterwards it goes on by itself`() throws {
        let broker = try TestBroker()
        let hub = try TestHub(
            ["--location", "Hall", "--log", database.url(), "--mqtt", broker.url],
            files: ["hub-adapters.toml": "use = [\"zigbee-button\", \"tasmota\"]\n"])
        try hub.awaitMetric("log_connected", 1)
        try hub.awaitMetric("broker_connected", 1)
        // The second of them changes nothing, and so waits for no row.
        for _ in 0..<2 { try broker.publish("tele/door/SENSOR", "{\"COUNTER\":{\"C1\":100}}") }
        #expect(try hub.post("{\"delta\":1}").status == 200)
        try database.kill()
        try hub.awaitMetric("log_connected", 0)
        let answer = try hub.post("{\"delta\":1}")
        #expect(answer.status == 503 && answer.body.contains("Send them again."), "\(answer)")
        let change = try hub.post(#"{"type":"in"}"#, to: "/v1/changes?location=Hall", token: hub.admin)
        #expect(change.status == 503)
        #expect(try hub.curl("/readyz", token: hub.admin).body.contains("PostgreSQL is away"))
        #expect(try hub.curl("/v1/status?location=Hall", token: hub.admin).body.contains("\"count\":1"))
        try broker.publish("zigbee2mqtt/button", "{\"action\":\"1_single\"}")
        try eventually("a message that waits") { try hub.metric("failed_deliveries_total") ?? 0 > 0 }
        #expect(try hub.count() == "1")
        // What other programs count here goes there later.
        try hub.place.run("add", "--location", "Hall")
        try database.restart()
        try hub.awaitCount(3)
        #expect(try hub.post("{\"delta\":1}").status == 200)
        #expect(try database.sql(counts) == "4")
        try expectSame(hub, database.url())
    }

    @Test func `A hub without a disk is whole again, and hubs on one log agree`() throws {
        let first = try hub(database.url())
        let door = try first.token("door-a", "--door", "--location", "Hall")
        #expect(try first.post(String(repeating: "{\"delta\":1}\n", count: 3_000)).status == 200)
        try first.place.run("location", "set", "Hall", "--capacity", "5000")
        try first.place.run("add", "--location", "Hall")
        try first.place.run("undo", "--location", "Hall")
        let second = try hub(database.url())
        try eventually("the rows of the first") {
            try second.place.run("status", "--json").output == first.place.run("status", "--json").output
        }
        // A door finds the location shared at both.
        _ = try ChildProcess.run(["cp", "\(first.place.directory)/hub-tokens", second.place.directory])
        let place = try Workplace(environment: ["COUNTER_HUB_TOKEN": door])
        try eventually("the token") {
            try place.run("sync", "--join", "all", second.url("")).status == .exited(0)
        }
        try place.run("add", "7", "--location", "Hall")
        #expect(try place.run("sync", "--once", second.url("")).status == .exited(0))
        for hub in [first, second] { try hub.awaitCount(3_007) }
        for hub in [first, second] { try expectSame(hub, database.url()) }
        let third = try TestHub()
        #expect(try third.command("log", "check", database.url()).status == .exited(1))
        #expect(try third.command("log", "restore", database.url()).output.hasSuffix("rows are restored\n"))
        #expect(try third.count() == "3007")
    }

    @Test func `An older copy of the journal gets its rows back, and a log its own`() throws {
        let hub = try hub(database.url())
        #expect(try hub.post("{\"delta\":1}").status == 200)
        let copy = try copy(of: hub)
        #expect(try hub.post("{\"delta\":1}\n{\"delta\":1}").status == 200)
        try putBack(copy, "journal.sqlite*", of: hub)
        #expect(try hub.count() == "1")
        try hub.restart()
        try hub.awaitMetric("log_connected", 1)
        try hub.awaitCount(3)
        #expect(try hub.post("{\"delta\":1}").status == 200)
        try hub.awaitCount(4)
        #expect(try database.sql("SELECT count(DISTINCT journal) FROM counter.row") == "2")
        try expectSame(hub, database.url())
    }

    @Test func `An older copy that was counted on is not served until it has a new id`() throws {
        let hub = try hub(database.url())
        #expect(try hub.post("{\"delta\":1}").status == 200)
        let copy = try copy(of: hub)
        #expect(try hub.post("{\"delta\":1}").status == 200)
        try putBack(copy, "*", of: hub)
        try hub.place.run("add", "4", "--location", "Hall")
        let refused = try hub.command("serve", "--listen", "127.0.0.1:0", "--log", database.url())
        #expect(refused.status == .exited(78) && refused.errors.contains("log fork"), "\(refused.errors)")
        #expect(
            try hub.command("log", "fork", database.url()).output == "rows that have a new journal id: 4\n")
        try hub.restart()
        try hub.awaitMetric("log_connected", 1)
        try hub.awaitCount(6)
        #expect(try hub.post("{\"delta\":1}").status == 200)
        try expectSame(hub, database.url())
    }

    @Test func `An older copy of the journal gets the rows of other hubs back`() throws {
        let (hub, other) = (try hub(database.url()), try hub(database.url()))
        #expect(try hub.post("{\"delta\":1}").status == 200)
        let copy = try copy(of: hub)
        #expect(try other.post("{\"delta\":1}\n{\"delta\":1}").status == 200)
        try hub.awaitCount(3)
        // The note of what was read stays as it was.
        try putBack(copy, "journal.sqlite*", of: hub)
        try hub.place.run("add", "5", "--location", "Hall")
        try hub.restart()
        for hub in [hub, other] { try hub.awaitCount(8) }
        try expectSame(hub, database.url())
    }

    @Test func `A database that does not answer is told, and what waits for it gets an answer`() throws {
        let hub = try hub(database.url())
        let session = try database.lockedLog()
        let request = try request(hub, "/v1/events", "{\"delta\":1}", token: hub.device)
        try hub.awaitMetric("log_connected", 0)
        #expect(try hub.curl("/readyz", token: hub.admin).body.contains("it has not answered for 5 s"))
        #expect(try hub.post("{\"delta\":1}").status == 503)
        _ = try request.wait()
        let said = try request.takeOutput()
        #expect(said.hasSuffix("503") && said.contains("It counts."), "\(said)")
        session.end()
        try hub.awaitMetric("log_connected", 1)
        #expect(try hub.post("{\"delta\":1}").status == 200)
        #expect(try database.sql(counts) == "2")
        try expectSame(hub, database.url())
    }

    @Test(arguments: [false, true])
    func `A hub that stops before the log has what is stored does not ask for it again`(isKnown: Bool) throws
    {
        let hub = try hub(database.url())
        let session = try database.lockedLog()
        let requests = [
            try request(hub, "/v1/events", "{\"delta\":1}", token: hub.device),
            try request(hub, "/v1/changes?location=Hall", #"{"type":"in"}"#, token: hub.admin),
        ]
        let client = try hub.connect()
        try client.send(hub.head(length: 1_000) + "\n{\"delta\":1}\n{\"delta\"")
        try hub.awaitCount(3)
        if isKnown { try hub.awaitMetric("log_connected", 0) }
        try hub.program.signal(SIGTERM)
        let head = try client.take(past: "\r\n\r\n")
        let problem = try client.take(past: "}")
        #expect(head.status == 503 && problem.contains("up to line 2"), "\(problem)")
        for request in requests {
            _ = try request.wait()
            let said = try request.takeOutput()
            #expect(said.hasSuffix("503") && said.contains("It counts."), "\(said)")
        }
        session.end()
    }

    @Test func `While the log confirms nothing, what is sent takes no memory`() throws {
        let hub = try hub(database.url(), ["--lines-per-second", "0"])
        let lines = String(repeating: "{\"delta\":1}\n", count: 1 << 14)
        #expect(try hub.post(lines).status == 200)
        let session = try database.lockedLog()
        let client = try hub.connect()
        try client.send(hub.head(length: 10_000_000_000))
        let before = hub.program.process.residentBytes
        for _ in 0..<200 {
            _ = try client.sendNow(Array(lines.utf8)[...])
            pause(.milliseconds(10))
        }
        #expect(hub.program.process.mostResidentBytes - before < 16 << 20)
        session.end()
    }

    @Test func `A WebSocket that closes is told first what waits for the log`() throws {
        let hub = try hub(database.url())
        let session = try database.lockedLog()
        let socket = try WebSocketTests.Socket(hub, hub.device)
        _ = try socket.head()
        try socket.send(text: "{\"delta\":1}")
        try hub.awaitCount(1)
        try socket.send(8, [3, 232])
        // The close has been read when this is answered.
        #expect(try hub.curl("/healthz").status == 200)
        session.end()
        #expect(try socket.nextText().contains("accepted"))
        #expect(try socket.nextCode() == 1000)
    }

    @Test func `A synchronous standby takes over, and nothing that was answered is missing`() throws {
        let primary = database
        let standby = try TestDatabase(standbyOf: primary)
        try primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        try primary.sql("SELECT pg_reload_conf()")
        try eventually("a synchronous standby") {
            try primary.sql("SELECT sync_state FROM pg_stat_replication") == "sync"
        }
        let url = primary.url(or: standby)
        let hub = try hub(url)
        var answered = 0
        func post() throws {
            if try hub.post("{\"delta\":1,\"sequenceNumber\":\(answered)}").status == 200 { answered += 1 }
        }
        for _ in 0..<20 { try post() }
        try primary.kill()
        try standby.promote()
        while answered < 40 { try post() }
        #expect(try standby.sql(counts) == "40")
        try expectSame(hub, url)
        // The old primary is started again, as a primary, and the hub tries it first.
        try primary.restart()
        try hub.restart()
        try post()
        #expect(try standby.sql(counts) == "41")
        hub.program.end()
        let old = try ChildProcess(
            [BuiltProducts.counterHub, "--listen", "127.0.0.1:0", "--log", primary.url()],
            environment: hub.place.environment)
        try old.errorLine(with: "old primary")
    }

    @Test func `What a standby that was behind has lost is put there again`() throws {
        let primary = database
        let standby = try TestDatabase(standbyOf: primary)
        let url = primary.url(or: standby)
        let hub = try hub(url)
        #expect(try hub.post("{\"delta\":1}").status == 200)
        try eventually("the row at the standby") { try standby.sql(counts) == "1" }
        try standby.kill()
        #expect(try hub.post("{\"delta\":1}\n{\"delta\":1}").status == 200)
        try primary.kill()
        try standby.restart()
        try standby.promote()
        try eventually("all rows", last: { (try? standby.sql(counts)) ?? "" }) {
            try standby.sql(counts) == "3"
        }
        #expect(try hub.post("{\"delta\":1}").status == 200)
        try expectSame(hub, url)
        let said = try hub.saidAtEnd()
        #expect(said.contains { $0.contains("the log has lost rows that it had confirmed") }, "\(said)")
    }

    @Test func `A log that takes no rows is told once, with the reason`() throws {
        let hub = try hub(database.url())
        try database.sql("REVOKE INSERT ON counter.row FROM counter_hub")
        for _ in 0..<2 { #expect(try hub.post("{\"delta\":1}").status == 503) }
        #expect(try hub.curl("/readyz", token: hub.admin).body.contains("permission denied for table row"))
        try database.sql("GRANT INSERT ON counter.row TO counter_hub")
        try hub.awaitMetric("log_connected", 1)
        #expect(try hub.post("{\"delta\":1}").status == 200)
        try expectSame(hub, database.url())
        let said = try hub.saidAtEnd()
        #expect(said.count { $0.contains("permission denied") } == 1, "\(said)")
    }

    @Test func `Rows of the log are never changed, and one that is another one there is told`() throws {
        let hub = try hub(database.url())
        #expect(try hub.post("{\"delta\":1}").status == 200)
        for change in ["UPDATE counter.row SET delta = 2", "DELETE FROM counter.row", "TRUNCATE counter.row"]
        {
            #expect(throws: SupportError.self) { try database.sql(change) }
            #expect(throws: SupportError.self) { try database.sql(change, user: "hub") }
        }
        // The next row's name is taken.
        try database.sql(
            """
            INSERT INTO counter.row SELECT journal, position + 1, hub, number + 1000, kind, location, device, delta, counted_at, ordered_at,
                received_at, row || '{"delta":-1}' FROM counter.row ORDER BY number DESC LIMIT 1
            """)
        #expect(try hub.post("{\"delta\":1}").status == 200)
        #expect(try hub.metric("log_conflicts_total") == 1)
        // Times and ids that are too much for PostgreSQL as they are.
        let year = #"{"timestamp":"0000-01-01T00:00:00Z","delta":1}"#
        let name = String(repeating: "x", count: 6_000)
        let row =
            #"{"type":"in","delta":1,"deviceId":"d","source":"hardware","timestamp":"2026-01-01T00:00:00Z","#
            + #""receivedAt":"2026-01-01T00:00:00Z","orderedAt":"2026-01-01T00:00:00Z","journal":"j","position":1,"locationId":"\#(name)"}"#
        #expect(try hub.post(year).lines.allSatisfy { $0.contains("accepted") })
        #expect(try hub.post(row, token: hub.admin).lines.allSatisfy { $0.contains("accepted") })
        let check = try hub.command("log", "check", database.url())
        #expect(
            check.status == .exited(1) && check.output.contains("others in the log: 1,"), "\(check.output)")
    }
}

/// The log of others: databases that are refused, and programs beside these tests.
@Suite struct OtherLogTests {
    @Test func `A database that may lose what it confirms, or has no log, is refused`() throws {
        let database = try TestDatabase()
        let place = try Workplace()
        func refusal(_ url: String) throws -> ChildProcess.Outcome {
            try TestHub.run(["serve", "--listen", "127.0.0.1:0", "--log", url], in: place)
        }
        let none = try refusal(database.url(user: "postgres"))
        #expect(none.status == .exited(78) && none.errors.contains("counter-hub log init"), "\(none.errors)")
        _ = try TestHub.success(of: ["log", "init", database.url(user: "postgres")])
        try database.sql("CREATE ROLE hub LOGIN")
        let stranger = try TestHub.run(["log", "check", database.url()], in: place)
        #expect(
            stranger.status == .exited(70) && stranger.errors.contains("permission denied"),
            "\(stranger.errors)")
        try database.sql("GRANT counter_hub TO hub")
        for setting in ["synchronous_commit", "full_page_writes"] {
            try database.sql("ALTER SYSTEM SET \(setting) = off")
            try database.sql("SELECT pg_reload_conf()")
            try eventually("the setting") { try database.sql("SHOW \(setting)") == "off" }
            let lax = try refusal(database.url())
            #expect(lax.status == .exited(78) && lax.errors.contains("\(setting) is off"), "\(lax.errors)")
            try database.sql("ALTER SYSTEM RESET \(setting)")
            try database.sql("SELECT pg_reload_conf()")
        }
        #expect(try refusal("mysql://x:secret@host/db").errors.contains("secret") == false)
        try database.sql("UPDATE counter.log SET version = 2")
        #expect(try refusal(database.url()).errors.contains("Install the newer counter-hub"))
    }

    @Test func `The address in a remedy is that of the database, without a password`() throws {
        let url = "postgresql://zo%C3%AB:secret@/b%C3%BCcher%20%27a%27?host=/run/postgresql"
        let address = try LogTarget(url: url).address
        #expect(
            address == "postgresql:///b%C3%BCcher%20%27a%27?host=/run/postgresql&user=zo%C3%AB")
        #expect(try LogTarget(url: address).address == address)
    }

    // MARK: Programs beside these tests

    /// Runs a program of `Tests`, which must succeed.
    private func expectSuccess(of program: String, _ words: [String], on database: TestDatabase? = nil) throws
    {
        let path = "\(#filePath.dropLast("HubTests/LogTests.swift".count))\(program)"
        let environment =
            database.map { ["PGHOST": $0.folder, "PGUSER": "postgres", "PGDATABASE": "log"] } ?? [:]
        // Other suites wait for keys meanwhile.
        let outcome = try ChildProcess.run(["nice", "-n", "10", path] + words, environment: environment)
        #expect(outcome.status == .exited(0), "\(outcome.output)\(outcome.errors)")
    }

    private var programs: String { String(BuiltProducts.counterHub.dropLast("/counter-hub".count)) }

    @Test func `Hubs, databases, broker and network fail at random, and the doors lose nothing`() throws {
        try expectSuccess(of: "Chaos/run", [programs, "--seconds", "30", "--doors", "60"])
    }

    @Test func `The views of the log say what counter says, and each query of the dashboard runs`() throws {
        let database = try TestDatabase()
        let seed = UInt32.random(in: 0 ... .max)
        try expectSuccess(
            of: "Postgres/compare-views", [programs, "\(seed)", "\(Volume.of(sample: 3, full: 300))"],
            on: database)
        try expectSuccess(of: "Postgres/check-dashboard", [], on: database)
    }
}
