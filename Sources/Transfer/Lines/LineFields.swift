import CounterModel
import Linux

/// The fields of one line, read from CSV or JSON, with typed access.
///
/// `import`, `ingest` and rows of other journals all use this reader.
package struct LineFields {
    private var texts: [LineColumn: String]

    init(_ texts: [LineColumn: String] = [:]) { self.texts = texts }

    /// Reads a line of JSON.
    ///
    /// - Throws: `LineError` where it is not a JSON object, or a member has another type than its column.
    package init(json bytes: ArraySlice<UInt8>) throws(LineError) {
        let (fields, mistyped) = try LineJSON.read(bytes)
        if let mistyped { throw mistyped }
        self.init(fields)
    }

    /// The text of a column, unchanged; nil where it is missing or empty.
    subscript(column: LineColumn) -> String? {
        get { texts[column] }
        set { texts[column] = newValue }
    }

    /// The id in a column; nil where it is missing or empty.
    func id(_ column: LineColumn) -> Identifier? { texts[column].map { Identifier($0) } }

    /// The text of a column without blanks at its ends; nil where nothing is left. For keywords, not for names.
    func word(_ column: LineColumn) -> String? {
        guard let text = texts[column]?.withoutBlanks, !text.isEmpty else { return nil }
        return text
    }

    /// The text of a required column.
    func required(_ column: LineColumn) throws(LineError) -> String {
        guard let text = texts[column] else { throw Self.missing(column) }
        return text
    }

    /// The id in a required column.
    func requiredId(_ column: LineColumn) throws(LineError) -> Identifier { Identifier(try required(column)) }

    /// The integer of an optional column.
    func number(_ column: LineColumn) throws(LineError) -> Int? {
        guard let text = word(column) else { return nil }
        guard let number = Int(text) else {
            throw LineError(why: "\(column.rawValue) is a whole number, not '\(text)'")
        }
        return number
    }

    /// The integer of a required column.
    func requiredNumber(_ column: LineColumn) throws(LineError) -> Int {
        guard let number = try number(column) else { throw Self.missing(column) }
        return number
    }

    /// The time of an optional column.
    func time(_ column: LineColumn) throws(LineError) -> Timestamp? {
        guard let text = word(column) else { return nil }
        guard let time = Timestamp(iso8601: text) else {
            throw LineError(why: "\(column.rawValue) '\(text)' is no time such as 2026-01-14T13:03:59Z")
        }
        return time
    }

    /// The time of a required column.
    func requiredTime(_ column: LineColumn) throws(LineError) -> Timestamp {
        guard let time = try time(column) else { throw Self.missing(column) }
        return time
    }

    /// The floating-point number of an optional column.
    func fraction(_ column: LineColumn) throws(LineError) -> Double? {
        guard let text = word(column) else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw LineError(why: "\(column.rawValue) is a number, not '\(text)'")
        }
        return number
    }

    /// The Boolean of an optional column; false where it is missing.
    func flag(_ column: LineColumn) throws(LineError) -> Bool {
        guard let text = word(column) else { return false }
        guard let flag = Bool(text) else {
            throw LineError(why: "\(column.rawValue) is true or false, not '\(text)'")
        }
        return flag
    }

    /// In or out, from `type`, from `delta`, or from both where they agree.
    ///
    /// - Parameter kinds: The valid values of `type`, for the error message.
    /// - Returns: The type.
    /// - Throws: `LineError`
    func entryType(of kinds: String) throws(LineError) -> EntryType {
        let delta = try number(.delta)
        guard let named = word(.type) else {
            guard let delta else { throw Self.missing(.delta) }
            guard let type = EntryType(delta: delta) else {
                throw LineError(why: "delta is 1 or -1, not \(delta)")
            }
            return type
        }
        guard let type = EntryType(rawValue: named) else {
            throw LineError(why: "type is \(kinds), not '\(named)'")
        }
        guard delta == nil || delta == type.delta else {
            throw LineError(why: "type and delta do not agree")
        }
        return type
    }

    private static func missing(_ column: LineColumn) -> LineError {
        LineError(why: "\(column.rawValue) is missing")
    }
}

/// Why a line is refused.
package struct LineError: Error, Hashable, Sendable {
    /// The column and what is wrong with it.
    package let why: String
}
