import TestSupport
import Testing

/// What the hub serves for a browser. What it shows there: `Tests/Page/run`.
@Suite struct PageTests {
    @Test func `The page needs no token, is small, and loads nothing from elsewhere`() throws {
        let hub = try TestHub()
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
}
