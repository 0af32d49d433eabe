import CCurl
import Glibc
import Linux

/// Where a hub is: `https://HOST[:PORT][/PATH][#sha256=FINGERPRINT]`.
struct HubAddress {
    /// Without the fingerprint: how the hub is called.
    let name: String
    let host: String
    let isSecure: Bool
    /// The SHA-256 of the hub's key, as CURLOPT_PINNEDPUBLICKEY has it; nil where its certificate has to be of a known authority.
    let pin: String?

    /// `isInsecure`: whether the token may go to another machine without TLS.
    init(_ text: String, isInsecure: Bool) throws(ProgramError) {
        func wrong(_ why: String, remedy: String) -> ProgramError {
            ProgramError("'\(text)': \(why)", remedy: remedy, status: EX_USAGE)
        }
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        name = String(parts[0])
        let example = "Such as https://hub.example:8484, or https://hub.local:8484#sha256=FINGERPRINT."
        guard let host = Self.host(of: name) else { throw wrong("is no address of a hub", remedy: example) }
        self.host = host
        isSecure = name.hasPrefix("https:")
        pin = parts.count > 1 ? Self.pin(ofFingerprint: parts[1]) : nil
        guard parts.count == 1 || pin != nil else {
            throw wrong(
                "its fingerprint is no SHA-256", remedy: "On the hub, counter-hub certificate prints it.")
        }
        guard isSecure || pin == nil else {
            throw wrong("without TLS there is no key to compare", remedy: "Begin it with https://")
        }
        guard isSecure || Self.isLoopback(host) || isInsecure else {
            throw wrong(
                "without TLS everybody on the way could read the token",
                remedy: "Begin it with https://\nIn a network where nobody listens: --insecure")
        }
    }

    /// The host; nil where it is no URL for HTTP, or has a user, whose password would be on the command line.
    private static func host(of text: String) -> String? {
        let url = curl_url()
        defer { curl_url_cleanup(url) }
        guard text.hasPrefix("https://") || text.hasPrefix("http://"),
            curl_url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK, part(CURLUPART_USER, of: url) == nil,
            part(CURLUPART_QUERY, of: url) == nil
        else { return nil }
        return part(CURLUPART_HOST, of: url)
    }

    private static func part(_ part: CURLUPart, of url: OpaquePointer?) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    private static func pin(ofFingerprint text: Substring) -> String? {
        guard text.hasPrefix("sha256="), let bytes = [UInt8](hexadecimal: text.dropFirst(7)),
            bytes.count == 32
        else { return nil }
        return "sha256//\(Base64.encode(bytes))"
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host.hasPrefix("127.") || host == "[::1]"
    }

    /// The target of a connection.
    var url: String { name + (name.hasSuffix("/") ? "" : "/") + "v1/sync" }
}

/// The token of a hub: of a file that only this user can read, or of `COUNTER_HUB_TOKEN`, never of the command line.
enum HubToken {
    private static let variable = "COUNTER_HUB_TOKEN"

    /// `file`: empty for that of the variable, or else `hub-token` beside the configuration.
    static func read(file: String) throws(ProgramError) -> String {
        if file.isEmpty, let token = environmentVariable(variable), !token.isEmpty {
            return try checked(token, of: "the variable \(variable)")
        }
        let path =
            try file.isEmpty
            ? ProgramFiles.directory("XDG_CONFIG_HOME", fallback: ".config") + "/counter/hub-token" : file
        if file.isEmpty, access(path, F_OK) != 0 {
            throw ProgramError(
                "there is no token for the hub",
                remedy: "Make one on the hub: counter-hub token add NAME --door --location LOCATION\n"
                    + "Here, write it to \(path), with mode 0600, or name a file with --token-file.",
                status: EX_CONFIG)
        }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & 0o077 != 0 {
            throw ProgramError(
                "\(path): other users may read the token", remedy: "chmod 600 \(path.quotedForShell)",
                status: EX_NOPERM)
        }
        return try checked(TextFile(path: path, name: path).text, of: path)
    }

    private static func checked(_ text: String, of source: String) throws(ProgramError) -> String {
        let token = text.filter { !$0.isWhitespace }
        guard !token.isEmpty, token.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw ProgramError(
                "\(source): has no token", remedy: "It is what counter-hub token add has printed.",
                status: EX_DATAERR)
        }
        return token
    }
}
