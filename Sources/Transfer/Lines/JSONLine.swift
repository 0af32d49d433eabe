/// One JSON object on one line, its members in the order in which they were added (RFC 8259).
public struct JSONLine {
    private var members: [String] = []

    /// Creates an object without members.
    public init() {}

    /// The object.
    public var text: String { "{" + members.joined(separator: ",") + "}" }

    /// Adds a string; nothing where there is none.
    public mutating func add(_ name: String, _ value: String?) {
        if let value { members.append("\(Self.quoted(name)):\(Self.quoted(value))") }
    }

    /// Adds a number; nothing where there is none.
    public mutating func add(_ name: String, _ value: Int?) {
        if let value { members.append("\(Self.quoted(name)):\(value)") }
    }

    /// Adds a number that is not whole, as exactly as it is; nothing where there is none, or none that JSON knows.
    public mutating func add(_ name: String, _ value: Double?) {
        if let value, value.isFinite { members.append("\(Self.quoted(name)):\(value)") }
    }

    /// Adds an object; nothing where there is none.
    public mutating func add(_ name: String, _ value: JSONLine?) {
        if let value { members.append("\(Self.quoted(name)):\(value.text)") }
    }

    /// Adds a truth value.
    public mutating func add(_ name: String, _ value: Bool) {
        members.append("\(Self.quoted(name)):\(value)")
    }

    /// Adds a list of strings.
    public mutating func add(_ name: String, _ values: [String]) {
        members.append("\(Self.quoted(name)):[\(values.map(Self.quoted).joined(separator: ","))]")
    }

    /// Adds a list of objects.
    public mutating func add(_ name: String, _ values: [JSONLine]) {
        members.append("\(Self.quoted(name)):[\(values.map(\.text).joined(separator: ","))]")
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            // JSON would take the last of these as they are, a terminal would obey them.
            case _ where scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value:
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
