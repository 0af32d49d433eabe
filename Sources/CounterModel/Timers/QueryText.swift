/// Pairs of names and values as one line of text: `name=value&name=value`, as in the query of a URL (RFC 3986, with
/// percent-encoded bytes). Several pairs may have the same name.
struct QueryText {
    private(set) var pairs: [(name: String, value: String)] = []

    init() {}

    /// Reads a line.
    ///
    /// - returns: nil where a pair has no `=`, or an encoded byte is none.
    init?(_ text: String) {
        for part in text.split(separator: "&") {
            guard let sign = part.firstIndex(of: "="), let name = Self.decoded(part[..<sign]),
                let value = Self.decoded(part[part.index(after: sign)...])
            else { return nil }
            pairs.append((name, value))
        }
    }

    /// The first value of a name.
    subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// All values of a name.
    func values(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

    /// Adds a pair; none where the value is nil.
    mutating func add(_ name: String, _ value: String?) {
        if let value { pairs.append((name, value)) }
    }

    /// Adds a number that differs from the usual one.
    mutating func add(_ name: String, _ number: Int, unless usual: Int) {
        if number != usual { add(name, String(number)) }
    }

    var text: String {
        pairs.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }.joined(separator: "&")
    }

    /// The marks that need no code. The colon is not reserved within a query.
    private static let marks = Set<Character>("-._~:")
    private static let digits = Array("0123456789ABCDEF")

    private static func encoded(_ text: String) -> String {
        text.utf8.reduce(into: "") { result, byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain =
                byte < 0x80 && (character.isLetter || character.isNumber || marks.contains(character))
            result +=
                isPlain ? String(character) : "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 0xF)])"
        }
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let code = String(Substring(rest.prefix(2)))
            guard code.count == 2, let value = UInt8(code, radix: 16) else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
