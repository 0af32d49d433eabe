import Glibc

/// A strict parser for a line with one JSON object (RFC 8259), from a device, a file or another journal.
///
/// It returns the texts of known members. All other members are checked just as strictly and dropped. It rejects what RFC
/// 8259 leaves to implementations: a name twice in one object, a number beyond the range of a double, an unpaired surrogate,
/// and more than ``deepest`` levels. It allocates nothing but the texts, so that it parses tens of thousands of lines a
/// second.
struct LineJSON {
    /// The maximum nesting of objects and arrays.
    static let deepest = 500
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    let bytes: ArraySlice<UInt8>
    var offset: Int
    private var depth = 0
    /// The first member whose value has another type than its column.
    private var mistyped: LineError?

    /// Parses an object, optionally with white space around it and a byte order mark: strings without escapes, numbers and Booleans
    /// as written. Null, empty strings, objects and arrays count as missing. `mistyped` is about the first value that has another type
    /// than its column. A `LineError` has the column in bytes, from 1.
    static func read(
        _ bytes: ArraySlice<UInt8>
    ) throws(LineError) -> (fields: [LineColumn: String], mistyped: LineError?) {
        let mark = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        var reader = LineJSON(bytes: bytes, offset: bytes.startIndex + mark)
        let fields = try reader.line()
        reader.skipSpace()
        guard reader.offset == bytes.endIndex else { throw reader.garbage() }
        return (fields, reader.mistyped)
    }

    /// The members of an object as they are written, in their order.
    static func members(_ bytes: ArraySlice<UInt8>) throws(LineError) -> [(name: String, text: String)] {
        var reader = LineJSON(bytes: bytes, offset: bytes.startIndex)
        var members: [(String, String)] = []
        guard reader.take("{") else { throw reader.garbage() }
        repeat {
            reader.skipSpace()
            let start = reader.offset
            let name = try reader.text()
            guard reader.take(":") else { throw reader.garbage() }
            try reader.passValue()
            members.append((name, String(decoding: bytes[start..<reader.offset], as: UTF8.self)))
        } while reader.take(",")
        return members
    }

    private mutating func line() throws(LineError) -> [LineColumn: String] {
        var fields: [LineColumn: String] = [:]
        var empty: Set<LineColumn> = []
        var others: Set<[UInt8]> = []
        guard take("{") else { throw garbage() }
        if take("}") { return fields }
        repeat {
            skipSpace()
            let start = offset
            let name = try text()
            let column = LineColumn.named[name]
            let isNew =
                column.map { fields[$0] == nil && !empty.contains($0) }
                ?? others.insert(Array(name.utf8)).inserted
            guard isNew else { throw wrong("\(name) occurs twice", at: start) }
            guard take(":") else { throw garbage() }
            skipSpace()
            let sign = peek
            let value = try value()
            guard let column else { continue }
            let isEmptyText = sign == UInt8(ascii: "\"") && value.isEmpty
            if let sign, !isEmptyText, let why = column.mistake(ofValue: sign) {
                mistyped = mistyped ?? LineError(why: "\(column.rawValue) \(why)")
            }
            if value.isEmpty { empty.insert(column) } else { fields[column] = value }
        } while take(",")
        guard take("}") else { throw garbage() }
        return fields
    }

    /// The value of a member; an empty text for null, objects and arrays.
    private mutating func value() throws(LineError) -> String {
        skipSpace()
        switch peek {
        case UInt8(ascii: "\""): return try text()
        case UInt8(ascii: "t"): return try word("true")
        case UInt8(ascii: "f"): return try word("false")
        default:
            let start = offset
            try passValue()
            let isNumber = bytes[start].isDigit || bytes[start] == UInt8(ascii: "-")
            return isNumber ? String(decoding: bytes[start..<offset], as: UTF8.self) : ""
        }
    }

    private mutating func passValue() throws(LineError) {
        skipSpace()
        switch peek {
        case UInt8(ascii: "\""): _ = try text()
        case UInt8(ascii: "t"): _ = try word("true")
        case UInt8(ascii: "f"): _ = try word("false")
        case UInt8(ascii: "n"): _ = try word("null")
        case UInt8(ascii: "{"): try takeMembers { (reader, _) throws(LineError) in try reader.passValue() }
        case UInt8(ascii: "["): try takeItems { (reader) throws(LineError) in try reader.passValue() }
        default: try passNumber()
        }
    }

    private mutating func descend() throws(LineError) {
        offset += 1
        depth += 1
        guard depth < Self.deepest else { throw wrong("is nested too deeply", at: offset) }
    }

    private mutating func takeMembers(
        _ value: (inout LineJSON, String) throws(LineError) -> Void
    ) throws(LineError) {
        try descend()
        // Names are compared by bytes, because Swift treats canonically equivalent strings as equal.
        var names: Set<[UInt8]> = []
        if !take("}") {
            repeat {
                skipSpace()
                let start = offset
                let name = try text()
                guard names.insert(Array(name.utf8)).inserted else {
                    throw wrong("\(name) occurs twice", at: start)
                }
                guard take(":") else { throw garbage() }
                try value(&self, name)
            } while take(",")
            guard take("}") else { throw garbage() }
        }
        depth -= 1
    }

    private mutating func takeItems(
        _ item: (inout LineJSON) throws(LineError) -> Void
    ) throws(LineError) {
        try descend()
        if !take("]") {
            repeat { try item(&self) } while take(",")
            guard take("]") else { throw garbage() }
        }
        depth -= 1
    }

    private mutating func word(_ word: StaticString) throws(LineError) -> String {
        let end = offset + word.utf8CodeUnitCount
        guard end <= bytes.endIndex,
            bytes[offset..<end].elementsEqual(
                UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        else { throw garbage() }
        offset = end
        return word.description
    }

    /// Skips a number: -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?
    private mutating func passNumber() throws(LineError) {
        let start = offset
        _ = skip("-")
        let digits = offset
        guard skipDigits() else { throw garbage() }
        if bytes[digits] == UInt8(ascii: "0"), offset > digits + 1 {
            offset = digits + 1
            throw garbage()
        }
        if skip("."), !skipDigits() { throw garbage() }
        let isScaled = skip("e") || skip("E")
        if isScaled {
            _ = skip("+") || skip("-")
            guard skipDigits() else { throw garbage() }
        }
        // Without an exponent, only some 300 digits exceed the range of a double.
        guard isScaled || offset - start > 300 else { return }
        guard let number = Double(String(decoding: bytes[start..<offset], as: UTF8.self)), number.isFinite
        else { throw wrong("holds a number that is too large", at: start) }
    }
}

// MARK: - Values of any shape

/// A JSON value of any shape, for documents whose members are not known beforehand. Read as strictly as a line.
package enum JSONValue: Hashable, Sendable {
    case null
    case flag(Bool)
    /// As it is written: no digit is lost.
    case number(String)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    package init(json bytes: ArraySlice<UInt8>) throws(LineError) { self = try LineJSON.tree(bytes) }
}

extension LineJSON {
    fileprivate static func tree(_ bytes: ArraySlice<UInt8>) throws(LineError) -> JSONValue {
        let mark = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        var reader = LineJSON(bytes: bytes, offset: bytes.startIndex + mark)
        let value = try reader.tree()
        reader.skipSpace()
        guard reader.offset == bytes.endIndex else { throw reader.wrong("is no JSON", at: reader.offset) }
        return value
    }

    private mutating func tree() throws(LineError) -> JSONValue {
        skipSpace()
        let start = offset
        switch peek {
        case UInt8(ascii: "{"):
            var members: [String: JSONValue] = [:]
            try takeMembers { (reader, name) throws(LineError) in members[name] = try reader.tree() }
            return .object(members)
        case UInt8(ascii: "["):
            var items: [JSONValue] = []
            try takeItems { (reader) throws(LineError) in items.append(try reader.tree()) }
            return .list(items)
        case UInt8(ascii: "\""): return .text(try text())
        default:
            try passValue()
            switch bytes[start] {
            case UInt8(ascii: "n"): return .null
            case UInt8(ascii: "t"), UInt8(ascii: "f"): return .flag(bytes[start] == UInt8(ascii: "t"))
            default: return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
            }
        }
    }
}

// MARK: - Errors

extension LineJSON {
    /// The error for invalid JSON at the current byte.
    func garbage() -> LineError { wrong("is no JSON object", at: offset) }

    func wrong(_ what: String, at offset: Int) -> LineError {
        LineError(why: "\(what) (column \(offset - bytes.startIndex + 1))")
    }
}

// MARK: - Bytes

extension LineJSON {
    var peek: UInt8? { offset < bytes.endIndex ? bytes[offset] : nil }

    /// Skips white space, then takes `sign` if it is next.
    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        return skip(sign)
    }

    mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: sign) else { return false }
        offset += 1
        return true
    }

    private mutating func skipDigits() -> Bool {
        let start = offset
        while let byte = peek, byte.isDigit { offset += 1 }
        return offset > start
    }

    mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || 0x9...0xA ~= byte || byte == 0xD { offset += 1 }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}

// MARK: - Strings

extension LineJSON {
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
