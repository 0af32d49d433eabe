import Glibc
import TestSupport
import Testing

/// `POST /v1/events`, by curl.
@Suite final class EventTests: HubSuite {
    @Test func `A new hub counts the first event of a device, and shows it`() throws {
        #expect(try hub.curl("/healthz") == .init(status: 200, body: "ok\n"))
        let answer = try hub.curl("/v1/events", token: hub.device, ["-d", "{\"delta\":1}"])
        #expect(answer == .init(status: 200, body: "{\"line\":1,\"result\":\"accepted\",\"position\":2}\n"))
        let status = try hub.curl("/v1/status?location=Hall", token: hub.admin)
        #expect(status.body.contains("\"name\":\"Hall\",\"count\":1,"))
        #expect(try hub.count() == "1")
        #expect(try hub.place.exported().first?.contains("door-1") == true)
        #expect(try hub.place.verify().status == .exited(0))
    }

    @Test func `Each line gets its answer, and only those that may count do`() throws {
        let lines = """
            {"delta":1,"sequenceNumber":7}
            {"delta":1,"sequenceNumber":7}

            {"delta":2}
            {"delta":1,"deviceId":"other"}
            {"delta":1,"locationId":"default"}
            {"type":"in","journal":"x","position":1,"timestamp":"2026-01-01T00:00:00Z","locationId":"Hall","delta":1,"deviceId":"d"}
            nonsense
            {"delta":-1,"timestamp":"2026-01-14T13:03:59Z"}
            """
        let answer = try hub.post(lines)
        #expect(answer.status == 200)
        #expect(
            answer.lines == [
                "{\"line\":1,\"result\":\"accepted\",\"position\":2}",
                "{\"line\":2,\"result\":\"duplicate\",\"position\":2}",
                "{\"line\":4,\"result\":\"refused\",\"why\":\"delta is 1 or -1, not 2\"}",
                "{\"line\":5,\"result\":\"refused\",\"why\":\"the sender is the device 'door-1', and no other\"}",
                "{\"line\":6,\"result\":\"refused\",\"why\":\"the sender may not count into the location 'default'\"}",
                "{\"line\":7,\"result\":\"refused\",\"why\":\"the sender may send events only, and no rows\"}",
                "{\"line\":8,\"result\":\"refused\",\"why\":\"is no JSON object (column 1)\"}",
                "{\"line\":9,\"result\":\"accepted\",\"position\":3}",
            ])
        #expect(try hub.count() == "0")
        #expect(try hub.place.exported().contains { $0.hasPrefix("2026-01-14T13:03:59") })
    }

    @Test func `One object may stand on several lines, and a location in the query`() throws {
        let json = ["-H", "Content-Type: application/json", "-d", "{\r\n  \"delta\":\n  1\n}\n"]
        #expect(try hub.curl("/v1/events", token: hub.device, json).lines.count == 1)
        let admin = ["-d", "{\"delta\":1,\"deviceId\":\"button\"}"]
        #expect(try hub.curl("/v1/events?location=Hall", token: hub.admin, admin).status == 200)
        #expect(try hub.curl("/v1/events?location=None", token: hub.admin, admin).status == 404)
        #expect(try hub.curl("/v1/events?location=default", token: hub.device, admin).status == 404)
        #expect(try hub.count() == "2")
        // A door names its devices, and sends rows of its journal.
        let door = try hub.token("entrance", "--door", "--location", "Hall")
        #expect(try hub.curl("/v1/events", token: door, admin).body.contains("accepted"))
        #expect(try hub.post("{\"delta\":1}", token: door).body.contains("deviceId is missing"))
        let row = """
            {"type":"in","timestamp":"2026-01-01T00:00:00Z","locationId":"Hall","delta":1,"deviceId":"d","source":"hardware",\
            "receivedAt":"2026-01-01T00:00:00Z","journal":"5d0c2222222222222222222222222222","position":1}
            """
        #expect(try hub.post(row, token: door).body.contains("accepted"))
    }

    @Test func `Answers come while lines are still sent`() throws {
        let client = try hub.connect()
        try client.send(hub.head())
        for number in 1...3 {
            try client.send("c\r\n{\"delta\":1}\n\r\n")
            try client.take(past: "{\"line\":\(number),\"result\":\"accepted\"")
        }
        try client.send("0\r\n\r\n")
        try client.take(past: "\r\n0\r\n\r\n")
        // The connection serves the next request.
        try client.send("GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n")
        try client.take(past: "ok\n")
    }

    @Test func `Requests in a row on one connection are answered in their order`() throws {
        let event = try hub.head(length: 11) + "{\"delta\":1}"
        let health = "GET /healthz HTTP/1.1\r\nHost: hub\r\n\r\n"
        let last = "GET /healthz HTTP/1.1\r\nHost: hub\r\nConnection: close\r\n\r\n"
        let answers = try hub.exchange(event + health + event + health + last)
        let parts = answers.split(separator: "HTTP/1.1 200 OK\r\n").map {
            String($0.split(separator: "\r\n\r\n")[1])
        }
        #expect(
            parts == [
                "{\"line\":1,\"result\":\"accepted\",\"position\":2}\n", "ok\n",
                "{\"line\":1,\"result\":\"accepted\",\"position\":3}\n", "ok\n", "ok\n",
            ])
    }

    @Test(arguments: ["keep-alive", "close"])
    func `Ten thousand lines are answered one by one, and who has ended its side gets the whole answer`(
        _ connection: String
    ) throws {
        let hub = try TestHub(["--lines-per-second", "0"])
        // More lines than one commit takes.
        let lines = try hub.post(String(repeating: "{\"delta\":1}\n", count: 10_000)).lines
        #expect(lines.count == 10_000)
        #expect(lines.last?.hasPrefix("{\"line\":10000,\"result\":\"accepted\"") == true)
        #expect(try hub.count() == "10000")
        let client = try hub.connect()
        try client.send(
            "GET /v1/rows HTTP/1.1\r\nHost: hub\r\nConnection: \(connection)\r\nAuthorization: Bearer \(hub.admin)\r\n\r\n"
        )
        client.endSending()
        // It reads when the answer is written, of which the kernel takes a part only.
        #expect(try hub.curl("/healthz").status == 200)
        let answer = try client.readToEnd()
        #expect(answer.utf8.count > 230_000)
        #expect(answer.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("{") }.count == 1_000)
    }

    @Test func `More lines of a token than are allowed wait, and then a request is refused`() throws {
        let hub = try TestHub(["--lines-per-second", "1"])
        let start = ContinuousClock.now
        #expect(try hub.post(String(repeating: "{\"delta\":1}\n", count: 7)).lines.count == 7)
        // Five at once, the others one each second.
        #expect(ContinuousClock.now - start > .milliseconds(1_900))
        #expect(try hub.post("{\"delta\":1}").status == 429)
        #expect(try (0..<8).contains { _ in try hub.post("{}", to: "/v1/devices/axis").status == 429 })
        // Another token has a share of its own.
        let other = "{\"delta\":1,\"deviceId\":\"b\"}"
        #expect(try hub.post(other, to: "/v1/events?location=Hall", token: hub.admin).status == 200)
        // What was refused counts nothing.
        #expect(try hub.count() == "8")
    }

    @Test func `A hub whose journal was moved away is not ready until it is back`() throws {
        let folder = try hub.place.directory
        let (path, away) = (folder + "/journal.sqlite", folder + "/away")
        #expect(rename(path, away) == 0)
        #expect(try hub.curl("/readyz", token: hub.admin).status == 503)
        #expect(try hub.post("{\"delta\":1}").status == 503)
        #expect(rename(away, path) == 0)
        #expect(try hub.curl("/readyz", token: hub.admin).status == 200)
        #expect(try hub.post("{\"delta\":1}").status == 200)
    }

    @Test func `While the journal is locked for long, events are not stored and the sender is told`() throws {
        let other = try RawDatabase(hub.place.directory + "/journal.sqlite")
        try other.execute("BEGIN IMMEDIATE")
        let answer = try hub.post("{\"delta\":1}")
        #expect(answer.status == 503)
        #expect(answer.body.contains("not stored"))
        #expect(try hub.curl("/readyz", token: hub.admin).status == 503)
        #expect(try hub.curl("/healthz").status == 200)
        // The next ones are told at once.
        let start = ContinuousClock.now
        #expect(try hub.post("{\"delta\":1}").status == 503)
        #expect(ContinuousClock.now - start < .seconds(3))
        try other.execute("COMMIT")
        #expect(try hub.curl("/readyz", token: hub.admin).status == 200)
        #expect(try hub.post("{\"delta\":1}").status == 200)
        #expect(try hub.count() == "1")
    }
}
