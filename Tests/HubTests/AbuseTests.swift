import TestSupport
import Testing

/// Requests that no good client sends, over raw sockets.
@Suite struct AbuseTests {
    @Test(arguments: [
        (
            "two lengths",
            "POST /v1/events HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", 400
        ),
        (
            "a length and chunks",
            "POST /v1/events HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            400
        ),
        ("a negative length", "POST /v1/events HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", 400),
        (
            "another coding",
            "POST /v1/events HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501
        ),
        (
            "chunks in HTTP/1.0",
            "POST /v1/events HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400
        ),
        ("no host", "GET /healthz HTTP/1.1\r\n\r\n", 400),
        ("two hosts", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
        ("a host that is none", "GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n", 400),
        ("no HTTP", "nonsense\r\n\r\n", 400),
        ("a header with a space before its colon", "GET /healthz HTTP/1.1\r\nHost : a\r\n\r\n", 400),
        ("another version", "GET /healthz HTTP/3.0\r\nHost: a\r\n\r\n", 400),
        ("a target that is no path", "GET healthz HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("an expectation", "GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: money\r\n\r\n", 417),
        ("a tunnel", "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("half an escape", "GET /v1/status?a=%2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", 400),
        (
            "a long target",
            "GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            414
        ),
        (
            "a long field",
            "GET /healthz HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 20_000))\r\n\r\n", 431
        ),
        (
            "many fields",
            "GET /healthz HTTP/1.1\r\nHost: a\r\n\(String(repeating: "a: b\r\n", count: 120))\r\n", 431
        ),
        ("a body that ends with HTTP/1.0's connection", "POST /v1/events HTTP/1.0\r\n\r\n{\"delta\":1}", 411),
        ("a body where none belongs", "GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\na", 400),
    ])
    func refused(_ name: String, _ request: String, _ status: Int) throws {
        let hub = try TestHub()
        #expect(try hub.exchange(request, endsSending: name == "a tunnel").status == status, "\(name)")
        #expect(try hub.curl("/healthz").status == 200)
    }

    @Test func `A request that asks for another protocol is answered, and nothing after it`() throws {
        let hub = try TestHub()
        let upgrade = "GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
        let answer = try hub.exchange(upgrade + "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(answer.split(separator: "HTTP/1.1 200").count == 1)
        #expect(answer.contains("Connection: close\r\n") && answer.hasSuffix("ok\n"))
    }

    @Test func `A client that ends in the middle of a body is told so`() throws {
        let hub = try TestHub()
        #expect(try hub.exchange(hub.head(length: 100) + "{\"del", endsSending: true).status == 400)
        #expect(try hub.count() == "0")
    }

    @Test func `A client that sends all and ends gets its answer`() throws {
        let hub = try TestHub()
        let request = hub.head(length: 11) + "{\"delta\":1}"
        #expect(try hub.exchange(request, endsSending: true).contains("accepted"))
    }

    @Test func `Who sends no head within ten seconds is told so and closed`() throws {
        let hub = try TestHub()
        let (silent, slow) = (try hub.connect(), try hub.connect())
        try slow.send("GET /healthz HTTP/1.1\r\nHo")
        #expect(try silent.readToEnd() == "")
        #expect(try slow.readToEnd().status == 408)
        #expect(try hub.metric("timeouts_total") == 2)
    }

    @Test func `A body without end takes no memory, and is closed`() throws {
        let hub = try TestHub()
        let client = try hub.connect()
        try client.send(hub.head(length: 10_000_000_000))
        _ = try hub.curl("/healthz")
        let before = hub.program.process.residentBytes
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 20)
        for _ in 0..<100 { try client.send(piece) }
        #expect(hub.program.process.mostResidentBytes - before < 4 << 20)
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
        let hub = try TestHub()
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
        let hub = try TestHub()
        #expect(try hub.post("{\"delta\":1}").status == 200)
        // What follows a change by another program goes on for three seconds.
        try eventually("the hub to rest") {
            let before = hub.program.process.contextSwitches
            pause(.seconds(2))
            return hub.program.process.contextSwitches == before
        }
        let before = hub.program.process.contextSwitches
        pause(.seconds(5))
        #expect(hub.program.process.contextSwitches == before)
        #expect(hub.program.process.threads.count == 1)
    }
}
