package import CounterModel
import Linux

/// The formats in which `counter history --entries` prints a row of the journal.
package struct RowFormat {
    package enum Style {
        case text, json, csv
    }

    private let style: Style
    /// Whether each row has its location.
    private let isNamed: Bool
    private let table: Table<Record>

    package init(_ style: Style, isNamed: Bool) {
        (self.style, self.isNamed, table) = (style, isNamed, Record.table(isNamed: isNamed))
    }

    /// The line before the first row; nil where the format has none.
    package var header: String? { style == .csv ? table.csvHeader : nil }

    package func line(_ row: HistoryRow, of span: LocationSpan) -> String {
        switch style {
        case .text: text(row, span)
        case .csv: table.csv(Record(row, of: span.location))
        case .json: table.json(Record(row, of: span.location))
        }
    }

    fileprivate struct Record {
        let row: HistoryRow
        let location: Location
        var type: String?
        var source: EventSource?
        var sequenceNumber, delta, value, levelBefore: Int?
        var setting, to, reason: String?
        var isAutomatic: Bool?

        static func table(isNamed: Bool) -> Table<Record> {
            let names: [Table<Record>.Column] = [
                .init("locationId") { .text($0.location.id.text) }, .init("name") { .text($0.location.name) },
            ]
            return Table(
                (isNamed ? names : []) + [
                    .init("position") { .number(Int($0.row.id.number)) },
                    .init("type") { .text($0.type) },
                    .init("timestamp") { .time($0.row.row.timestamp) },
                    .init("receivedAt") { .time($0.row.row.receivedAt) },
                    .init("deviceId") { .text($0.row.row.content.deviceId?.text) },
                    .init("source") { .text($0.source?.rawValue) },
                    .init("userId") { .text($0.row.row.userId) },
                    .init("sequenceNumber") { .number($0.sequenceNumber) },
                    .init("delta") { .number($0.delta) },
                    .init("value") { .number($0.value) },
                    .init("levelBefore") { .number($0.levelBefore) },
                    .init("setting") { .text($0.setting) },
                    .init("to") { .text($0.to) },
                    .init("reason") { .text($0.reason) },
                    .init("isVoid") { .flag($0.row.isVoid) },
                    .init("voidedBy") { .text($0.row.void?.userId) },
                    .init("voidedAt") { .time($0.row.void?.time) },
                    .init("isAutomatic") { .flag($0.isAutomatic) },
                    .init("journalName") { .text($0.row.journal) },
                ])
        }
    }
}

extension RowFormat.Record {
    fileprivate init(_ row: HistoryRow, of location: Location) {
        (self.row, self.location) = (row, location)
        switch row.row.content.shown {
        case .entry(let entry):
            (type, source, delta) = (entry.type.rawValue, entry.source, entry.type.delta)
            (sequenceNumber, reason) = (entry.sequenceNumber, ReasonRule.mended(entry.reason))
        case .correction(let correction):
            (type, source, delta) = ("correction", .manual, correction.difference)
            (value, levelBefore) = (correction.levelAfter, correction.levelBefore)
            reason = ReasonRule.mended(correction.reason)
        case .reset(let reset): (type, value, levelBefore) = ("reset", reset.value, reset.levelBefore)
        case .endOfDay(let snapshot, let level):
            (type, value, levelBefore) = ("endOfDay", 0, level)
            isAutomatic = snapshot.isAutomatic
        case .setting(let change): (type, setting, to) = ("setting", change.property.name, change.text)
        case .clock(let mend):
            type = "clock"
            switch mend.change {
            case .latest(let time): to = time.iso8601
            case .by(let step): value = Int(step.microseconds)
            }
        default: break
        }
    }
}

// MARK: Text

extension RowFormat {
    private static var arrow: String { TextTable.isUTF8 ? "→" : "->" }

    private func text(_ row: HistoryRow, _ span: LocationSpan) -> String {
        let (user, zone) = (row.actor, span.calendar.zone)
        let words: [String?] =
            switch row.row.content.shown {
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
            case .sharing(let sharing): [sharing.words, user]
            case .unknown(let content): [content.words, user]
            case .clock(let mend): [mend.described(zone.text(of:)), user]
            case .void, .timerEvent, .location, .device, .journal, .reading: [user]
            }
        let void = row.void.map { void in
            "taken back\(void.actor.map { " \($0)" } ?? "") at \(zone.text(of: void.time))"
        }
        let name = isNamed ? span.location.name : nil
        return
            (["#\(row.id.number)", zone.text(of: row.countedAt)]
            + ([name] + words + [void]).compactMap(\.self)).joined(separator: "  ").sanitised
    }
}

extension ClockMend {
    /// What it has done, with times as `text` writes them.
    func described(_ text: (Timestamp) -> String) -> String {
        switch change {
        case .latest(let limit): "clock was ahead: later rows are at \(text(limit))"
        case .by(let step): "clock set: rows moved \(Self.words(step))"
        }
    }
}
