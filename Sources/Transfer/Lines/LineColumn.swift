/// The columns of CSV, which are also the members of a JSON object.
package enum LineColumn: String, CaseIterable, Sendable {
    // Columns of an exported or imported count or reset; `timestamp` and `delta` suffice.
    case timestamp, type, delta, value, deviceId, locationId, userId, source, sequenceNumber, reason,
        rowId
    // Additional columns of a journal's row.
    case journal, position, originJournal, originPosition, receivedAt, target, targetJournal, lateAfter,
        lateAfterJournal, continuesHold, setting, text, from, to, finalLevel, totalIn, totalOut, peakStart,
        peakIn, highestLevel, averageOccupancy, isAutomatic
    // Columns of the lines about locations and devices in an export of a whole journal.
    case name, timezone, isActive, isForgotten, lastSeenAt, keysReadBy

    /// The columns that export writes and import reads, in order.
    package static let exchanged: [LineColumn] = [
        .timestamp, .type, .delta, .value, .deviceId, .locationId, .userId, .source, .sequenceNumber, .reason,
        .rowId,
    ]

    /// Columns by name; a dictionary, because each member of each line is looked up.
    static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// Why a JSON value is of the wrong type, by its first sign; `nil` where it is of the right one, null, or told by its reader.
    func mistake(ofValue sign: UInt8) -> String? {
        let isWhole = ![UInt8(ascii: "{"), UInt8(ascii: "[")].contains(sign)
        switch self {
        case _ where sign == UInt8(ascii: "n"): return nil
        case _ where isNumber:
            return sign == UInt8(ascii: "\"")
                ? "is a number, without quotation marks" : isWhole ? nil : "is a number"
        case .continuesHold, .isAutomatic, .isActive, .isForgotten: return isWhole ? nil : "is true or false"
        default: return sign == UInt8(ascii: "\"") ? nil : "is a text, in quotation marks"
        }
    }

    /// Whether its value is a number: all but `averageOccupancy` are whole.
    var isNumber: Bool {
        switch self {
        case .delta, .value, .sequenceNumber, .position, .originPosition, .target, .lateAfter, .finalLevel,
            .totalIn, .totalOut, .peakIn, .highestLevel, .averageOccupancy:
            true
        case .timestamp, .type, .deviceId, .locationId, .userId, .source, .reason, .journal, .originJournal,
            .receivedAt, .targetJournal, .lateAfterJournal, .continuesHold, .setting, .text, .from, .to,
            .peakStart, .isAutomatic, .rowId, .name, .timezone, .isActive,
            .isForgotten, .lastSeenAt, .keysReadBy:
            false
        }
    }
}
