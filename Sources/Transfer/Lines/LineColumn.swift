/// What a line can say: the columns of CSV, and the members of a JSON object.
public enum LineColumn: String, CaseIterable, Sendable {
    // Of an exported or imported count or reset. `timestamp` and `delta` suffice.
    case timestamp, type, delta, value, deviceId, locationId, userId, source, sequenceNumber, reason
    // Of a row of a journal, beside those.
    case journal, position, originJournal, originPosition, receivedAt, target, targetJournal, lateAfter,
        lateAfterJournal, continuesHold, setting, text, from, to, finalLevel, totalIn, totalOut, peakStart,
        peakIn, highestLevel, averageOccupancy

    /// The columns that export writes and import reads, in their order.
    public static let exchanged: [LineColumn] = [
        .timestamp, .type, .delta, .value, .deviceId, .locationId, .userId, .source, .sequenceNumber, .reason,
    ]

    /// By name; a dictionary, for each member of each line is looked up.
    static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    /// Whether its value is a whole number.
    var isNumber: Bool {
        switch self {
        case .delta, .value, .sequenceNumber, .position, .originPosition, .target, .lateAfter, .finalLevel,
            .totalIn, .totalOut, .peakIn, .highestLevel:
            true
        case .timestamp, .type, .deviceId, .locationId, .userId, .source, .reason, .journal, .originJournal,
            .receivedAt, .targetJournal, .lateAfterJournal, .continuesHold, .setting, .text, .from, .to,
            .peakStart, .averageOccupancy:
            false
        }
    }
}
