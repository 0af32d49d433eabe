import NIOHTTP1

/// The web page: one document, one style, one script, which are in the program. They hold no data; the script asks for it with a token.
enum Page {
    /// The page runs what the hub serves and nothing else, is part of no other page, and talks to no other server.
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    static var routes: [Route] {
        [
            file("/", .html, PackageResources.index_html),
            file("/page.css", .css, PackageResources.page_css),
            file("/page.js", .script, PackageResources.page_js),
        ]
    }

    private static func file(_ path: String, _ type: ContentType, _ bytes: [UInt8]) -> Route {
        let body = String(decoding: bytes, as: UTF8.self)
        return .reading(path, nil) { _ in
            Answer(
                type: type,
                fields: [
                    ("Content-Security-Policy", policy), ("Referrer-Policy", "no-referrer"),
                ], body: body)
        }
    }
}
