/// The key of a location: a letter that counts one up there, and as a capital one down.
package struct LocationKey: Hashable, Codable, Sendable, CustomStringConvertible {
    /// The small letter.
    package let character: Character

    /// Reads a key, small or as a capital.
    ///
    /// - returns: nil where the text is not one letter that has a capital.
    package init?(_ text: String) {
        guard text.count == 1, let letter = text.first, letter.isLetter else { return nil }
        let (small, capital) = (letter.lowercased(), letter.uppercased())
        guard small != capital, small.count == 1, capital.count == 1, let first = small.first else {
            return nil
        }
        character = first
    }

    /// The small letter.
    package var description: String { String(character) }

    /// The letter that counts down.
    package var capital: Character { description.uppercased().first ?? character }

    /// The rule, for error messages.
    package static let text = "a key is one letter, such as a"

    /// Reads the key as `description` writes it.
    package init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let key = LocationKey(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: Self.text))
        }
        self = key
    }

    /// Writes `description`.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
