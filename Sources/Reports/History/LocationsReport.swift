package import CounterModel
import Linux

/// The figures of several locations over one range, each by its own days.
package struct LocationsReport {
    private let reports: [HistoryReport]
    /// The unit of the parts into which the range is divided; nil for the whole range.
    private let unit: HistoryUnit?

    package init(_ reports: [HistoryReport], by unit: HistoryUnit? = nil) {
        (self.reports, self.unit) = (reports, unit)
    }

    private var total: HistoryTotals { HistoryTotals(of: reports) }

    /// A line for each location, and their total; by parts of the range a line for each part, a column for each location with what
    /// came in, and the totals of both.
    package var text: [String] {
        if let unit { return textByParts(unit) }
        return HistoryTotals.table.text(reports.map(HistoryTotals.init) + [total])
    }

    /// A line for each location, and one for their total.
    package var brief: [String] { reports.map(\.brief) + [total.brief] }

    /// A line for each location, or for each part of the range, with a header; the total is left to the reader.
    package var csv: [String] {
        if let unit { return table(by: unit).csv(moments.map { part($0, to: $0) }) }
        return HistoryTotals.table.csv(reports.map(HistoryTotals.init))
    }

    package var json: JSONLine {
        let parts = unit == nil ? nil : moments.map { part($0, to: $0).json }
        return [
            "locations": .objects(reports.map(\.json)),
            "total": .object(HistoryTotals.table.object(total)),
            "unit": .text(unit?.rawValue),
            "buckets": .objects(parts),
        ]
    }
}

// MARK: By parts of the range

extension LocationsReport {
    /// A part of the range, or all of it.
    private struct Part {
        let label: String
        /// nil for the whole range.
        let range: Range<Timestamp>?
        let zone: ZoneOffsets
        /// What came into each location and went out; nil where it has no such part.
        let counts: [Counts?]

        typealias Counts = (ins: Int, outs: Int)

        var total: Counts { counts.reduce((0, 0)) { ($0.ins + ($1?.ins ?? 0), $0.outs + ($1?.outs ?? 0)) } }

        var json: JSONLine {
            [
                "start": .local(range?.start, zone), "end": .local(range?.end, zone),
                "totalIn": .number(total.ins), "totalOut": .number(total.outs),
            ]
        }
    }

    /// The bars of the locations that have one, with the index of each location.
    private typealias Moment = [(index: Int, bar: HistoryBar)]

    /// Whether parts are moments, which have other names in other zones.
    private var sharesMoments: Bool { unit == .hour || unit == .minute }

    /// The parts in order. Locations share a day or a week by its date, an hour or a minute by its first moment.
    private var moments: [Moment] {
        let bars = reports.enumerated().flatMap { index, report in
            report.bars.map { (index: index, bar: $0) }
        }
        return Dictionary(grouping: bars) { order(of: $0.bar, in: reports[$0.index].span.calendar) }
            .sorted { $0.key < $1.key }.map(\.value)
    }

    /// Sorts the parts, and tells which of several locations are the same.
    private func order(of bar: HistoryBar, in calendar: OperationalCalendar) -> Int64 {
        if sharesMoments { return bar.bucket.start.microseconds }
        let date = calendar.day(containing: bar.bucket.start).date
        return Int64((unit == .week ? date.monday : date).dayNumber)
    }

    private func part(_ first: Moment, to last: Moment) -> Part {
        let span = reports[first[0].index].span
        // Parts that are joined are empty, and a location may have only some of them.
        let counts = reports.indices.map { index in
            (first + last).first { $0.index == index }.map { ($0.bar.ins, $0.bar.outs) }
        }
        let buckets = (first: first[0].bar.bucket, last: last[0].bar.bucket)
        return Part(
            label: (sharesMoments ? reports[0].span : span).label(buckets.first, to: buckets.last),
            range: buckets.first.start..<buckets.last.end, zone: span.calendar.zone, counts: counts)
    }

    private func table(by unit: HistoryUnit) -> Table<Part> {
        func columns(_ name: String, _ counts: @escaping (Part) -> Part.Counts?) -> [Table<Part>.Column] {
            [
                .init("\(name) in", name) { .number(counts($0)?.ins) },
                .init("\(name) out") { .number(counts($0)?.outs) },
            ]
        }
        let locations = reports.enumerated().flatMap { index, report in
            columns(report.span.location.name) { $0.counts[index] }
        }
        return Table(
            [
                .init(title: title(unit), words: \.label),
                .init("start") { .local($0.range?.start, $0.zone) },
                .init("end") { .local($0.range?.end, $0.zone) },
            ] + locations + columns("total", \.total))
    }

    /// The zone stands beside the unit where one location names the moments of others.
    private func title(_ unit: HistoryUnit) -> String {
        let zones = Set(reports.map(\.span.location.timezone))
        let zone = zones.count > 1 && sharesMoments ? " \(reports[0].span.location.timezone)" : ""
        return unit.rawValue.uppercased() + zone
    }

    private func textByParts(_ unit: HistoryUnit) -> [String] {
        let begun = moments.filter { $0.contains { $0.bar.bucket.start < reports[$0.index].kpis.to } }
        // Days and weeks are few, and who prints them by weeks looks for each.
        let folded = begun.folded { sharesMoments && $0.allSatisfy(\.bar.isEmpty) }
        let parts = folded.map { part(begun[$0.lowerBound], to: begun[$0.upperBound - 1]) }
        let whole = Part(
            label: "total", range: nil, zone: .utc,
            counts: reports.map { ($0.kpis.totalIn, $0.kpis.totalOut) })
        return table(by: unit).text(parts + [whole])
    }
}

// MARK: Totals

/// The totals of a location over a range, or of several locations.
struct HistoryTotals {
    let name: String
    let words: FlowWords
    /// nil for several locations.
    private let span: LocationSpan?
    private let all: [KPIs]

    init(_ report: HistoryReport) {
        (name, span, all) = (report.span.location.name, report.span, [report.kpis])
        words = FlowWords(capacity: report.span.location.maxCapacity)
    }

    init(of reports: [HistoryReport]) {
        (name, span, all) = ("total", nil, reports.map(\.kpis))
        words = reports.allSatisfy { $0.span.location.maxCapacity == nil } ? .tally : .occupancy
    }

    private subscript(_ figure: KeyPath<KPIs, Int>) -> Int { all.reduce(0) { $0 + $1[keyPath: figure] } }

    var isCorrected: Bool { self[\.correctedUp] + self[\.correctedDown] > 0 }
    var corrections: String { "+\(self[\.correctedUp]) -\(self[\.correctedDown])" }
    private var signedNet: String { (self[\.net] > 0 ? "+" : "") + String(self[\.net]) }
    var flow: String {
        "\(words.ins) \(self[\.totalIn]), \(words.outs) \(self[\.totalOut]), net \(signedNet)"
    }

    /// The totals on one line: `Hall: in 174, out 124, net +50, count 37`.
    var brief: String {
        let corrected = isCorrected ? ", corrections \(corrections)" : ""
        return "\(name.sanitised): \(flow)\(corrected), count \(self[\.closingLevel])"
    }

    /// The total has no location, so it is in no CSV.
    static var table: Table<HistoryTotals> {
        Table([
            .init(title: "NAME", words: \.name),
            .init(csv: "locationId") { .text($0.span?.location.id.text) },
            .init(csv: "name") { .text($0.name) },
            .init(csv: "from") { $0.moment(\.lowerBound) },
            .init(csv: "to") { $0.moment(\.upperBound) },
            .init("totalIn", "IN") { .number($0[\.totalIn]) },
            .init("totalOut", "OUT") { .number($0[\.totalOut]) },
            .init("correctedUp", "CORRECTED", words: { $0.isCorrected ? $0.corrections : "-" }) {
                .number($0[\.correctedUp])
            },
            .init("correctedDown") { .number($0[\.correctedDown]) },
            .init("net", "NET", words: \.signedNet) { .number($0[\.net]) },
            .init(csv: "openingLevel") { .number($0[\.openingLevel]) },
            .init("closingLevel", "COUNT") { .number($0[\.closingLevel]) },
        ])
    }

    private func moment(_ end: KeyPath<Range<Timestamp>, Timestamp>) -> JSONLine.Value {
        .local(span?.range[keyPath: end], span?.calendar.zone ?? .utc)
    }
}
