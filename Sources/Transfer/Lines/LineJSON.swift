/// A reader of the texts, numbers and truth values of JSON objects (RFC 8259): what a line of a device or of a file is.
/// For tens of thousands of lines a second it makes nothing but the texts.
struct FlatJSON {
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private let bytes: ArraySlice<UInt8>
    private var place: Int

    /// The members of an object: texts without their escapes, numbers and truth values as they are written. Null, empty
    /// texts, and the objects and arrays in it are left out; of two members with one name the last counts.
    ///
    /// - Parameter bytes: the object, with white space around it at most, and the mark that editors put before a text.
    /// - Returns: `nil` where they are no such object, or no UTF-8.
    static func members(of bytes: ArraySlice<UInt8>) -> [String: String]? {
        let mark = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        var reader = FlatJSON(bytes: bytes, place: bytes.startIndex + mark)
        guard let members = reader.object() else { return nil }
        reader.skipSpace()
        return reader.place == bytes.endIndex ? members : nil
    }

    private mutating func object() -> [String: String]? {
        guard take("{") else { return nil }
        var members: [String: String] = [:]
        if take("}") { return members }
        repeat {
            skipSpace()
            guard let name = text(), take(":"), let value = value() else { return nil }
            members[name] = value.isEmpty ? nil : value
        } while take(",")
        return take("}") ? members : nil
    }

    /// An empty text for null, and for what has parts.
    private mutating func value() -> String? {
        skipSpace()
        switch peek {
        case UInt8(ascii: "\""): return text()
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null").map { _ in "" }
        case UInt8(ascii: "{"), UInt8(ascii: "["): return passOver() ? "" : nil
        default: return number()
        }
    }

    /// Passes over an object or array, whatever its parts are: nothing here is meant by one.
    private mutating func passOver() -> Bool {
        var depth = 0
        repeat {
            guard let byte = peek else { return false }
            switch byte {
            case UInt8(ascii: "\""):
                guard text() != nil else { return false }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            place += 1
        } while depth > 0
        return true
    }

    private mutating func word(_ word: StaticString) -> String? {
        let end = place + word.utf8CodeUnitCount
        guard end <= bytes.endIndex,
            bytes[place..<end].elementsEqual(
                UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        else { return nil }
        place = end
        return word.description
    }

    /// -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?
    private mutating func number() -> String? {
        let start = place
        _ = skip("-")
        let digits = place
        guard skipDigits() else { return nil }
        if bytes[digits] == UInt8(ascii: "0"), place > digits + 1 { return nil }
        if skip("."), !skipDigits() { return nil }
        if skip("e") || skip("E") {
            _ = skip("+") || skip("-")
            guard skipDigits() else { return nil }
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }
}

// MARK: - Texts

extension FlatJSON {
    /// A text in quotes. Most have no escapes, and are taken as they stand.
    private mutating func text() -> String? {
        guard skip("\"") else { return nil }
        let start = place
        while let byte = peek, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
            if byte < 0x20 { return nil }
            place += 1
        }
        if peek == UInt8(ascii: "\\") { return escapedText(from: start) }
        defer { place += 1 }
        return peek == nil ? nil : String(validating: bytes[start..<place], as: UTF8.self)
    }

    private mutating func escapedText(from start: Int) -> String? {
        var text = Array(bytes[start..<place])
        while let byte = peek {
            place += 1
            switch byte {
            case UInt8(ascii: "\""): return String(validating: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let scalar = escape() else { return nil }
                text += String(scalar).utf8
            case ..<0x20: return nil
            default: text.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        guard let byte = peek else { return nil }
        place += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return codePoint()
        default: return nil
        }
    }

    /// Four hexadecimal digits, or two times four where they are a surrogate pair of UTF-16.
    private mutating func codePoint() -> Unicode.Scalar? {
        guard let unit = hexadecimal() else { return nil }
        guard UTF16.isLeadSurrogate(unit) else { return Unicode.Scalar(unit) }
        guard skip("\\"), skip("u"), let trail = hexadecimal(), UTF16.isTrailSurrogate(trail) else {
            return nil
        }
        return UTF16.decode(UTF16.EncodedScalar([unit, trail]))
    }

    private mutating func hexadecimal() -> UInt16? {
        let end = place + 4
        guard end <= bytes.endIndex, bytes[place] != UInt8(ascii: "+"), bytes[place] != UInt8(ascii: "-")
        else { return nil }
        defer { place = end }
        return UInt16(String(decoding: bytes[place..<end], as: UTF8.self), radix: 16)
    }
}

// MARK: - Bytes

extension FlatJSON {
    private var peek: UInt8? { place < bytes.endIndex ? bytes[place] : nil }

    /// Takes a sign, with white space before it.
    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        return skip(sign)
    }

    private mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: sign) else { return false }
        place += 1
        return true
    }

    private mutating func skipDigits() -> Bool {
        let start = place
        while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { place += 1 }
        return place > start
    }

    private mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || 0x9...0xA ~= byte || byte == 0xD { place += 1 }
    }
}
