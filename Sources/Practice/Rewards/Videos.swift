package import CounterModel

package struct ApprovedVideo: Hashable, Identifiable, Sendable {
    /// The video's ID at YouTube: 11 characters of `[0-9A-Za-z_-]`, as ``extractVideoID(from:)`` returned it.
    package internal(set) var id: String
    package var title: String
    /// The length; zero if it is not known.
    package var duration: Duration
    package var addedAt: Timestamp
    /// A group on the treasure screen.
    package var category: String?
    /// In coins.
    package var price = standardPrice
    package var watchCount = 0
    package var lastWatchedAt: Timestamp?

    /// In coins.
    static let standardPrice = 10
    /// The lengths that can be typed, in minutes.
    static let lengths = 1...600

    /// The only address that is opened for it.
    package var link: String { "https://www.youtube.com/watch?v=\(id)" }
}

package struct VideoRecord: Hashable, Identifiable, Sendable {
    /// The number of the record within the player's file.
    package internal(set) var id: Int64
    /// The video's ID at YouTube, and its title then.
    package var videoId: String, videoTitle: String
    package var watchedAt: Timestamp
    /// The time until the key that comes back.
    package var duration: Duration
    /// Whether that was at least the length of the video; `false` if the length is not known.
    package var completed: Bool

    package init(id: Int64, video: ApprovedVideo, watchedAt: Timestamp, duration: Duration) {
        (self.id, videoId, videoTitle) = (id, video.id, video.title)
        (self.watchedAt, self.duration) = (watchedAt, duration)
        completed = video.duration > .zero && duration >= video.duration
    }
}

// MARK: - Addresses

/// Why an address was refused. ``message`` says it to the grown-up.
package enum VideoAddressError: String, Error, CaseIterable, Sendable {
    /// Empty, or with characters that no address of a video needs.
    case characters = "This is no address. Copy the address of the video from the browser."
    /// Another scheme than http and https.
    case scheme = "Only addresses that begin with https:// are taken."
    /// A password too.
    case credentials = "The address has a user name or a port. Copy it from the browser again."
    case host = "Only videos of YouTube are taken: youtube.com, youtu.be or youtube-nocookie.com."
    case page = "This is not the page of one video. Open the video and copy its address."
    case id = "The video's ID must have 11 letters, digits, - or _. Copy the whole address."

    package var message: String { rawValue }
}

extension ApprovedVideo {
    /// The ID of the video that an address shows. White space around the address is ignored, and so are further parameters and
    /// a fragment.
    package static func extractVideoID(from url: String) throws(VideoAddressError) -> String {
        let address = try VideoAddress(url)
        let id = try address.videoId()
        guard admits(id: id) else { throw .id }
        return id
    }

    package static func admits(id: String) -> Bool {
        id.utf8.count == 11 && id.utf8.allSatisfy(VideoAddress.isOfID)
    }
}

/// The parts of an http address that name a video (RFC 3986).
private struct VideoAddress {
    let host: String
    let path: [Substring]
    let query: [Substring]

    init(_ text: String) throws(VideoAddressError) {
        let trimmed = text.drop(while: \.isWhitespace)
        let end = trimmed.lastIndex { !$0.isWhitespace }.map(trimmed.index(after:)) ?? trimmed.startIndex
        var rest = trimmed[..<end]
        guard !rest.isEmpty, rest.utf8.allSatisfy(Self.isOfAddress) else { throw .characters }
        rest = try Self.withoutScheme(rest)
        rest = rest.prefix { $0 != "#" }
        let address = rest.prefix { $0 != "?" }
        let authority = address.prefix { $0 != "/" }
        guard !authority.contains(where: { $0 == "@" || $0 == ":" }) else { throw .credentials }
        host = authority.lowercased()
        path = address.dropFirst(authority.count).split(separator: "/")
        query = rest.dropFirst(address.count + 1).split(separator: "&")
    }

    func videoId() throws(VideoAddressError) -> String {
        if host == "youtu.be" {
            guard path.count == 1 else { throw .page }
            return String(path[0])
        }
        guard Self.hosts.contains(host) else { throw .host }
        if path == ["watch"] {
            let ids = query.filter { $0.hasPrefix("v=") }
            guard ids.count == 1 else { throw .page }
            return String(ids[0].dropFirst(2))
        }
        guard path.count == 2, ["embed", "shorts", "live"].contains(path[0]) else { throw .page }
        return String(path[1])
    }

    private static let hosts = ["youtube.com", "youtube-nocookie.com"].flatMap { domain in
        ["", "www.", "m."].map { $0 + domain }
    }

    /// The address after `https://` or `http://`, which a person may leave out.
    private static func withoutScheme(_ text: Substring) throws(VideoAddressError) -> Substring {
        for scheme in ["https://", "http://"] where text.lowercased().hasPrefix(scheme) {
            return text.dropFirst(scheme.count)
        }
        let beforePath = text.prefix { !"/?#".contains($0) }
        if let colon = beforePath.firstIndex(of: ":"), !beforePath[..<colon].contains(".") { throw .scheme }
        return text
    }

    /// A letter, a digit, `-` or `_`.
    static func isOfID(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// A character of an address, without those that mean something to a shell and that no address of a video needs.
    private static func isOfAddress(_ byte: UInt8) -> Bool {
        isOfID(byte) || "./?#:@&=%+,~".utf8.contains(byte)
    }
}
