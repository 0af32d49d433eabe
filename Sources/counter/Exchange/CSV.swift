/// Comma-separated values by RFC 4180, one record a line: a line break inside quotes is not taken.
enum CSV {
    /// One line, without its end.
    static func line(_ fields: [String]) -> String { fields.map(quoted).joined(separator: ",") }

    private static func quoted(_ field: String) -> String {
        // By bytes: as a character CR LF is one of its own, and equal to neither half.
        guard field.utf8.contains(where: { ",\"\r\n".utf8.contains($0) }) else { return field }
        let doubled = field.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
        return "\"\(doubled)\""
    }

    /// The fields of one line.
    ///
    /// It compares scalars and not characters: a comma before a combining mark is a comma.
    ///
    /// - Returns: `nil` where a quote is left open or stands in the middle of a field.
    static func fields(of line: some StringProtocol) -> [String]? {
        var fields: [String] = []
        var rest = Substring(line).unicodeScalars
        while true {
            guard let field = takeField(&rest) else { return nil }
            fields.append(field)
            if rest.isEmpty { return fields }
            guard rest.removeFirst() == "," else { return nil }
        }
    }

    private static func takeField(_ rest: inout Substring.UnicodeScalarView) -> String? {
        guard rest.first == "\"" else {
            let field = rest.prefix { $0 != "," }
            rest = rest.dropFirst(field.count)
            return field.contains("\"") ? nil : String(Substring(field))
        }
        rest.removeFirst()
        var field = ""
        while true {
            let part = rest.prefix { $0 != "\"" }
            field.unicodeScalars.append(contentsOf: part)
            rest = rest.dropFirst(part.count)
            guard rest.popFirst() != nil else { return nil }
            guard rest.first == "\"" else { return field }
            field.unicodeScalars.append(rest.removeFirst())
        }
    }
}
