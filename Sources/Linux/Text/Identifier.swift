/// The id of a device or a location: a text that is equal to another only if it has the same bytes, as in SQLite.
///
/// To Swift "\u{FC}" and "u\u{308}" are equal texts, but as ids they are two devices. An id is therefore never a `String` where it is
/// compared, sorted, or the key of a dictionary; `text` is for showing it.
package struct Identifier: Sendable {
    /// The id as a text.
    package let text: String

    /// The id of a text, as it is.
    package init(_ text: String) { self.text = text }

    /// Whether it has no characters.
    package var isEmpty: Bool { text.isEmpty }
}

extension Identifier: Hashable, Comparable {
    /// Whether two ids have the same bytes.
    package static func == (left: Identifier, right: Identifier) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// The order of the bytes, as that of SQLite's BINARY collation.
    package static func < (left: Identifier, right: Identifier) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Hashes the bytes.
    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension Identifier: ExpressibleByStringInterpolation, CustomStringConvertible, Codable {
    /// The id that a literal is.
    package init(stringLiteral text: String) { self.text = text }

    /// Decodes the text.
    package init(from decoder: any Decoder) throws { text = try String(from: decoder) }

    /// Encodes the text.
    package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }

    /// The text.
    package var description: String { text }
}
