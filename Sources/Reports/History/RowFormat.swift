package import CounterModel
import Linux

/// The formats in which `counter history --entries` prints a row of the journal.
package struct RowFormat {
    package enum Style {
        case text, json, csv
    }

    /// The fields of a row; the raw values are the names in JSON and CSV.
    private enum Column: String, CaseIterable {
        case position, type, timestamp, receivedAt, deviceId, source, userId, sequenceNumber, delta, value,
            levelBefore, setting, to, reason, isVoid, voidedBy, voidedAt, isAutomatic

        var isNumber: Bool {
            switch self {
            case .position, .sequenceNumber, .delta, .value, .levelBefore: true
            case .type, .timestamp, .receivedAt, .deviceId, .source, .userId, .setting, .to, .reason, .isVoid,
                .voidedBy, .voidedAt, .isAutomatic:
                false
            }
        }
    }

    private let zone: ZoneOffsets
    private let style: Style

    package init(_ zone: ZoneOffsets, style: Style) {
        self.zone = zone
        self.style = style
    }

    /// The line before the first row; nil where the format has none.
    package var header: String? { style == .csv ? CSV.line(Column.allCases.map(\.rawValue)) : nil }

    package func line(_ row: HistoryRow) -> String {
        switch style {
        case .text: return text(row)
        case .csv:
            let fields = fields(row)
            return CSV.line(Column.allCases.map { fields[$0] ?? "" })
        case .json: return json(fields(row))
        }
    }

    private func json(_ fields: [Column: String]) -> String {
        var object = JSONLine()
        for column in Column.allCases {
            if column == .isVoid || column == .isAutomatic {
                object.add(column.rawValue, fields[column].map { $0 == "true" })
            } else if column.isNumber {
                object.add(column.rawValue, fields[column].flatMap { Int($0) })
            } else {
                object.add(column.rawValue, fields[column])
            }
        }
        return object.text
    }

    private func fields(_ row: HistoryRow) -> [Column: String] {
        var fields: [Column: String] = [.position: String(row.id.number), .isVoid: String(row.isVoid)]
        fields[.voidedBy] = row.void?.userId
        fields[.voidedAt] = row.void?.time.iso8601
        fields[.userId] = row.row.userId
        fields[.timestamp] = row.row.timestamp.iso8601
        fields[.receivedAt] = row.row.receivedAt.iso8601
        fields[.deviceId] = row.row.content.deviceId?.text
        switch row.row.content {
        case .entry(let entry):
            fields[.type] = entry.type.rawValue
            fields[.source] = entry.source.rawValue
            fields[.sequenceNumber] = entry.sequenceNumber.map(String.init)
            fields[.delta] = String(entry.type.delta)
            fields[.reason] = ReasonRule.mended(entry.reason)
        case .correction(let correction):
            fields[.type] = "correction"
            fields[.source] = EventSource.manual.rawValue
            fields[.delta] = String(correction.difference)
            fields[.value] = correction.levelAfter.map(String.init)
            fields[.levelBefore] = correction.levelBefore.map(String.init)
            fields[.reason] = ReasonRule.mended(correction.reason)
        case .reset(let reset):
            fields[.type] = "reset"
            fields[.value] = String(reset.value)
            fields[.levelBefore] = String(reset.levelBefore)
        case .endOfDay(let snapshot, let levelBefore):
            fields[.type] = "endOfDay"
            fields[.value] = "0"
            fields[.levelBefore] = String(levelBefore)
            fields[.isAutomatic] = String(snapshot.isAutomatic)
        case .setting(let setting):
            fields[.type] = "setting"
            fields[.setting] = setting.property.name
            fields[.to] = setting.text
        case .void, .timerEvent: break
        }
        return fields
    }
}

// MARK: Text

extension RowFormat {
    private static var arrow: String { TextTable.isUTF8 ? "→" : "->" }

    private func text(_ row: HistoryRow) -> String {
        let user = row.row.userId
        let words: [String?] =
            switch row.row.content {
            case .entry(let entry):
                [entry.type.rawValue, entry.deviceId.text, user, ReasonRule.mended(entry.reason)]
            case .correction(let correction):
                [
                    "correction \(correction.words(arrow: Self.arrow))", correction.deviceId.text, user,
                    ReasonRule.mended(correction.reason),
                ]
            case .reset(let reset):
                ["reset to \(reset.value), from \(reset.levelBefore)", reset.deviceId?.text, user]
            case .endOfDay(let snapshot, let levelBefore):
                ["end of day at \(levelBefore)", snapshot.isAutomatic ? "automatic" : user]
            case .setting(let setting): ["\(setting)", user]
            case .void, .timerEvent: [user]
            }
        let void = row.void.map { void in
            "taken back\(void.userId.map { " by \($0)" } ?? "") at \(zone.text(of: void.time))"
        }
        return (["#\(row.id.number)", zone.text(of: row.countedAt)] + (words + [void]).compactMap(\.self))
            .joined(separator: "  ").sanitised
    }
}
