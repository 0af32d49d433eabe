@testable import Practice

/// Addresses as somebody may type them.
enum VideoAddresses {
    /// The ID in all good ones.
    static let id = "dQw4w9WgXcQ"

    /// Addresses of a video.
    static let good = [
        "https://www.youtube.com/watch?v=dQw4w9WgXcQ", "http://www.youtube.com/watch?v=dQw4w9WgXcQ",
        "https://youtube.com/watch?v=dQw4w9WgXcQ", "https://m.youtube.com/watch?v=dQw4w9WgXcQ",
        "youtube.com/watch?v=dQw4w9WgXcQ", "www.youtube.com/watch?v=dQw4w9WgXcQ",
        "HTTPS://WWW.YouTube.COM/watch?v=dQw4w9WgXcQ", "  https://youtu.be/dQw4w9WgXcQ \n",
        "https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=43s",
        "https://www.youtube.com/watch?list=PLx&v=dQw4w9WgXcQ&index=2",
        "https://www.youtube.com/watch?app=desktop&v=dQw4w9WgXcQ#t=30",
        "https://www.youtube.com/watch/?v=dQw4w9WgXcQ", "https://youtu.be/dQw4w9WgXcQ",
        "http://youtu.be/dQw4w9WgXcQ", "youtu.be/dQw4w9WgXcQ", "https://youtu.be/dQw4w9WgXcQ?si=AbC_d-1",
        "https://youtu.be/dQw4w9WgXcQ/", "https://www.youtube.com/embed/dQw4w9WgXcQ",
        "https://www.youtube.com/embed/dQw4w9WgXcQ?rel=0&start=5",
        "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ",
        "https://youtube-nocookie.com/embed/dQw4w9WgXcQ?controls=0",
        "https://www.youtube.com/shorts/dQw4w9WgXcQ",
        "https://m.youtube.com/shorts/dQw4w9WgXcQ?feature=share",
        "https://www.youtube.com/live/dQw4w9WgXcQ", "https://www.youtube.com/live/dQw4w9WgXcQ?si=x",
        "https://www.youtube.com/watch?v=dQw4w9WgXcQ&url=https%3A%2F%2Fevil.example",
    ]

    /// Addresses that are refused, and why.
    static let bad: [(String, VideoAddressError)] = [
        ("", .characters), ("   ", .characters), ("hello world", .characters), ("dQw4w9WgXcQ", .host),
        ("javascript:alert(1)//youtu.be/dQw4w9WgXcQ", .characters),
        ("javascript:alert//youtu.be/dQw4w9WgXcQ", .scheme), ("file:///etc/passwd", .scheme),
        ("ftp://youtube.com/watch?v=dQw4w9WgXcQ", .scheme), ("data:text/html,dQw4w9WgXcQ", .scheme),
        ("--help", .host), ("https://", .host), ("https://evil.example/watch?v=dQw4w9WgXcQ", .host),
        ("https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ", .host),
        ("https://notyoutube.com/watch?v=dQw4w9WgXcQ", .host),
        ("https://evil.example/youtube.com/watch?v=dQw4w9WgXcQ", .host),
        ("https://evil.example/?u=https://youtu.be/dQw4w9WgXcQ", .host),
        ("https://evil.example#youtube.com/watch?v=dQw4w9WgXcQ", .host),
        ("//youtube.com/watch?v=dQw4w9WgXcQ", .host),
        ("https://youtube.com@evil.example/watch?v=dQw4w9WgXcQ", .credentials),
        ("https://user:secret@youtube.com/watch?v=dQw4w9WgXcQ", .credentials),
        ("https://youtube.com:8080/watch?v=dQw4w9WgXcQ", .credentials),
        ("https://youtube.com\\@evil.example/watch?v=dQw4w9WgXcQ", .characters),
        ("https://youtu.be/dQw4w9WgXcQ;reboot", .characters), ("https://youtu.be/$(reboot)", .characters),
        ("https://youtu.be/dQw4w9WgXcQ`id`", .characters),
        ("https://youtu.be/dQw4w9WgXcQ|id", .characters),
        ("https://youtu.be/dQw4w9WgXcQ' --x", .characters),
        ("https://youtu.be/dQw4w9WgXcQ\"", .characters),
        ("https://youtu.be/dQw4w9WgXcQ\nhttps://x", .characters), ("https://yоutube.com/x", .characters),
        ("https://youtu.be/dQw4w9WgXcQ\u{0}", .characters), ("https://youtu.be/dQw4w9WgXcQQ", .id),
        ("https://www.youtube.com/watch?v=dQw4w9WgXcQextra", .id),
        ("https://www.youtube.com/embed/dQw4w9WgXcQ%20", .id), ("https://youtu.be/dQw4w9WgXc", .id),
        ("https://www.youtube.com/watch?v=", .id), ("https://www.youtube.com/watch?v=dQw4w9.gXcQ", .id),
        ("https://www.youtube.com/watch", .page), ("https://www.youtube.com/", .page),
        ("https://youtu.be/", .page), ("https://youtu.be/a/dQw4w9WgXcQ", .page),
        ("https://www.youtube.com/watch?x=dQw4w9WgXcQ", .page),
        ("https://www.youtube.com/watch?v=dQw4w9WgXcQ&v=AAAAAAAAAAA", .page),
        ("https://www.youtube.com/embed/dQw4w9WgXcQ/more", .page),
        ("https://www.youtube.com/playlist?list=PL0123456789", .page),
        ("https://www.youtube.com/@somebody", .page),
        ("https://www.youtube.com/channel/dQw4w9WgXcQ", .page),
        ("https://www.youtube.com/redirect?q=https://evil.example", .page),
    ]
}
