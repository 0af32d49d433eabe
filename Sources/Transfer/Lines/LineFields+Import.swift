package import CounterModel
package import Linux

/// Lines of files and of devices: a count, a correction, or a reset.
extension LineFields {
    /// The row of an imported line.
    ///
    /// - Parameters:
    ///   - location: The id of the location for lines that name none.
    ///   - line: The line's identity, unless it names the row of a journal that it is.
    /// - Returns: A count, a correction or a reset.
    package func row(location: Identifier, line: ImportLine) throws(LineError) -> JournalRow {
        let timestamp = try requiredTime(.timestamp)
        let origin = RowOrigin.line(try rowIdentity().map(ImportLine.init) ?? line)
        let row = JournalRow(
            origin: origin, locationId: id(.locationId) ?? location, userId: self[.userId],
            timestamp: timestamp, receivedAt: timestamp, try importedContent())
        return try row.checked()
    }

    private func rowIdentity() throws(LineError) -> RowIdentity? {
        guard let text = word(.rowId) else { return nil }
        guard !text.holdsControlCharacter, let identity = RowIdentity(text: text) else {
            throw LineError(why: "rowId is a journal and a position, not '\(text)'")
        }
        return identity
    }

    private func importedContent() throws(LineError) -> RowContent {
        switch word(.type) {
        case "reset": .reset(Reset(to: try requiredNumber(.value), deviceId: id(.deviceId)))
        case "correction":
            .correction(
                Correction(
                    by: try requiredNumber(.delta), deviceId: id(.deviceId) ?? "import", reason: self[.reason]
                ))
        default:
            .entry(
                Entry(
                    try entryType(of: "in, out, correction or reset"), deviceId: id(.deviceId) ?? "import",
                    source: .import, sequenceNumber: try number(.sequenceNumber), reason: self[.reason]))
        }
    }

    /// The count of a device's line; `location` tells where a device counts, for lines that name none.
    func event(location: (_ device: Identifier) -> Identifier) throws(LineError) -> (JournalRow, Entry) {
        var entry = Entry(
            try entryType(of: "in or out"), deviceId: try requiredId(.deviceId), source: .hardware)
        let timestamp = try requiredTime(.timestamp)
        entry.sequenceNumber = try number(.sequenceNumber)
        let row = JournalRow(
            locationId: id(.locationId) ?? location(entry.deviceId), timestamp: timestamp,
            receivedAt: timestamp, .entry(entry))
        return (try row.checked(), entry)
    }
}

extension JournalRow {
    /// The row, after the checks of `RowRules`.
    func checked() throws(LineError) -> JournalRow {
        if let problem = RowRules.problem(with: self) { throw LineError(why: problem.description) }
        return self
    }
}
