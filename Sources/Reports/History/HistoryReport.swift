package import CounterModel
import Linux

/// The report that `counter history` prints: the figures of a range, and its bars.
package struct HistoryReport {
    let span: LocationSpan
    let kpis: KPIs
    let bars: [HistoryBar]

    package init(_ span: LocationSpan, _ kpis: KPIs) {
        self.span = span
        self.kpis = kpis
        bars = [HistoryBar](span.buckets, kpis)
    }

    private var zone: ZoneOffsets { span.calendar.zone }

    /// The bars as CSV, with a header.
    package var csv: [String] {
        let zone = zone
        return Table<HistoryBar>([
            .init("start") { .local($0.bucket.start, zone) },
            .init("end") { .local($0.bucket.end, zone) },
            .init("totalIn") { .number($0.totalIn) },
            .init("totalOut") { .number($0.totalOut) },
            .init("net") { .number($0.net) },
        ]).csv(bars)
    }

    package var json: JSONLine {
        [
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
            "buckets": .objects(
                bars.map { bar in
                    [
                        "start": .local(bar.bucket.start, zone), "end": .local(bar.bucket.end, zone),
                        "totalIn": .number(bar.totalIn), "totalOut": .number(bar.totalOut),
                    ]
                }),
        ]
    }
}

// MARK: Text

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

    private var heading: String {
        let (start, end) = (local(span.range.start), local(span.range.end))
        let zone = span.location.zoneNote ?? span.location.timezone
        return "\(span.location.name.sanitised): \(start) to \(end), \(zone.sanitised)"
    }

    private var figures: [String] {
        let totals = HistoryTotals(self)
        var lines = ["\(totals.flow)\(totals.isCorrected ? " with corrections \(totals.corrections)" : "")"]
        let average = kpis.averageOccupancy?.tenths ?? "-"
        lines.append(
            "count \(kpis.openingLevel) at the start, \(kpis.closingLevel) at the end, highest \(kpis.highestLevel), average \(average)"
        )
        if let peak = kpis.peakHour {
            lines.append("peak hour \(local(peak.start)) with \(peak.totalIn) \(totals.words.ins)")
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
        let words = HistoryTotals(self).words
        let header = [span.unit.rawValue, words.ins, words.outs].map { $0.uppercased() }
        return TextTable.lines(header + [""], rows)
    }

    /// One line for bars without entries; for a single one its own line.
    private func folded(_ bars: ArraySlice<HistoryBar>) -> [[String]] {
        guard let first = bars.first, let last = bars.last else { return [] }
        if bars.count == 1 { return [[label(first.bucket), "0", "0", ""]] }
        return [["\(label(first.bucket)) to \(label(last.bucket))", "0", "0", ""]]
    }

    private var anomalies: [String] { kpis.anomalies.map { $0.text(in: zone).sanitised } }

    private func label(_ bucket: HistoryBucket) -> String {
        switch bucket.label {
        case .minute, .hour: local(bucket.start)
        case .day(let day): "\(day.date)"
        case .week(let monday): "\(monday)"
        }
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

// MARK: Totals

/// The totals of a location over a range, or of several locations.
private struct HistoryTotals {
    let name: String
    let words: FlowWords
    var totalIn = 0
    var totalOut = 0
    var correctedUp = 0
    var correctedDown = 0
    var net = 0
    var level = 0

    init(_ report: HistoryReport) {
        name = report.span.location.name
        words = FlowWords(capacity: report.span.location.maxCapacity)
        add(report.kpis)
    }

    init(of reports: [HistoryReport]) {
        name = "total"
        words = reports.allSatisfy { $0.span.location.maxCapacity == nil } ? .tally : .occupancy
        for report in reports { add(report.kpis) }
    }

    private mutating func add(_ kpis: KPIs) {
        totalIn += kpis.totalIn
        totalOut += kpis.totalOut
        correctedUp += kpis.correctedUp
        correctedDown += kpis.correctedDown
        net += kpis.net
        level += kpis.closingLevel
    }

    var isCorrected: Bool { correctedUp + correctedDown > 0 }
    var corrections: String { "+\(correctedUp) -\(correctedDown)" }
    var signedNet: String { (net > 0 ? "+" : "") + String(net) }
    var flow: String { "\(words.ins) \(totalIn), \(words.outs) \(totalOut), net \(signedNet)" }

    /// The totals on one line: `Hall: in 174, out 124, net +50, count 37`.
    var brief: String {
        "\(name.sanitised): \(flow)\(isCorrected ? ", corrections \(corrections)" : ""), count \(level)"
    }

    static var table: Table<HistoryTotals> {
        Table([
            .init(title: "NAME", words: \.name),
            .init("totalIn", "IN") { .number($0.totalIn) },
            .init("totalOut", "OUT") { .number($0.totalOut) },
            .init("correctedUp", "CORRECTED", words: { $0.isCorrected ? $0.corrections : "-" }) {
                .number($0.correctedUp)
            },
            .init("correctedDown") { .number($0.correctedDown) },
            .init("net", "NET", words: \.signedNet) { .number($0.net) },
            .init("closingLevel", "COUNT") { .number($0.level) },
        ])
    }
}

extension HistoryReport {
    package var brief: String { HistoryTotals(self).brief }
}

/// The totals of several locations over one range, each by its own days.
package struct LocationsReport {
    private let reports: [HistoryReport]

    package init(_ reports: [HistoryReport]) { self.reports = reports }

    private var total: HistoryTotals { HistoryTotals(of: reports) }

    /// A table with a line for each location, and their total.
    package var text: [String] { HistoryTotals.table.text(reports.map(HistoryTotals.init) + [total]) }

    /// A line for each location, and one for their total.
    package var brief: [String] { reports.map(\.brief) + [total.brief] }

    /// A line for each location, with a header; the total is left to the reader.
    package var csv: [String] {
        Table<HistoryReport>([
            .init("locationId") { .text($0.span.location.id.text) },
            .init("name") { .text($0.span.location.name) },
            .init("from") { .local($0.span.range.start, $0.span.calendar.zone) },
            .init("to") { .local($0.span.range.end, $0.span.calendar.zone) },
            .init("totalIn") { .number($0.kpis.totalIn) },
            .init("totalOut") { .number($0.kpis.totalOut) },
            .init("correctedUp") { .number($0.kpis.correctedUp) },
            .init("correctedDown") { .number($0.kpis.correctedDown) },
            .init("net") { .number($0.kpis.net) },
            .init("openingLevel") { .number($0.kpis.openingLevel) },
            .init("closingLevel") { .number($0.kpis.closingLevel) },
        ]).csv(reports)
    }

    package var json: JSONLine {
        [
            "locations": .objects(reports.map(\.json)),
            "total": .object(HistoryTotals.table.object(total)),
        ]
    }
}

// MARK: Anomalies

extension Anomaly {
    /// The anomaly as a line of text, with times of a zone.
    fileprivate func text(in zone: ZoneOffsets) -> String {
        func during(_ range: Range<Timestamp>) -> String {
            "from \(zone.shortText(of: range.lowerBound)) to \(zone.shortText(of: range.upperBound))"
        }
        switch self {
        case .overcrowding(let range, let highest): return "overcrowded \(during(range)), up to \(highest)"
        case .negativeDrift(let range, let lowest):
            return "more out than in \(during(range)), down to \(lowest)"
        case .silence(let range): return "silent \(during(range))"
        case .sequenceGap(let device, let first, let last, let at):
            let numbers = first == last ? "number \(first) is" : "numbers \(first) to \(last) are"
            return "\(device): \(numbers) missing, noticed \(zone.text(of: at))"
        case .restart(let device, let epoch, let at):
            return "\(device): its numbers started again (epoch \(epoch)) \(zone.text(of: at))"
        case .clockSkew(let device, let timestamp, let receivedAt):
            return
                "\(device): its clock said \(zone.text(of: timestamp)) when it was \(zone.text(of: receivedAt))"
        }
    }

    /// The anomaly as a JSON object, with local times and their offsets.
    fileprivate func json(in zone: ZoneOffsets) -> JSONLine {
        switch self {
        case .overcrowding(let range, let level): Self.json("overcrowding", range, level, zone)
        case .negativeDrift(let range, let level): Self.json("negativeDrift", range, level, zone)
        case .silence(let range): Self.json("silence", range, nil, zone)
        case .sequenceGap(let device, let first, let last, let at):
            [
                "type": .text("sequenceGap"), "start": .local(at, zone), "deviceId": .text(device.text),
                "first": .number(first), "last": .number(last),
            ]
        case .restart(let device, let epoch, let at):
            [
                "type": .text("restart"), "start": .local(at, zone), "deviceId": .text(device.text),
                "epoch": .number(epoch),
            ]
        case .clockSkew(let device, let timestamp, let receivedAt):
            [
                "type": .text("clockSkew"), "start": .local(receivedAt, zone), "deviceId": .text(device.text),
                "timestamp": .local(timestamp, zone),
            ]
        }
    }

    private static func json(
        _ type: String, _ range: Range<Timestamp>, _ level: Int?, _ zone: ZoneOffsets
    ) -> JSONLine {
        [
            "type": .text(type), "start": .local(range.lowerBound, zone),
            "end": .local(range.upperBound, zone),
            "level": .number(level),
        ]
    }
}
