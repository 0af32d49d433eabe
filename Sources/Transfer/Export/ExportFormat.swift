package import CounterModel
package import Linux

/// Writes rows of a journal in a form that `import` reads.
package struct ExportFormat {
    private let format: ImportFile.Format
    private let journalId: String
    private let isSafeForFormulas: Bool
    private let time: (Timestamp, Identifier) -> String

    /// - Parameters:
    ///   - format: CSV, or JSON Lines.
    ///   - journalId: The id of the journal with the rows, which knows them again by it and their positions.
    ///   - isSafeForFormulas: In CSV, whether texts that a spreadsheet would read as formulas get an apostrophe in front.
    ///   - time: A time of a location, by the location's id, as the format writes it.
    package init(
        _ format: ImportFile.Format, journalId: String, isSafeForFormulas: Bool = false,
        time: @escaping (Timestamp, Identifier) -> String = { time, _ in time.iso8601 }
    ) {
        self.time = time
        self.format = format
        self.journalId = journalId
        self.isSafeForFormulas = isSafeForFormulas
    }

    /// The line before the first row; nil where the format has none.
    package var header: String? {
        format == .csv ? CSV.line(LineColumn.exchanged.map(\.rawValue)) : nil
    }

    /// The line of a row, without a line end.
    package func line(_ row: JournalRow) -> String {
        var fields = LineFields(row, time: time)
        fields[.rowId] = RowIdentity(journalId: journalId, position: row.id).text
        switch format {
        case .csv: return CSV.line(LineColumn.exchanged.map { cell(fields[$0] ?? "", $0) })
        case .jsonl:
            var object = JSONLine()
            for column in LineColumn.exchanged {
                if column.isNumber {
                    object.add(column.rawValue, fields[column].flatMap { Int($0) })
                } else {
                    object.add(column.rawValue, fields[column])
                }
            }
            return object.text
        }
    }

    /// Spreadsheets read a text as a formula if it begins with one of these; see OWASP, "CSV Injection".
    private func cell(_ text: String, _ column: LineColumn) -> String {
        guard isSafeForFormulas, !column.isNumber, let first = text.unicodeScalars.first else { return text }
        return "=+-@\t\r\n＝＋－＠".unicodeScalars.contains(first) ? "'" + text : text
    }
}

extension LineFields {
    /// The fields of a count, a correction or a reset. Texts that an earlier version accepted and today's rules reject are changed to
    /// satisfy them.
    fileprivate init(_ row: JournalRow, time: (Timestamp, Identifier) -> String) {
        self.init()
        self[.timestamp] = time(row.timestamp, row.locationId)
        self[.locationId] = row.locationId.text
        self[.userId] = row.userId?.withSpacesForControls
        self[.deviceId] = row.content.deviceId.map { DeviceIdRule.mended($0.text) }
        switch row.content {
        case .entry(let entry):
            self[.type] = entry.type.rawValue
            self[.delta] = String(entry.type.delta)
            self[.source] = entry.source.rawValue
            self[.sequenceNumber] = entry.sequenceNumber.map(String.init)
            self[.reason] = ReasonRule.mended(entry.reason)
        case .correction(let correction):
            self[.type] = "correction"
            self[.delta] = String(correction.difference)
            self[.source] = EventSource.manual.rawValue
            self[.reason] = ReasonRule.mended(correction.reason)
        case .reset(let reset):
            self[.type] = "reset"
            self[.value] = String(reset.value)
        case .endOfDay:
            self[.type] = "reset"
            self[.value] = "0"
        case .void, .setting, .timerEvent: break
        }
    }
}
