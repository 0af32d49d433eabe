import TestSupport
import Testing

/// What the hub serves for a browser. What it shows there: `Tests/Page/run`.
@Suite final class PageTests: HubSuite {
    @Test func `The page needs no token, is small, and loads nothing from elsewhere`() throws {
        var size = 0
        for path in ["/", "/page.css", "/page.js"] {
            let answer = try hub.curl(path, ["-i"])
            #expect(answer.status == 200)
            #expect(answer.body.contains("Content-Security-Policy: default-src 'none'; script-src 'self'"))
            #expect(!answer.body.contains("://"))
            size += answer.body.utf8.count
        }
        #expect(size < 60_000)
        #expect(try hub.curl("/").body.contains("<script src=\"/page.js\" defer></script>"))
    }

    @Test func `An admin counts, corrects and ends days by hand, and nobody else`() throws {
        func change(_ body: String, token: String? = nil) throws -> TestHub.Answer {
            try hub.post(body, to: "/v1/changes?location=Hall", token: token ?? hub.admin)
        }
        #expect(try change(#"{"type":"in"}"#).body.contains(#""locationId":"Hall""#))
        #expect(
            try change(#"{"type":"correction","value":46,"reason":"counted"}"#).body.contains(#""count":46"#))
        #expect(try change(#"{"type":"correction","delta":-6,"reason":"left"}"#).status == 200)
        #expect(try change(#"{"type":"out"}"#).status == 200)
        #expect(try hub.count() == "39")
        let entries = try hub.place.run("history", "--entries", "--location", "Hall").output
        #expect(entries.contains("boss") && entries.contains("counted"))
        #expect(try change(#"{"type":"endOfDay"}"#).body.contains(#""count":0"#))
        #expect(try hub.curl("/v1/days?location=Hall", token: hub.admin).body.contains(#""finalLevel":39"#))
        for body in [
            #"{"type":"reset"}"#, #"{"type":"correction","value":1}"#, #"{"type":"correction","reason":"x"}"#,
            "[]",
            #"{"type":"correction","value":1,"reason":" "}"#, #"{"type":"in","delta":5}"#,
        ] { #expect(try change(body).status == 400, "\(body)") }
        #expect(
            try change(#"{"type":"correction","value":1,"delta":1,"reason":"x"}"#).body.contains("not both"))
        let nowhere = try hub.post(#"{"type":"in"}"#, to: "/v1/changes", token: hub.admin)
        #expect(nowhere.body.contains("?location=NAME"))
        #expect(try change(String(repeating: " ", count: 20_000)).status == 413)
        let viewer = try hub.token("wall", "--viewer")
        for token in try [viewer, hub.device] {
            #expect(try change(#"{"type":"in"}"#, token: token).status == 403)
        }
        #expect(try hub.place.verify().status == .exited(0))
    }

    @Test func `A change that is made is answered as one, whatever can be read after it`() throws {
        let body = #"{"type":"in"}"#
        try hub.place.run("location", "set", "Hall", "--name", "Lobby")
        let client = try hub.connect()
        try client.send(
            "POST /t/\(hub.admin)/v1/changes?location=Lobby HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n")
        try client.take(past: "100 Continue\r\n\r\n")
        // Its name is another one when the body comes.
        try hub.place.run("location", "set", "Hall", "--name", "Foyer")
        try client.send(body)
        #expect(try client.take(past: "}\n").status == 200)
        let database = try RawDatabase(hub.place.directory + "/journal.sqlite")
        // What only a status reads.
        try database.execute("ALTER TABLE presence RENAME TO elsewhere")
        #expect(try hub.curl("/v1/status?location=Hall", token: hub.admin).status == 503)
        let answer = try hub.post(body, to: "/v1/changes?location=Hall", token: hub.admin)
        #expect(answer == .init(status: 200, body: #"{"locationId":"Hall","name":"Foyer"}"# + "\n"))
        try database.execute("ALTER TABLE elsewhere RENAME TO presence")
        #expect(try hub.count() == "2")
    }
}
