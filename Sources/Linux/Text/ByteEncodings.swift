/// Base64 by RFC 4648.
package enum Base64 {
    private static let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
    private static let signs = Array("\(alphanumerics)+/".utf8)
    private static let signsForURL = Array("\(alphanumerics)-_".utf8)

    /// The bytes of a text with or without its padding; nil where it is none.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count) = (UInt32(0), 0)
        for sign in text.utf8.reversed().drop(while: { $0 == UInt8(ascii: "=") }).reversed() {
            guard let value = signs.firstIndex(of: sign) else { return nil }
            (bits, count) = (bits << 6 | UInt32(value), count + 6)
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }

    package static func encode(_ bytes: [UInt8]) -> String {
        let text = encode(bytes, in: signs)
        return text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }

    /// In the alphabet for URLs and file names, without padding.
    package static func encodeForURL(_ bytes: [UInt8]) -> String { encode(bytes, in: signsForURL) }

    private static func encode(_ bytes: [UInt8], in signs: [UInt8]) -> String {
        var text: [UInt8] = []
        var (bits, count) = (0, 0)
        for byte in bytes {
            (bits, count) = (bits << 8 & 0xFFFF | Int(byte), count + 8)
            while count >= 6 {
                count -= 6
                text.append(signs[bits >> count & 63])
            }
        }
        if count > 0 { text.append(signs[bits << (6 - count) & 63]) }
        return String(decoding: text, as: UTF8.self)
    }
}

extension [UInt8] {
    /// The bytes of two hexadecimal digits each, of either case; nil where the text is something else.
    package init?(hexadecimal text: some StringProtocol) {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
        self = stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    package var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

// MARK: - Percent-encoding, by RFC 3986

extension String {
    /// The text with `%XX` for each byte that is no ASCII letter, no digit and none of `marks`.
    package func percentEncoded(besides marks: String) -> String {
        utf8.map { byte in
            let sign = Unicode.Scalar(byte)
            let isPlain =
                sign.isASCII
                && (sign.properties.isAlphabetic || "0"..."9" ~= sign || marks.unicodeScalars.contains(sign))
            return isPlain ? String(sign) : "%" + [byte].hexadecimal.uppercased()
        }.joined()
    }

    /// What `%XX` stands for, and a `+`, which is a blank in a form and itself in a path; nil where that is no UTF-8.
    package init?(percentEncoded text: Substring, plus: Unicode.Scalar = "+") {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: plus))
            case UInt8(ascii: "%"):
                guard let value = [UInt8](hexadecimal: Substring(rest.prefix(2))), value.count == 1 else {
                    return nil
                }
                bytes += value
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        self.init(validating: bytes, as: UTF8.self)
    }
}
