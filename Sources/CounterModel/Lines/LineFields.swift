package import Linux

/// The fields of one line of CSV or JSON: of a file, of a device, or a row of another journal.
package struct LineFields {
    private var texts: [LineColumn: String]
    /// The names that the columns have in the file, where they have others.
    private let titles: [LineColumn: String]

    package init(_ texts: [LineColumn: String] = [:], titles: [LineColumn: String] = [:]) {
        (self.texts, self.titles) = (texts, titles)
    }

    /// Reads a JSON object whose members have the types of their columns.
    package init(json bytes: ArraySlice<UInt8>) throws(LineError) {
        let (fields, mistyped) = try LineJSON.read(bytes)
        if let mistyped { throw mistyped }
        self.init(fields)
    }

    /// The members of a JSON object as they are written, `"name":value`, in their order.
    package static func members(
        json bytes: ArraySlice<UInt8>
    ) throws(LineError) -> [(name: String, text: String)] { try LineJSON.members(bytes) }

    /// The text, unchanged; nil where it is missing or empty.
    package subscript(column: LineColumn) -> String? {
        get { texts[column] }
        set { texts[column] = newValue }
    }

    package func id(_ column: LineColumn) -> Identifier? { texts[column].map { Identifier($0) } }

    /// The text of a column without blanks at its ends; nil where nothing is left. For keywords, not for names.
    package func word(_ column: LineColumn) -> String? {
        guard let text = texts[column]?.withoutBlanks, !text.isEmpty else { return nil }
        return text
    }

    package func required(_ column: LineColumn) throws(LineError) -> String {
        guard let text = texts[column] else { throw missing(column) }
        return text
    }

    package func requiredId(_ column: LineColumn) throws(LineError) -> Identifier {
        Identifier(try required(column))
    }

    package func number(_ column: LineColumn) throws(LineError) -> Int? {
        guard let text = word(column) else { return nil }
        guard let number = Int(text) else {
            let plain = text.filter { !".,' \u{A0}\u{202F}’".contains($0) }
            let hint = plain != text && Int(plain) != nil ? " without separators or decimals" : ""
            throw LineError(why: "\(title(column)) is a whole number\(hint), not '\(text)'")
        }
        return number
    }

    package func requiredNumber(_ column: LineColumn) throws(LineError) -> Int {
        guard let number = try number(column) else { throw missing(column) }
        return number
    }

    package func time(_ column: LineColumn) throws(LineError) -> Timestamp? {
        guard let text = word(column) else { return nil }
        guard let time = Timestamp(iso8601: text) else {
            throw LineError(why: "\(title(column)) '\(text)' is no time such as 2026-01-14T13:03:59Z")
        }
        return time
    }

    package func requiredTime(_ column: LineColumn) throws(LineError) -> Timestamp {
        guard let time = try time(column) else { throw missing(column) }
        return time
    }

    package func fraction(_ column: LineColumn) throws(LineError) -> Double? {
        guard let text = word(column) else { return nil }
        guard let number = Double(text), number.isFinite else {
            throw LineError(why: "\(column.rawValue) is a number, not '\(text)'")
        }
        return number
    }

    /// False where it is missing.
    package func flag(_ column: LineColumn) throws(LineError) -> Bool {
        guard let text = word(column) else { return false }
        guard let flag = Bool(text) else {
            throw LineError(why: "\(column.rawValue) is true or false, not '\(text)'")
        }
        return flag
    }

    /// Its name in the file.
    package func title(_ column: LineColumn) -> String { titles[column] ?? column.rawValue }

    package func hasTitle(_ column: LineColumn) -> Bool { titles[column] != nil }

    func missing(_ column: LineColumn) -> LineError { LineError(why: "\(title(column)) is missing") }
}

package struct LineError: Error, Hashable, Sendable {
    /// The column and what is wrong with it.
    package let why: String

    package init(why: String) { self.why = why }
}

// MARK: - Columns

/// The columns of CSV, which are also the members of a JSON object.
package enum LineColumn: String, CaseIterable, Sendable {
    // Columns of an exported or imported count or reset; `timestamp` and `delta` suffice.
    case timestamp, type, delta, value, deviceId, locationId, userId, source, sequenceNumber, reason, rowId
    // Additional columns of a journal's row.
    case journal, position, originJournal, originPosition, receivedAt, target, targetJournal, orderedAt,
        levelBefore, continuesHold, setting, text, from, to, finalLevel, totalIn, totalOut, peakStart,
        peakIn, highestLevel, averageOccupancy, isAutomatic, first, last, latest, microseconds
    // Columns of the lines about locations and devices in an export of a whole journal.
    case name, timezone, isActive, isForgotten, lastSeenAt, keysReadBy
    // Columns of rows about sharing, and of rows that `counter sync` sends.
    case worldId, isShared, world, follows
    // Columns of CSV with totals, in place of `delta`.
    case `in`, out

    package static let totals: [LineColumn] = [.in, .out]

    /// The columns that export writes and import reads, in order.
    package static let exchanged: [LineColumn] = [
        .timestamp, .type, .delta, .value, .deviceId, .locationId, .userId, .source, .sequenceNumber, .reason,
        .rowId,
    ]

    /// Columns by name; a dictionary, because each member of each line is looked up.
    static let named = Dictionary(
        uniqueKeysWithValues: allCases.filter { !totals.contains($0) }.map { ($0.rawValue, $0) })

    /// Why a JSON value is of the wrong type, by its first sign; `nil` where it is of the right one, null, or told by its reader.
    func mistake(ofValue sign: UInt8) -> String? {
        let isWhole = ![UInt8(ascii: "{"), UInt8(ascii: "[")].contains(sign)
        switch self {
        case _ where sign == UInt8(ascii: "n"): return nil
        case _ where isNumber:
            return sign == UInt8(ascii: "\"")
                ? "is a number, without quotation marks" : isWhole ? nil : "is a number"
        case .continuesHold, .isAutomatic, .isActive, .isForgotten, .isShared:
            return isWhole ? nil : "is true or false"
        default: return sign == UInt8(ascii: "\"") ? nil : "is a text, in quotation marks"
        }
    }

    /// Whether its value is a number: all but `averageOccupancy` are whole.
    package var isNumber: Bool {
        switch self {
        case .delta, .value, .sequenceNumber, .position, .originPosition, .target, .levelBefore, .finalLevel,
            .totalIn, .totalOut, .peakIn, .highestLevel, .averageOccupancy, .follows, .first, .last,
            .microseconds:
            true
        default: false
        }
    }
}
