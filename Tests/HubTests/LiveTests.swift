import TestSupport
import Testing

/// `GET /v1/live`: server-sent events.
@Suite final class LiveTests: HubSuite {
    @Test func `What another program counts is there at once, after the status of each location`() throws {
        let client = try hub.reader(hub.admin)
        try client.take(
            past: "event: status\ndata: {\"locationId\":\"default\",\"name\":\"default\",\"count\":0,")
        try client.take(past: "event: status\ndata: {\"locationId\":\"Hall\",")
        try client.take(past: ": counter-hub\n\n")
        try hub.place.run("add", "--location", "Hall")
        try client.take(past: "id: 2\ndata: {\"type\":\"in\"", timeout: .seconds(10))
        try client.take(past: "\"count\":1}\n\n")
        #expect(try hub.post("{\"delta\":1}").status == 200)
        try client.take(past: "id: 3\n", timeout: .seconds(10))
        #expect(try hub.metric("live_readers") == 1)
    }

    @Test func `A reader goes on where it was, and gets each row once`() throws {
        let hub = try TestHub(["--lines-per-second", "0"])
        #expect(try hub.post(String(repeating: "{\"delta\":1}\n", count: 500)).status == 200)
        let client = try hub.reader(hub.admin, "Last-Event-ID: 100\r\n")
        #expect(try hub.post("{\"delta\":1}").status == 200)
        let text = try client.take(past: "id: 502\n")
        let ids = text.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("id: ") }.compactMap {
            Int($0.dropFirst(4))
        }
        #expect(ids == Array(101...502))
        #expect(!text.contains("event: status"))
        // One that knows more than this journal begins with the present.
        try hub.reader(hub.admin, "Last-Event-ID: 9999\r\n").take(past: "event: status")
    }

    @Test func `What is no position is refused, and not taken for the beginning`() throws {
        for text in ["-1", "x", "1.5", "99999999999999999999"] {
            let answer = try hub.curl("/v1/live", token: hub.admin, ["-H", "Last-Event-ID: \(text)"])
            #expect(
                answer.status == 400 && answer.body.contains("Last-Event-ID is a whole number"), "\(text)")
        }
        try hub.reader(hub.admin, "Last-Event-ID:\r\n").take(past: "event: status")
    }

    @Test func `A reader sees the locations of its token only, and of them the one that it names`() throws {
        let viewer = try hub.token("wall", "--viewer", "--location", "Hall")
        let clients = [try hub.reader(viewer), try hub.reader(hub.admin, of: "Hall")]
        for client in clients {
            let status = try client.take(past: ": counter-hub\n\n")
            #expect(status.contains("Hall") && !status.contains("default"))
        }
        try hub.place.run("add")
        try hub.place.run("add", "--location", "Hall")
        for client in clients { #expect(!(try client.take(past: "id: 3\n")).contains("id: 2\n")) }
        for path in [
            "/v1/status?location=default", "/v1/history?location=default", "/v1/rows?location=default",
        ] {
            #expect(try hub.curl(path, token: viewer).status == 404)
        }
        #expect(try hub.curl("/v1/status", token: viewer).lines.count == 1)
        #expect(try hub.curl("/v1/rows", token: viewer).lines.count == 2)
    }

    @Test func `A slow reader is cut off, and costs no memory`() throws {
        let hub = try TestHub(["--lines-per-second", "0"])
        let slow = try hub.reader(hub.admin)
        let before = hub.program.process.residentBytes
        let lines = String(repeating: "{\"delta\":1}\n", count: 1_000)
        try eventually("the reader to be cut off") {
            #expect(try hub.post(lines).status == 200)
            return try hub.metric("slow_readers_total") == 1
        }
        #expect(try hub.metric("live_readers") == 0)
        #expect(hub.program.process.mostResidentBytes - before < 8 << 20)
        withExtendedLifetime(slow) {}
    }

    @Test func `A reader that has been gone for long catches up as fast as it reads`() throws {
        let hub = try TestHub(["--lines-per-second", "0"])
        for _ in 0..<5 {
            #expect(try hub.post(String(repeating: "{\"delta\":1}\n", count: 1_000)).status == 200)
        }
        let before = hub.program.process.residentBytes
        let client = try hub.reader(hub.admin, "Last-Event-ID: 0\r\n")
        // It reads nothing yet, and is not cut off for that: what it has to catch up with is sent as it reads.
        #expect(try hub.post("{\"delta\":1}").status == 200)
        try client.take(past: "id: 5002\n")
        #expect(hub.program.process.mostResidentBytes - before < 4 << 20)
    }
}
