/// One JSON object on one line, its members in the order in which they are written (RFC 8259).
package struct JSONLine: ExpressibleByDictionaryLiteral {
    /// A value for programs. A member whose value is nil is left out.
    package enum Value {
        case text(String?), number(Int?), flag(Bool?)
        /// At full precision, a whole one without a fraction; nothing for infinity and NaN.
        case decimal(Double?)
        /// In UTC.
        case time(Timestamp?)
        /// In a location's zone, with its offset from UTC.
        case local(Timestamp?, ZoneOffsets)
        case list([String]?)
        case object(JSONLine?), objects([JSONLine]?)

        fileprivate var json: String? {
            switch self {
            case .text(let text): text.map(JSONLine.quoted)
            case .number(let number): number.map { "\($0)" }
            case .flag(let flag): flag.map { "\($0)" }
            case .decimal(let number?) where number.isFinite:
                Int64(exactly: number).map { "\($0)" } ?? "\(number)"
            case .decimal: nil
            case .time(let time): time.map { JSONLine.quoted($0.iso8601) }
            case .local(let time, let zone): time.map { JSONLine.quoted(zone.rfc3339($0)) }
            case .list(let texts): texts.map(JSONLine.list)
            case .object(let object): object?.text
            case .objects(let objects): objects.map { "[\($0.map(\.text).joined(separator: ","))]" }
            }
        }
    }

    private var members: String

    package init(dictionaryLiteral members: (String, Value)...) { self.init(members) }

    package init(_ members: [(String, Value)]) {
        self.init(
            written: members.compactMap { name, value in value.json.map { "\(Self.quoted(name)):\($0)" } })
    }

    /// An object of members that are written already, `"name":value`.
    init(written members: [String]) { self.members = members.joined(separator: ",") }

    package var text: String { "{\(members)}" }

    /// Adds the members of another object.
    package mutating func add(_ other: JSONLine) {
        if !members.isEmpty, !other.members.isEmpty { members += "," }
        members += other.members
    }

    /// A list of strings, which is no object.
    package static func list(_ values: [String]) -> String {
        "[\(values.map(quoted).joined(separator: ","))]"
    }

    private static func quoted(_ text: String) -> String {
        // 0xC2 begins U+0080 to U+00BF.
        let isPlain = text.utf8.allSatisfy {
            $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F && $0 != 0xC2
        }
        if isPlain { return "\"\(text)\"" }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            // JSON allows U+007F to U+009F unescaped, but a terminal would execute them.
            case _ where scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value:
                result += "\\u" + scalar.value.padded(to: 4, radix: 16)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
