import CounterModel

/// One line of an exported or imported file: a count, or a reset.
struct ExchangeRow {
    /// The columns of CSV, which are the members of JSON Lines too. Of these, `timestamp` and `delta` suffice.
    enum Column: String, CaseIterable {
        case timestamp, type, delta, value, deviceId, locationId, userId, source, sequenceNumber, reason
    }

    /// The texts of the columns that are there.
    var fields: [Column: String] = [:]

    /// The row of something in the journal.
    init(_ row: JournalRow) {
        switch row {
        case .entry(let entry):
            note(entry.timestamp, entry.locationId, entry.userId, entry.deviceId)
            fields[.type] = entry.type.rawValue
            fields[.delta] = String(entry.delta)
            fields[.source] = entry.source.rawValue
            fields[.sequenceNumber] = entry.sequenceNumber.map(String.init)
            fields[.reason] = entry.reason
        case .reset(let reset):
            note(reset.timestamp, reset.locationId, reset.userId, reset.deviceId)
            fields[.type] = "reset"
            fields[.value] = String(reset.value)
        }
    }

    /// A row that was read.
    init(fields: [Column: String]) { self.fields = fields }

    private mutating func note(_ time: Timestamp, _ location: String, _ user: String?, _ device: String?) {
        fields[.timestamp] = time.iso8601
        fields[.locationId] = location
        fields[.userId] = user
        fields[.deviceId] = device
    }

    /// Why a row cannot be taken.
    struct Unusable: Error {
        let reason: String
    }

    /// What the row asks of the journal.
    ///
    /// - Parameters:
    ///   - location: where it counts if the row says nothing.
    ///   - line: what identifies the row for ever.
    /// - Returns: a count or a reset.
    /// - Throws: `Unusable` with the reason.
    func request(location: String, line: ImportLine) throws(Unusable) -> Request {
        try refuseControlCharacters()
        return Request(
            locationId: fields[.locationId] ?? location, userId: fields[.userId], timestamp: try timestamp,
            change: word(.type) == "reset"
                ? .reset(NewReset(to: try number(.value), deviceId: fields[.deviceId], line: line))
                : .entry(try entry(line)))
    }

    /// Names with a line break could not be written as CSV again, and others would disturb a terminal.
    private func refuseControlCharacters() throws(Unusable) {
        for column in [Column.deviceId, .locationId, .userId] {
            guard fields[column]?.holdsControlCharacter ?? false else { continue }
            throw Unusable(reason: "\(column.rawValue) holds a control character")
        }
    }

    private func entry(_ line: ImportLine) throws(Unusable) -> NewEntry {
        NewEntry(
            type: try type, deviceId: fields[.deviceId] ?? "import", source: .import,
            sequenceNumber: word(.sequenceNumber) == nil ? nil : try number(.sequenceNumber), line: line,
            reason: try reason)
    }

    private var reason: String? {
        get throws(Unusable) {
            guard let text = word(.reason) else { return nil }
            guard NewEntry.isReason(text) else {
                throw Unusable(reason: "reason is of 1 to 200 characters, without control characters")
            }
            return text
        }
    }

    private var type: EntryType {
        get throws(Unusable) {
            let delta = word(.delta) == nil ? nil : try number(.delta)
            guard let named = word(.type) else {
                guard let delta else { throw Unusable(reason: "delta is missing") }
                if delta == 1 { return .in }
                if delta == -1 { return .out }
                throw Unusable(reason: "delta is 1 or -1, not \(delta)")
            }
            guard let type = EntryType(rawValue: named) else {
                throw Unusable(reason: "type is in, out or reset, not '\(named)'")
            }
            guard delta == nil || delta == type.delta else {
                throw Unusable(reason: "type and delta do not agree")
            }
            return type
        }
    }

    private var timestamp: Timestamp {
        get throws(Unusable) {
            guard let text = word(.timestamp) else { throw Unusable(reason: "timestamp is missing") }
            guard let timestamp = Timestamp(iso8601: text) else {
                throw Unusable(reason: "'\(text)' is no time such as 2026-01-14T13:03:59Z")
            }
            return timestamp
        }
    }

    /// A field that is no name: blanks around it mean nothing, and blanks alone are nothing.
    private func word(_ column: Column) -> String? {
        guard let text = fields[column]?.withoutBlanks, !text.isEmpty else { return nil }
        return text
    }

    private func number(_ column: Column) throws(Unusable) -> Int {
        guard let text = word(column) else { throw Unusable(reason: "\(column.rawValue) is missing") }
        guard let number = Int(text) else {
            throw Unusable(reason: "\(column.rawValue) is a whole number, not '\(text)'")
        }
        return number
    }
}
