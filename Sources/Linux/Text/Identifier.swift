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
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
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
        map {
            0x20...0x7E ~= $0 ? String(Unicode.Scalar($0)) : "\\x" + [$0].hexadecimal.uppercased()
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

extension [Character] {
    /// How many letters to remove and to insert to get the other; a replaced letter is two. nil where it is more than `most`. The greedy
    /// algorithm of Myers, An O(ND) Difference Algorithm (1986): the number of steps grows with the length plus the square of `most`.
    fileprivate func edits(to other: Self, atMost most: Int) -> Int? {
        // By how many letters fewer of the other than of this one were passed: how far this one was passed.
        var passed = [1: 0]
        for edits in 0...most {
            for ahead in stride(from: -edits, through: edits, by: 2) {
                let (removed, inserted) = ((passed[ahead - 1] ?? -1) + 1, passed[ahead + 1] ?? -1)
                var index = Swift.max(removed, inserted)
                while index < count, index - ahead < other.count, self[index] == other[index - ahead] {
                    index += 1
                }
                if index >= count, index - ahead >= other.count { return edits }
                passed[ahead] = index
            }
        }
        return nil
    }
}

extension Sequence<String> {
    /// A name with more letters to remove and insert is not meant, however long it is.
    private static var mostEdits: Int { 10 }

    /// The name most like a mistyped one, of either case, or else the only one that has it as a word; nil where none is.
    package func nearest(to typed: String) -> String? {
        guard typed.utf8.count <= 256 else { return nil }
        let letters = Array(typed.lowercased())
        let candidates = compactMap { name -> (name: String, edits: Int)? in
            let others = Array(name.lowercased())
            let most = Swift.min((letters.count + others.count + 2) / 5, Self.mostEdits)
            return letters.edits(to: others, atMost: most).map { (name, $0) }
        }
        return candidates.min { $0.edits < $1.edits }?.name ?? only(withWord: typed.lowercased())
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

// MARK: - Hashes that are stored

/// FNV-1a (draft-eastlake-fnv). It distinguishes texts and files, is the same in every process, and is no cryptographic hash. Generic in
/// this module only, where the compiler specialises it.
private func fnv1a<Hash: FixedWidthInteger>(_ bytes: some Sequence<UInt8>, after hash: Hash, prime: Hash)
    -> Hash
{
    bytes.reduce(hash) { ($0 ^ Hash(truncatingIfNeeded: $1)) &* prime }
}

extension UInt32 {
    package static func fnv1a(_ text: String) -> UInt32 {
        Linux.fnv1a(text.utf8, after: 0x811C_9DC5, prime: 0x0100_0193)
    }
}

extension UInt64 {
    package static func fnv1a(_ text: String) -> UInt64 {
        Linux.fnv1a(text.utf8, after: 0xCBF2_9CE4_8422_2325, prime: 0x100_0000_01B3)
    }
}

extension UInt128 {
    /// The hash of nothing, with which it begins.
    package static var fnv1a: UInt128 { 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d }

    package func addingFNV1a(_ bytes: [UInt8]) -> UInt128 {
        Linux.fnv1a(bytes, after: self, prime: 0x0000_0000_0100_0000_0000_0000_0000_013b)
    }
}
