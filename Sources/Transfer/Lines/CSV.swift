import CounterModel

/// Comma-separated values by RFC 4180, one record a line: a line break inside quotes is not taken.
public enum CSV {
    /// One line, without its end. A field holds no control characters; for each there is a space.
    public static func line(_ fields: [String]) -> String {
        fields.map { quoted($0.withSpacesForControls) }.joined(separator: ",")
    }

    private static func quoted(_ field: String) -> String {
        guard field.utf8.contains(where: { $0 == comma || $0 == quote }) else { return field }
        let doubled = field.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
        return "\"\(doubled)\""
    }

    /// The fields of one line, which is UTF-8: no part of another character is a comma or a quote there.
    ///
    /// - Returns: `nil` where a quote is left open or stands in the middle of a field.
    static func fields(of line: ArraySlice<UInt8>) -> [String]? {
        var fields: [String] = []
        var rest = line
        while true {
            guard let field = takeField(&rest) else { return nil }
            fields.append(field)
            guard let separator = rest.popFirst() else { return fields }
            guard separator == comma else { return nil }
        }
    }

    private static func takeField(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard rest.first == quote else {
            let field = rest.prefix { $0 != comma }
            rest = rest[field.endIndex...]
            return field.contains(quote) ? nil : String(decoding: field, as: UTF8.self)
        }
        rest.removeFirst()
        var field: [UInt8] = []
        while let end = rest.firstIndex(of: quote) {
            field += rest[..<end]
            rest = rest[(end + 1)...]
            guard rest.first == quote else { return String(decoding: field, as: UTF8.self) }
            field.append(rest.removeFirst())
        }
        return nil
    }

    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
}

extension String {
    /// Without the spaces and tabs around it.
    var withoutBlanks: String {
        guard utf8.first?.isBlank == true || utf8.last?.isBlank == true else { return self }
        let rest = utf8.drop(while: \.isBlank)
        let end = rest.lastIndex { !$0.isBlank }.map { rest.index(after: $0) } ?? rest.startIndex
        return String(Substring(rest[..<end]))
    }
}

extension UInt8 {
    /// Whether it is a space or a tab in ASCII.
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
