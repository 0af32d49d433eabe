package import Linux

/// One JSON object on one line, its members in the order in which they were added (RFC 8259).
package struct JSONLine {
    private var members = ""

    package init() {}

    /// The object.
    package var text: String { "{\(members)}" }

    /// Adds a string; no member for nil.
    package mutating func add(_ name: String, _ value: String?) { add(name, json: value.map(Self.quoted)) }

    /// Adds an id; no member for nil.
    package mutating func add(_ name: String, _ value: Identifier?) { add(name, value?.text) }

    /// Adds an integer; no member for nil.
    package mutating func add(_ name: String, _ value: Int?) { add(name, json: value.map { "\($0)" }) }

    /// Adds a number at full precision, a whole one without a fraction; no member for nil, infinity and NaN.
    package mutating func add(_ name: String, _ value: Double?) {
        guard let value, value.isFinite else { return }
        add(name, json: Int64(exactly: value).map { "\($0)" } ?? "\(value)")
    }

    /// Adds an object; no member for nil.
    package mutating func add(_ name: String, _ value: JSONLine?) { add(name, json: value?.text) }

    /// Adds a Boolean; no member for nil.
    package mutating func add(_ name: String, _ value: Bool?) { add(name, json: value.map { "\($0)" }) }

    /// Adds a list of strings.
    package mutating func add(_ name: String, _ values: [String]) { add(name, json: Self.list(values)) }

    /// A list of strings, which is no object.
    package static func list(_ values: [String]) -> String {
        "[\(values.map(quoted).joined(separator: ","))]"
    }

    /// Adds a list of objects.
    package mutating func add(_ name: String, _ values: [JSONLine]) {
        add(name, json: "[\(values.map(\.text).joined(separator: ","))]")
    }

    private mutating func add(_ name: String, json value: String?) {
        if let value { add(member: "\(Self.quoted(name)):\(value)") }
    }

    /// Adds a member that is written already, `"name":value`.
    mutating func add(member: String) {
        if !members.isEmpty { members += "," }
        members += member
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
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
