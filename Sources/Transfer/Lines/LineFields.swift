import CounterModel

/// Why a line cannot be taken, in words.
public struct LineError: Error, Hashable, Sendable {
    /// The column and what is wrong with it.
    public let why: String
}

/// What one line says, read from CSV or JSON: the texts of its columns, and what they mean.
///
/// The one reader of lines for `import`, `ingest` and rows of other journals.
public struct LineFields {
    private var texts: [LineColumn: String]

    init(_ texts: [LineColumn: String] = [:]) { self.texts = texts }

    /// Reads a line of JSON.
    ///
    /// - Throws: `LineError` where it is no JSON object.
    public init(json bytes: ArraySlice<UInt8>) throws(LineError) {
        self.init(try LineJSON.fields(of: bytes))
    }

    /// A text of any kind, as it is; nil where it is missing or empty.
    subscript(column: LineColumn) -> String? {
        get { texts[column] }
        set { texts[column] = newValue }
    }

    /// A word that is no name: blanks around it mean nothing, and blanks alone are nothing.
    func word(_ column: LineColumn) -> String? {
        guard let text = texts[column]?.withoutBlanks, !text.isEmpty else { return nil }
        return text
    }

    /// A text that has to be there.
    func required(_ column: LineColumn) throws(LineError) -> String {
        guard let text = texts[column] else { throw Self.missing(column) }
        return text
    }

    /// A whole number that may be there.
    func number(_ column: LineColumn) throws(LineError) -> Int? {
        guard let text = word(column) else { return nil }
        guard let number = Int(text) else {
            throw LineError(why: "\(column.rawValue) is a whole number, not '\(text)'")
        }
        return number
    }

    /// A whole number that has to be there.
    func requiredNumber(_ column: LineColumn) throws(LineError) -> Int {
        guard let number = try number(column) else { throw Self.missing(column) }
        return number
    }

    /// A time that may be there.
    func time(_ column: LineColumn) throws(LineError) -> Timestamp? {
        guard let text = word(column) else { return nil }
        guard let time = Timestamp(iso8601: text) else {
            throw LineError(why: "\(column.rawValue) '\(text)' is no time such as 2026-01-14T13:03:59Z")
        }
        return time
    }

    /// A time that has to be there.
    func requiredTime(_ column: LineColumn) throws(LineError) -> Timestamp {
        guard let time = try time(column) else { throw Self.missing(column) }
        return time
    }

    /// A number that need not be whole.
    func fraction(_ column: LineColumn) throws(LineError) -> Double? {
        guard let text = word(column) else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw LineError(why: "\(column.rawValue) is a number, not '\(text)'")
        }
        return number
    }

    /// A truth value; false where it is missing.
    func flag(_ column: LineColumn) throws(LineError) -> Bool {
        guard let text = word(column) else { return false }
        guard let flag = Bool(text) else {
            throw LineError(why: "\(column.rawValue) is true or false, not '\(text)'")
        }
        return flag
    }

    /// In or out, by `type`, by `delta`, or by both where they agree.
    ///
    /// - Parameter kinds: What `type` can be, for the error.
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
