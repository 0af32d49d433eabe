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
}
