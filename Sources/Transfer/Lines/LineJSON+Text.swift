/// Strings of JSON.
extension LineJSON {
    /// Reads a string.
    mutating func text() throws(LineError) -> String {
        let quote = offset
        guard skip("\"") else { throw garbage() }
        let start = offset
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            guard byte >= 0x20 else { throw wrong("holds a bare control character", at: offset) }
            offset += 1
        }
        if peek == UInt8(ascii: "\\") { return try escapedText(from: start) }
        guard peek != nil else { throw garbage() }
        defer { offset += 1 }
        guard let text = String(validating: bytes[start..<offset], as: UTF8.self) else {
            throw wrong("holds what is no UTF-8", at: quote)
        }
        return text
    }

    private mutating func escapedText(from start: Int) throws(LineError) -> String {
        var text = Array(bytes[start..<offset])
        while let byte = peek {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: text, as: UTF8.self) else {
                    throw wrong("holds what is no UTF-8", at: start)
                }
                return text
            case UInt8(ascii: "\\"): text += String(try escape()).utf8
            case ..<0x20: throw wrong("holds a bare control character", at: offset - 1)
            default: text.append(byte)
            }
        }
        throw garbage()
    }

    private mutating func escape() throws(LineError) -> Unicode.Scalar {
        let start = offset - 1
        guard let byte = peek else { throw garbage() }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            guard let scalar = codePoint() else { throw wrong("holds half a character", at: start) }
            return scalar
        default: throw wrong("holds an unknown escape", at: start)
        }
    }

    /// Reads four hexadecimal digits, or two groups of four for a surrogate pair of UTF-16.
    private mutating func codePoint() -> Unicode.Scalar? {
        guard let unit = hexadecimal() else { return nil }
        guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
        guard skip("\\"), skip("u"), let trail = hexadecimal(), UTF16.isTrailSurrogate(trail) else {
            return nil
        }
        return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
    }

    private mutating func hexadecimal() -> UInt16? {
        let end = offset + 4
        guard end <= bytes.endIndex, bytes[offset] != UInt8(ascii: "+"), bytes[offset] != UInt8(ascii: "-")
        else { return nil }
        defer { offset = end }
        return UInt16(String(decoding: bytes[offset..<end], as: UTF8.self), radix: 16)
    }
}
