import Glibc

/// The id of a device or a location: a text that is equal to another only if it has the same bytes, as in SQLite.
///
/// To Swift "\u{FC}" and "u\u{308}" are equal texts, but as ids they are two devices. An id is therefore never a `String` where it is
/// compared, sorted, or the key of a dictionary; `text` is for showing it.
package struct Identifier: Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    package var isEmpty: Bool { text.isEmpty }
}

extension Identifier: Hashable, Comparable {
    package static func == (left: Identifier, right: Identifier) -> Bool {
        // Many bytes at a time: this is asked several times for each row.
        let isEqual = left.text.utf8.withContiguousStorageIfAvailable { left in
            right.text.utf8.withContiguousStorageIfAvailable { right in
                guard left.count == right.count, let first = left.baseAddress, let second = right.baseAddress
                else { return left.count == right.count }
                return memcmp(first, second, left.count) == 0
            }
        }
        return (isEqual ?? nil) ?? left.text.utf8.elementsEqual(right.text.utf8)
    }

    /// As SQLite's BINARY collation.
    package static func < (left: Identifier, right: Identifier) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension Identifier: ExpressibleByStringInterpolation, CustomStringConvertible, Codable {
    package init(stringLiteral text: String) { self.text = text }

    package init(from decoder: any Decoder) throws { text = try String(from: decoder) }

    package func encode(to encoder: any Encoder) throws { try text.encode(to: encoder) }

    package var description: String { text }
}

// MARK: - Bytes

extension Sequence<UInt8> {
    /// The bytes as a text: printable ASCII as it is, all others as `\xC3`.
    package var escaped: String {
        map { byte in
            let digits = String(byte, radix: 16, uppercase: true)
            return 0x20...0x7E ~= byte
                ? String(Unicode.Scalar(byte)) : "\\x" + (byte < 16 ? "0" : "") + digits
        }.joined()
    }
}

extension String {
    /// The name as it is shown beside others: with its bytes escaped where another one looks like it and has other bytes.
    package func distinct(from others: some Sequence<String>) -> String {
        // Swift compares texts as they look: "\u{FC}" and "u\u{308}" are equal.
        others.contains { $0 == self && !$0.utf8.elementsEqual(utf8) } ? utf8.escaped : self
    }
}

// MARK: - Typed names

extension Sequence<String> {
    /// The name that resembles a mistyped one most, or else the only one that has it as a word; nil where none does. Upper and
    /// lower case count as equal.
    package func nearest(to typed: String) -> String? {
        guard typed.utf8.count <= 256 else { return nil }
        let letters = Array(typed.lowercased())
        let candidates = map { name in
            let others = Array(name.lowercased())
            // A replaced letter is one removal and one insertion.
            return (
                name: name, distance: others.difference(from: letters).count,
                limit: (letters.count + others.count + 2) / 5
            )
        }
        let nearest = candidates.filter { $0.distance <= $0.limit }.min { $0.distance < $1.distance }?.name
        return nearest ?? only(withWord: typed.lowercased())
    }

    private func only(withWord word: String) -> String? {
        let names = Set(filter { $0.lowercased().split(separator: " ").contains(Substring(word)) })
        return names.count == 1 ? names.first : nil
    }

    /// The question whether a similar name was meant, with a space after it; empty where no name is similar.
    package func suggestion(for typed: String) -> String {
        nearest(to: typed).map { "Did you mean '\($0.distinct(from: [typed]))'? " } ?? ""
    }
}
