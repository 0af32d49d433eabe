import CNIOBoringSSL
package import CounterModel
import Glibc
package import Linux
import NIOHTTP1
import Transfer

/// Who may ask the hub for something: a secret of 256 bits, known here by its hash only.
package struct Token {
    package enum Role: String, CaseIterable, Sendable {
        /// May read and send everything.
        case admin
        /// Reads, of its locations or of all.
        case viewer
        /// Reads its locations, and sends events of any device and rows of other journals into them.
        case door
        /// Sends events of one device into its locations.
        case device
    }

    package let name: String
    package let role: Role
    /// The ids of its locations; empty for all.
    package let locations: [Identifier]
    package let createdAt: Timestamp
    let hash: [UInt8]

    /// The device that a token of the role `device` stands for.
    package var device: Identifier? { role == .device ? Identifier(name) : nil }

    /// Of a secret, in characters: 32 bytes in base64url without padding.
    static let secretLength = 43

    /// Makes a token. The secret is shown to its user once, and kept nowhere.
    package static func make(
        _ name: String, _ role: Role, locations: [Identifier], at now: Timestamp
    ) -> (token: Token, secret: String) {
        let secret = Base64.encodeForURL((0..<32).map { _ in UInt8.random(in: 0...255) })
        let token = Token(
            name: name, role: role, locations: locations, createdAt: now, hash: sha256(secret.utf8))
        return (token, secret)
    }

    /// The ids of its locations; nil for all.
    var onlyLocations: [Identifier]? { locations.isEmpty ? nil : locations }

    func admits(_ location: Identifier) -> Bool { onlyLocations?.contains(location) ?? true }

    /// What it may send. Lines that name no location count into `location`, or else its first one.
    func terms(location: Identifier?) -> SenderTerms {
        var terms = SenderTerms()
        terms.device = device
        terms.location = location ?? locations.first
        terms.locations = onlyLocations
        terms.mayOmitTime = true
        terms.sendsRows = role != .device
        return terms
    }
}

/// The tokens of a journal's hub, in a file of mode 0600 beside the journal: a line for each, of fields that are separated by tabs.
package struct TokenFile {
    package static let name = "hub-tokens"
    private static let heading =
        "# Tokens of counter-hub: name, role, SHA-256 of the secret, time, locations. Change it with counter-hub token.\n"

    /// How long a change waits for that of another program.
    private static let patience = Duration.seconds(5)

    private let directory: String
    package var path: String { "\(directory)/\(Self.name)" }

    package init(directory: String) { self.directory = directory }

    private func command(_ words: String...) -> String {
        HubOptions.command(["token"] + words, in: directory)
    }

    /// Empty where there is no file.
    package func tokens() throws(ProgramError) -> [Token] { try read(TextFile.text(ifAny: path) ?? "") }

    private func read(_ text: String) throws(ProgramError) -> [Token] {
        var tokens: [Token] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty && !line.hasPrefix("#") {
            guard let token = Token(line: line) else {
                throw ProgramError(
                    "\(path):\(index + 1): is no token",
                    remedy: "Remove the line, and make the token again: \(command("add", "--help"))",
                    status: EX_DATAERR)
            }
            tokens.append(token)
        }
        return tokens
    }

    /// Adds a token whose name is free.
    package func add(_ token: Token) throws(ProgramError) {
        try change { tokens throws(ProgramError) in
            guard !tokens.contains(where: { $0.name == token.name }) else {
                throw ProgramError(
                    "there is a token '\(token.name)' already",
                    remedy: "Revoke it first: \(command("revoke", token.name))", status: EX_DATAERR)
            }
            tokens.append(token)
        }
    }

    package func revoke(_ name: String) throws(ProgramError) {
        try change { tokens throws(ProgramError) in
            guard tokens.contains(where: { $0.name == name }) else {
                throw ProgramError(
                    "there is no token '\(name)'",
                    remedy: "\(tokens.map(\.name).suggestion(for: name))To see all: \(command("list"))",
                    status: EX_NOINPUT)
            }
            tokens.removeAll { $0.name == name }
        }
    }

    private func change(_ body: (inout [Token]) throws(ProgramError) -> Void) throws(ProgramError) {
        try TextFile.change(path, waitingFor: Self.patience) { text throws(ProgramError) in
            var tokens = try read(text)
            try body(&tokens)
            return Self.heading + tokens.map { $0.line + "\n" }.joined()
        }
    }
}

extension Token {
    fileprivate init?(line: Substring) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count >= 4, let role = Role(rawValue: fields[1]),
            let hash = [UInt8](hexadecimal: fields[2]), hash.count == 32,
            let time = Timestamp(iso8601: fields[3])
        else { return nil }
        self.init(
            name: fields[0], role: role, locations: fields.dropFirst(4).map { Identifier($0) },
            createdAt: time, hash: hash)
    }

    fileprivate var line: String {
        ([name, role.rawValue, hash.hexadecimal, createdAt.iso8601] + locations.map(\.text))
            .joined(separator: "\t")
    }
}

func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var hash = [UInt8](repeating: 0, count: 32)
    let bytes = Array(bytes)
    SHA256(bytes, bytes.count, &hash)
    return hash
}

/// The tokens that a running hub knows, how many lines each may send, and how many wrong ones an address may try.
final class Guard {
    private let linesPerSecond: Int
    var all: [Token] = []
    /// By the hashes of the tokens.
    private var shares: [[UInt8]: LineShare] = [:]
    /// By addresses.
    private var wrongTokens: [String: LineShare] = [:]

    init(linesPerSecond: Int) { self.linesPerSecond = linesPerSecond }

    func share(of token: Token) -> LineShare {
        let share = shares[token.hash] ?? LineShare(perSecond: linesPerSecond)
        shares[token.hash] = share
        return share
    }

    /// The token of a request. An address that guesses is slowed down.
    func authenticate(_ request: Request, from connection: Connection, _ metrics: Metrics) throws(Problem)
        -> Token
    {
        if let secret = request.credential, let token = token(for: secret) { return token }
        let ways = "Bearer realm=\"counter-hub\", Basic realm=\"counter-hub\", charset=\"UTF-8\""
        let problem = Problem(
            .unauthorized, why: request.credential == nil ? "it has no token" : "its token is not valid",
            remedy: "Make one with counter-hub token add, and send it as Authorization: Bearer TOKEN.",
            fields: [("WWW-Authenticate", ways)])
        guard request.credential != nil else { throw problem }
        metrics.wrongTokens += 1
        if wrongTokens.count > 10_000 { wrongTokens.removeAll() }
        let share = wrongTokens[connection.address] ?? LineShare(perSecond: 2)
        wrongTokens[connection.address] = share
        guard share.isAny else {
            throw .busy(
                .tooManyRequests, why: "too many wrong tokens came from this address",
                remedy: "Correct the token, and wait a second.")
        }
        share.take(1)
        throw problem
    }

    /// The token with this secret. Takes the same time for each secret of the same length.
    func token(for secret: String) -> Token? {
        let hash = sha256(secret.utf8)
        var found: Token?
        for token in all {
            let difference = zip(token.hash, hash).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
            if difference == 0 { found = token }
        }
        return found
    }

    func isValid(_ token: Token) -> Bool {
        all.contains { $0.hash == token.hash && $0.role == token.role && $0.locations == token.locations }
    }
}
