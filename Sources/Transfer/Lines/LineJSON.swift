import Glibc

/// A strict reader of one JSON object (RFC 8259), which is a line of a device, of a file or of another journal.
///
/// Of the members that mean something here it keeps the texts. Everything else is checked just as strictly and left out.
/// It refuses what the RFC leaves to agreement: a name twice in one object, a number beyond the range of a double, half a
/// surrogate pair, and more than ``deepest`` levels. For tens of thousands of lines a second it makes nothing but the texts.
struct LineJSON {
    /// How many objects and arrays may lie in one another.
    static let deepest = 500
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    let bytes: ArraySlice<UInt8>
    var place: Int
    private var depth = 0

    /// The members of an object.
    ///
    /// - Parameter bytes: the object, with white space around it at most, and the mark that editors put before a text.
    /// - Returns: texts without their escapes, numbers and truth values as they are written. Null, empty texts, objects and
    ///   arrays count as missing.
    /// - Throws: `LineError` with the column, from 1 and in bytes.
    static func fields(of bytes: ArraySlice<UInt8>) throws(LineError) -> [LineColumn: String] {
        let mark = bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
        var reader = LineJSON(bytes: bytes, place: bytes.startIndex + mark)
        let fields = try reader.line()
        reader.skipSpace()
        guard reader.place == bytes.endIndex else { throw reader.garbage() }
        return fields
    }

    private mutating func line() throws(LineError) -> [LineColumn: String] {
        var fields: [LineColumn: String] = [:]
        var empty: Set<LineColumn> = []
        var others: Set<[UInt8]> = []
        guard take("{") else { throw garbage() }
        if take("}") { return fields }
        repeat {
            skipSpace()
            let start = place
            let name = try text()
            let column = LineColumn.named[name]
            let isNew =
                column.map { fields[$0] == nil && !empty.contains($0) }
                ?? others.insert(Array(name.utf8)).inserted
            guard isNew else { throw wrong("\(name) stands there twice", at: start) }
            guard take(":") else { throw garbage() }
            let value = try value(of: name)
            guard let column else { continue }
            if value.isEmpty { empty.insert(column) } else { fields[column] = value }
        } while take(",")
        guard take("}") else { throw garbage() }
        return fields
    }

    /// The value of a member of the line; an empty text for null and for what has parts.
    private mutating func value(of name: String) throws(LineError) -> String {
        skipSpace()
        switch peek {
        case UInt8(ascii: "\""): return try text()
        case UInt8(ascii: "t"): return try word("true")
        case UInt8(ascii: "f"): return try word("false")
        default:
            let start = place
            try passValue()
            let isNumber = bytes[start].isDigit || bytes[start] == UInt8(ascii: "-")
            return isNumber ? String(decoding: bytes[start..<place], as: UTF8.self) : ""
        }
    }

    /// Passes over a value, whatever it is.
    private mutating func passValue() throws(LineError) {
        skipSpace()
        switch peek {
        case UInt8(ascii: "\""): _ = try text()
        case UInt8(ascii: "t"): _ = try word("true")
        case UInt8(ascii: "f"): _ = try word("false")
        case UInt8(ascii: "n"): _ = try word("null")
        case UInt8(ascii: "{"): try nested { (reader) throws(LineError) in try reader.passObject() }
        case UInt8(ascii: "["): try nested { (reader) throws(LineError) in try reader.passArray() }
        default: try passNumber()
        }
    }

    private mutating func nested(_ body: (inout LineJSON) throws(LineError) -> Void) throws(LineError) {
        place += 1
        depth += 1
        guard depth < Self.deepest else { throw wrong("is nested too deeply", at: place) }
        try body(&self)
        depth -= 1
    }

    private mutating func passObject() throws(LineError) {
        // By bytes: two texts that look alike may be spelt differently.
        var names: Set<[UInt8]> = []
        if take("}") { return }
        repeat {
            skipSpace()
            let start = place
            let name = try text()
            guard names.insert(Array(name.utf8)).inserted else {
                throw wrong("\(name) stands there twice", at: start)
            }
            guard take(":") else { throw garbage() }
            try passValue()
        } while take(",")
        guard take("}") else { throw garbage() }
    }

    private mutating func passArray() throws(LineError) {
        if take("]") { return }
        repeat { try passValue() } while take(",")
        guard take("]") else { throw garbage() }
    }

    private mutating func word(_ word: StaticString) throws(LineError) -> String {
        let end = place + word.utf8CodeUnitCount
        guard end <= bytes.endIndex,
            bytes[place..<end].elementsEqual(
                UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        else { throw garbage() }
        place = end
        return word.description
    }

    /// -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?
    private mutating func passNumber() throws(LineError) {
        let start = place
        _ = skip("-")
        let digits = place
        guard skipDigits() else { throw garbage() }
        if bytes[digits] == UInt8(ascii: "0"), place > digits + 1 {
            throw wrong("is no JSON object", at: digits + 1)
        }
        if skip("."), !skipDigits() { throw garbage() }
        let isScaled = skip("e") || skip("E")
        if isScaled {
            _ = skip("+") || skip("-")
            guard skipDigits() else { throw garbage() }
        }
        // Only an exponent or some 300 digits lead beyond a double.
        guard isScaled || place - start > 300 else { return }
        guard let number = Double(String(decoding: bytes[start..<place], as: UTF8.self)), number.isFinite
        else { throw wrong("holds a number that is too large", at: start) }
    }
}

// MARK: - Errors

extension LineJSON {
    /// What is no JSON, where the reader stands.
    func garbage() -> LineError { wrong("is no JSON object", at: place) }

    func wrong(_ what: String, at place: Int) -> LineError {
        LineError(why: "\(what) (column \(place - bytes.startIndex + 1))")
    }
}

// MARK: - Bytes

extension LineJSON {
    var peek: UInt8? { place < bytes.endIndex ? bytes[place] : nil }

    /// Takes a sign, with white space before it.
    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        skipSpace()
        return skip(sign)
    }

    mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: sign) else { return false }
        place += 1
        return true
    }

    private mutating func skipDigits() -> Bool {
        let start = place
        while let byte = peek, byte.isDigit { place += 1 }
        return place > start
    }

    mutating func skipSpace() {
        while let byte = peek, byte == 0x20 || 0x9...0xA ~= byte || byte == 0xD { place += 1 }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
}
