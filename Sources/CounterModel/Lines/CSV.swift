/// Comma-separated values by RFC 4180, with one record on each line: line breaks inside quotes are not supported.
package enum CSV {
    /// One record, without a line end. Control characters in fields are replaced by spaces.
    package static func line(_ fields: [String]) -> String {
        fields.map { quoted($0.withSpacesForControls) }.joined(separator: ",")
    }

    private static func quoted(_ field: String) -> String {
        guard field.utf8.contains(where: { $0 == comma || $0 == quote }) else { return field }
        let doubled = field.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
        return "\"\(doubled)\""
    }

    /// The fields of one line of UTF-8, in which the bytes of a separator and a quote are never part of another character; nil where a
    /// quote is not closed, or is in the middle of a field.
    package static func fields(of line: ArraySlice<UInt8>, separator: UInt8 = comma) -> [String]? {
        var fields: [String] = []
        var rest = line
        while true {
            guard let field = takeField(&rest, before: separator) else { return nil }
            fields.append(field)
            guard let next = rest.popFirst() else { return fields }
            guard next == separator else { return nil }
        }
    }

    private static func takeField(_ rest: inout ArraySlice<UInt8>, before separator: UInt8) -> String? {
        guard rest.first == quote else {
            let field = rest.prefix { $0 != separator }
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

    /// The separator of a file, by its first line: a comma or, as spreadsheets of many countries write, a semicolon or a tab.
    package static func separator(in header: ArraySlice<UInt8>) -> UInt8 {
        let candidates = [comma, UInt8(ascii: ";"), UInt8(ascii: "\t")]
        let counts = candidates.map { candidate in header.count { $0 == candidate } }
        return zip(candidates, counts).first { $1 == counts.max() }?.0 ?? comma
    }

    package static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
}

extension String {
    package var withoutBlanks: String {
        guard utf8.first?.isBlank == true || utf8.last?.isBlank == true else { return self }
        let rest = utf8.drop(while: \.isBlank)
        let end = rest.lastIndex { !$0.isBlank }.map { rest.index(after: $0) } ?? rest.startIndex
        return String(Substring(rest[..<end]))
    }
}

extension UInt8 {
    package var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
