package import CounterModel
package import Linux

/// The report that `counter history` prints: the figures of a range, and its bars.
package struct HistoryReport {
    let span: LocationSpan
    let kpis: KPIs
    let bars: [HistoryBar]

    private let deviceName: (Identifier) -> String

    package init(
        _ span: LocationSpan, _ kpis: KPIs, deviceName: @escaping (Identifier) -> String = { $0.text }
    ) {
        (self.span, self.kpis, self.deviceName) = (span, kpis, deviceName)
        bars = [HistoryBar](span.range, kpis)
    }

    private var zone: ZoneOffsets { span.calendar.zone }

    private var barTable: Table<HistoryBar> {
        let zone = zone
        return Table([
            .init("start") { .local($0.bucket.start, zone) },
            .init("end") { .local($0.bucket.end, zone) },
            .init("totalIn") { .number($0.ins) },
            .init("totalOut") { .number($0.outs) },
            .init(csv: "net") { .number($0.net) },
        ])
    }

    package var csv: [String] { barTable.csv(bars) }

    package var json: JSONLine {
        let table = barTable
        return [
            "locationId": .text(span.location.id.text),
            "timezone": .text(span.location.timezone),
            "timezoneNote": .text(span.location.zoneNote),
            "from": .local(span.range.start, zone),
            "to": .local(span.range.end, zone),
            "totalIn": .number(kpis.totalIn),
            "totalOut": .number(kpis.totalOut),
            "correctedUp": .number(kpis.correctedUp),
            "correctedDown": .number(kpis.correctedDown),
            "net": .number(kpis.net),
            "peakHour": .object(
                kpis.peakHour.map { ["start": .local($0.start, zone), "totalIn": .number($0.totalIn)] }),
            "averageOccupancy": .decimal(kpis.averageOccupancy?.millionths),
            "highestLevel": .number(kpis.highestLevel),
            "openingLevel": .number(kpis.openingLevel),
            "closingLevel": .number(kpis.closingLevel),
            "anomalies": .objects(kpis.anomalies.map { $0.json(in: zone) }),
            "unit": .text(span.unit.rawValue),
            "buckets": .objects(bars.map { table.object($0) }),
        ]
    }
}

// MARK: Text

extension HistoryReport {
    private static let barWidth = 24

    package var brief: String { HistoryTotals(self).brief }

    package var text: [String] {
        let lines = [heading] + figures
        if kpis.totalIn + kpis.totalOut + kpis.correctedUp + kpis.correctedDown == 0 {
            return lines + ["no entries"] + anomalies
        }
        return lines + [""] + table + (kpis.anomalies.isEmpty ? [] : [""] + anomalies)
    }

    private var heading: String {
        let (start, end) = (local(span.range.start), local(span.range.end))
        let zone = span.location.zoneNote ?? span.location.timezone
        return "\(span.location.name.sanitised): \(start) to \(end), \(zone.sanitised)"
    }

    private var figures: [String] {
        let totals = HistoryTotals(self)
        var lines = ["\(totals.flow)\(totals.isCorrected ? " with corrections \(totals.corrections)" : "")"]
        let average = kpis.averageOccupancy.map { ", \(span.location.averageName) \($0.tenths)" }
        lines.append(
            "count \(kpis.openingLevel) at the start, \(kpis.closingLevel) at the end, highest \(kpis.highestLevel)"
                + (average ?? ""))
        if let peak = kpis.peakHour {
            lines.append("peak hour \(local(peak.start)) with \(peak.totalIn) \(totals.words.ins)")
        }
        return lines
    }

    private var table: [String] {
        let begun = bars.filter { $0.bucket.start < kpis.to }
        let most = begun.map(\.ins).max() ?? 0
        let rows = begun.folded(where: \.isEmpty).map { part in
            let (first, last) = (begun[part.lowerBound], begun[part.upperBound - 1])
            return [
                span.label(first.bucket, to: last.bucket), String(first.ins), String(first.outs),
                Self.bar(first.ins, of: most),
            ]
        }
        let words = HistoryTotals(self).words
        let header = [span.unit.rawValue, words.ins, words.outs].map { $0.uppercased() }
        return TextTable.lines(header + [""], rows)
    }

    private var anomalies: [String] {
        kpis.anomalies.told(in: span.calendar, text(of:), clock: text(of:)) {
            "silent for a time on \($0.count) days, from \($0.first) to \($0.last)"
        }.map(\.sanitised)
    }

    private func local(_ moment: Timestamp) -> String { zone.shortText(of: moment) }

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

// MARK: Anomalies

extension HistoryReport {
    private func text(of anomaly: Anomaly) -> String {
        switch anomaly {
        case .overcrowding(let range, let highest): return "overcrowded \(during(range)), up to \(highest)"
        case .negativeDrift(let range, let lowest):
            return "more out than in \(during(range)), down to \(lowest)"
        case .silence(let range): return "silent \(during(range))"
        case .sequenceGap(let device, let first, let last, let at):
            let numbers = first == last ? "number \(first) is" : "numbers \(first) to \(last) are"
            return "\(deviceName(device)): \(numbers) missing, noticed \(zone.text(of: at))"
        case .restart(let device, let epoch, let at):
            return "\(deviceName(device)): its numbers started again (epoch \(epoch)) \(zone.text(of: at))"
        case .clockSkew(let device, let said, let at): return text(of: FastClock(device, said, at: at))
        }
    }

    private func text(of clock: FastClock) -> String {
        "\(deviceName(clock.deviceId)): \(clock.words) \(during(clock.times.lowerBound..<clock.times.upperBound))"
    }

    private func during(_ range: Range<Timestamp>) -> String {
        let (from, to) = (local(range.lowerBound), local(range.upperBound))
        return from == to ? "at \(from)" : "from \(from) to \(to)"
    }
}

extension Anomaly {
    fileprivate func json(in zone: ZoneOffsets) -> JSONLine {
        let (type, details): (String, JSONLine) =
            switch self {
            case .overcrowding(_, let level): ("overcrowding", ["level": .number(level)])
            case .negativeDrift(_, let level): ("negativeDrift", ["level": .number(level)])
            case .silence: ("silence", [:])
            case .sequenceGap(let device, let first, let last, _):
                (
                    "sequenceGap",
                    ["deviceId": .text(device.text), "first": .number(first), "last": .number(last)]
                )
            case .restart(let device, let epoch, _):
                ("restart", ["deviceId": .text(device.text), "epoch": .number(epoch)])
            case .clockSkew(let device, let timestamp, _):
                ("clockSkew", ["deviceId": .text(device.text), "timestamp": .local(timestamp, zone)])
            }
        var object: JSONLine = [
            "type": .text(type), "start": .local(range.start, zone),
            "end": .local(range.isEmpty ? nil : range.end, zone),
        ]
        object.add(details)
        return object
    }
}
