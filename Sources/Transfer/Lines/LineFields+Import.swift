package import CounterModel
package import Linux

/// Lines of files and of devices: a count, a correction, or a reset.
extension LineFields {
    /// The request of an imported line.
    ///
    /// - Parameters:
    ///   - location: The id of the location for lines that name none.
    ///   - line: The line's identity, unless it names the row of a journal that it is.
    /// - Returns: A count, a correction or a reset.
    /// - Throws: `LineError`
    package func request(location: Identifier, line: ImportLine) throws(LineError) -> Request {
        let request = Request(
            locationId: id(.locationId) ?? location, userId: self[.userId],
            timestamp: try requiredTime(.timestamp),
            change: try importedChange(try rowIdentity()?.line ?? line))
        return try request.checked()
    }

    private func rowIdentity() throws(LineError) -> RowIdentity? {
        guard let text = word(.rowId) else { return nil }
        guard !text.holdsControlCharacter, let identity = RowIdentity(text: text) else {
            throw LineError(why: "rowId is a journal and a position, not '\(text)'")
        }
        return identity
    }

    private func importedChange(_ line: ImportLine) throws(LineError) -> Change {
        switch word(.type) {
        case "reset":
            .reset(NewReset(to: try requiredNumber(.value), deviceId: id(.deviceId), line: line))
        case "correction":
            .correction(
                NewCorrection(
                    .by(try requiredNumber(.delta)), deviceId: id(.deviceId) ?? "import",
                    reason: self[.reason], line: line))
        default: .entry(try importedEntry(line))
        }
    }

    private func importedEntry(_ line: ImportLine) throws(LineError) -> NewEntry {
        NewEntry(
            type: try entryType(of: "in, out, correction or reset"), deviceId: id(.deviceId) ?? "import",
            source: .import, sequenceNumber: try number(.sequenceNumber), line: line, reason: self[.reason])
    }

    /// The event of a device's line.
    ///
    /// - Throws: `LineError`
    func event() throws(LineError) -> DeviceEvent {
        let event = DeviceEvent(
            type: try entryType(of: "in or out"), deviceId: try requiredId(.deviceId),
            timestamp: try requiredTime(.timestamp),
            locationId: id(.locationId), sequenceNumber: try number(.sequenceNumber))
        if let problem = RowRules.problem(with: event) { throw LineError(why: problem.description) }
        return event
    }
}

extension Request {
    /// The request, after the checks of `RowRules`.
    func checked() throws(LineError) -> Request {
        if let problem = RowRules.problem(with: self) { throw LineError(why: problem.description) }
        return self
    }
}
