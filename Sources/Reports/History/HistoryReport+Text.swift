import CounterModel
import Linux

extension HistoryReport {
    private static let barWidth = 24

    /// The report as text: the figures, a bar for each hour or day that has begun, and the anomalies.
    package var text: [String] {
        let lines = [heading] + figures
        if kpis.totalIn + kpis.totalOut + kpis.correctedUp + kpis.correctedDown == 0 {
            return lines + ["no entries"] + anomalies
        }
        return lines + [""] + table + (kpis.anomalies.isEmpty ? [] : [""] + anomalies)
    }

    /// The totals on one line: `Hall: in 174, out 124, net +50, level 37`.
    package var brief: String {
        let corrections = Self.corrections(kpis.correctedUp, kpis.correctedDown)
        return
            "\(span.location.name.sanitised): in \(kpis.totalIn), out \(kpis.totalOut), net \(Self.signed(kpis.net))\(corrections), "
            + "level \(kpis.closingLevel)"
    }

    /// A net figure, with its sign: `+3`, `0`, `-3`.
    static func signed(_ net: Int) -> String { (net > 0 ? "+" : "") + String(net) }

    /// For a line of totals: `, corrections +3 -0`; empty where there are none.
    static func corrections(_ up: Int, _ down: Int) -> String {
        up + down > 0 ? ", corrections +\(up) -\(down)" : ""
    }

    private var heading: String {
        let (start, end) = (local(span.range.start), local(span.range.end))
        let zone = span.location.zoneNote ?? span.location.timezone
        return "\(span.location.name.sanitised): \(start) to \(end), \(zone.sanitised)"
    }

    private var figures: [String] {
        let corrected =
            kpis.correctedUp + kpis.correctedDown == 0
            ? "" : " with corrections +\(kpis.correctedUp) -\(kpis.correctedDown)"
        var lines = ["in \(kpis.totalIn), out \(kpis.totalOut), net \(Self.signed(kpis.net))\(corrected)"]
        let average = kpis.averageOccupancy?.tenths ?? "-"
        lines.append(
            "level \(kpis.openingLevel) at the start, \(kpis.closingLevel) at the end, highest \(kpis.highestLevel), average \(average)"
        )
        if let peak = kpis.peakHour {
            lines.append("peak hour \(local(peak.start)) with \(peak.totalIn) in")
        }
        return lines
    }

    private var table: [String] {
        let begun = bars.filter { $0.bucket.start < kpis.to }
        let most = begun.map(\.totalIn).max() ?? 0
        let before = begun.prefix(while: \.isEmpty)
        let shown = begun[before.endIndex...].reversed().drop(while: \.isEmpty).reversed()
        let after = begun[(before.count + shown.count)...]
        let lines = shown.map { bar in
            [label(bar.bucket), String(bar.totalIn), String(bar.totalOut), Self.bar(bar.totalIn, of: most)]
        }
        let rows = folded(before) + lines + folded(after)
        return TextTable.lines([span.unit.rawValue.uppercased(), "IN", "OUT", ""], rows)
    }

    /// One line for bars without entries; for a single one its own line.
    private func folded(_ bars: ArraySlice<HistoryBar>) -> [[String]] {
        guard let first = bars.first, let last = bars.last else { return [] }
        if bars.count == 1 { return [[label(first.bucket), "0", "0", ""]] }
        return [["\(label(first.bucket)) to \(label(last.bucket))", "0", "0", ""]]
    }

    private var anomalies: [String] {
        kpis.anomalies.map { $0.text(in: span.calendar.zone).sanitised }
    }

    private func label(_ bucket: HistoryBucket) -> String {
        switch bucket.label {
        case .minute, .hour: local(bucket.start)
        case .day(let day): "\(day.date)"
        case .week(let monday): "\(monday)"
        }
    }

    private func local(_ moment: Timestamp) -> String { span.calendar.zone.shortText(of: moment) }

    /// A bar of text: `most` has the full width. Eighths of a cell are drawn where the locale has block characters.
    private static func bar(_ number: Int, of most: Int) -> String {
        guard most > 0 else { return "" }
        guard TextTable.isUTF8 else {
            return String(repeating: "#", count: Int(Int128(number) * Int128(barWidth) / Int128(most)))
        }
        let eighths = Int(Int128(number) * Int128(barWidth * 8) / Int128(most))
        let part = eighths % 8 == 0 ? "" : String(Array("▏▎▍▌▋▊▉")[eighths % 8 - 1])
        return String(repeating: "█", count: eighths / 8) + part
    }
}

extension ZoneOffsets {
    /// Like `text(of:)`, without seconds, which are always 0 at the bounds of hours.
    func shortText(of moment: Timestamp) -> String {
        let text = text(of: moment)
        let time = text.prefix { $0 != " " }.count + " 00:00".count
        return String(text.prefix(time) + text.dropFirst(time + ":00".count))
    }
}
