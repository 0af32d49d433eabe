import TestSupport
import Testing

/// Requests that no good client sends, over raw sockets.
@Suite final class AbuseTests: HubSuite {
    private static func post(_ fields: String, _ body: String = "", version: String = "1.1") -> String {
        "POST /v1/events HTTP/\(version)\r\nHost: h\r\n\(fields)\r\n\r\n\(body)"
    }

    private static func get(_ path: String, _ field: String) -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n"
    }

    @Test(arguments: [
        ("two lengths", post("Content-Length: 3\r\nContent-Length: 4", "abcd"), 400),
        (
            "a length and chunks",
            post("Content-Length: 3\r\nTransfer-Encoding: chunked", "0\r\n\r\n"), 400
        ),
        ("a negative length", post("Content-Length: -1"), 400),
        ("another coding", post("Transfer-Encoding: gzip, chunked", "0\r\n\r\n"), 501),
        ("chunks in HTTP/1.0", post("Transfer-Encoding: chunked", "0\r\n\r\n", version: "1.0"), 400),
        ("no host", "GET /healthz HTTP/1.1\r\n\r\n", 400),
        ("two hosts", get("/healthz", "Host: b"), 400),
        ("a host that is none", "GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
        ("no HTTP", "nonsense\r\n\r\n", 400),
        ("a header with a space before its colon", "GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        ("another version", "GET /healthz HTTP/3.0\r\nHost: a\r\n\r\n", 400),
        ("a target that is no path", "GET healthz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("an expectation", get("/healthz", "Expect: money"), 417),
        ("a tunnel", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("half an escape", get("/v1/status?a=%2", "Connection: close"), 400),
        ("a long target", get("/" + String(repeating: "a", count: 9_000), "Connection: close"), 414),
        ("a long field", get("/healthz", "X: " + String(repeating: "a", count: 20_000)), 431),
        ("many fields", get("/healthz", String(repeating: "a: b\r\n", count: 120) + "c: d"), 431),
        ("a body that ends with HTTP/1.0's connection", "POST /v1/events HTTP/1.0\r\n\r\n{\"delta\":1}", 411),
        ("a body where none belongs", get("/healthz", "Content-Length: 1") + "a", 400),
    ])
    func refused(_ name: String, _ request: String, _ status: Int) throws {
        #expect(try hub.exchange(request, endsSending: name == "a tunnel").status == status, "\(name)")
        #expect(try hub.curl("/healthz").status == 200)
    }

    @Test func `A request that asks for another protocol is answered, and nothing after it`() throws {
        let upgrade = "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
        let answer = try hub.exchange(upgrade + "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(answer.split(separator: "HTTP/1.1 200").count == 1)
        #expect(answer.contains("Connection: close\r\n") && answer.hasSuffix("ok\n"))
    }

    @Test func `A client that ends in the middle of a body is told so`() throws {
        #expect(try hub.exchange(hub.head(length: 100) + "{\"del", endsSending: true).status == 400)
        #expect(try hub.count() == "0")
    }

    @Test func `A client that sends all and ends gets its answer`() throws {
        let request = try hub.head(length: 11) + "{\"delta\":1}"
        #expect(try hub.exchange(request, endsSending: true).contains("accepted"))
    }

    @Test func `Who sends no head within ten seconds is told so and closed`() throws {
        let (silent, slow) = (try hub.connect(), try hub.connect())
        try slow.send("GET /healthz HTTP/1.1\r\nHo")
        #expect(try silent.readToEnd() == "")
        #expect(try slow.readToEnd().status == 408)
        #expect(try hub.metric("timeouts_total") == 2)
    }

    @Test func `A body without end takes no memory, and is closed`() throws {
        let client = try hub.connect()
        try client.send(hub.head(length: 10_000_000_000))
        _ = try hub.curl("/healthz")
        let before = try hub.program.process.residentBytes
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        for _ in 0..<100 { try client.send(piece) }
        #expect(try hub.program.process.mostResidentBytes - before < 4 << 20)
    }

    @Test func `Line ends without end are answered no faster than they are read`() throws {
        let hub = try TestHub(["--lines-per-second", "0"])
        let client = try hub.connect()
        try client.send(hub.head(length: 10_000_000_000))
        _ = try hub.curl("/healthz")
        let before = hub.program.process.residentBytes
        // Each is refused with an answer of 70 bytes, which nobody reads.
        let piece = [UInt8](String(repeating: "x\n", count: 1 << 15).utf8)
        var isStopped = false
        for _ in 0..<1_000 where !isStopped {
            var rest = piece[...]
            while !rest.isEmpty, !isStopped {
                let sent = try client.sendNow(rest)
                rest = rest.dropFirst(sent)
                if sent == 0 {
                    // Others are served, and the reading has stopped for good.
                    #expect(try hub.curl("/healthz").status == 200)
                    isStopped = try client.sendNow(rest) == 0
                }
            }
        }
        #expect(isStopped)
        #expect(hub.program.process.mostResidentBytes - before < 4 << 20)
    }

    @Test func `A refused request's body is read for a moment only`() throws {
        let client = try hub.connect()
        try client.send("POST /v1/events HTTP/1.1\r\nHost: h\r\nContent-Length: 10000000000\r\n\r\n")
        let answer = try client.readToEnd()
        #expect(answer.status == 401)
        #expect(answer.contains("Connection: close"))
    }

    @Test func `More connections than allowed are told so, and others are served again`() throws {
        let hub = try TestHub(["--connections-per-address", "3"])
        var open = try (0..<3).map { _ in try hub.connect() }
        for client in open {
            try client.send("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
            try client.take(past: "ok\n")
        }
        #expect(try hub.curl("/healthz").status == 429)
        open.removeAll()
        try eventually("a connection to be free") { try hub.curl("/healthz").status == 200 }
        #expect(try hub.metric("connections_refused_total") ?? 0 >= 1)
    }

    @Test func `At rest it does not wake`() throws {
        #expect(try hub.post("{\"delta\":1}").status == 200)
        let process = try hub.program.process
        // What follows a change by another program goes on for three seconds.
        try eventually("the hub to rest") {
            let before = process.contextSwitches
            pause(.seconds(2))
            return process.contextSwitches == before
        }
        let before = process.contextSwitches
        pause(.seconds(5))
        #expect(process.contextSwitches == before)
        #expect(process.threads.count == 1)
    }
}
