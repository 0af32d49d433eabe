import Linux
import Transfer

/// The totals of several locations over one range, each by its own days.
package struct LocationsReport {
    private let reports: [HistoryReport]

    /// Creates a report from those of the locations.
    package init(_ reports: [HistoryReport]) { self.reports = reports }

    private var totalIn: Int { reports.reduce(0) { $0 + $1.kpis.totalIn } }
    private var totalOut: Int { reports.reduce(0) { $0 + $1.kpis.totalOut } }
    private var correctedUp: Int { reports.reduce(0) { $0 + $1.kpis.correctedUp } }
    private var correctedDown: Int { reports.reduce(0) { $0 + $1.kpis.correctedDown } }
    private var net: Int { reports.reduce(0) { $0 + $1.kpis.net } }
    private var level: Int { reports.reduce(0) { $0 + $1.kpis.closingLevel } }

    /// A table with a line for each location, and their total.
    package var text: [String] {
        let rows = reports.map { report in
            let kpis = report.kpis
            return Self.cells(
                report.span.location.name, kpis.totalIn, kpis.totalOut,
                (kpis.correctedUp, kpis.correctedDown),
                kpis.net, kpis.closingLevel)
        }
        return TextTable.lines(
            ["NAME", "IN", "OUT", "CORRECTED", "NET", "LEVEL"],
            rows + [Self.cells("total", totalIn, totalOut, (correctedUp, correctedDown), net, level)])
    }

    private static func cells(
        _ name: String, _ ins: Int, _ outs: Int, _ corrected: (up: Int, down: Int), _ net: Int, _ level: Int
    ) -> [String] {
        let isCorrected = corrected != (0, 0)
        return [
            name, String(ins), String(outs), isCorrected ? "+\(corrected.up) -\(corrected.down)" : "-",
            HistoryReport.signed(net), String(level),
        ]
    }

    /// A line for each location, and one for their total.
    package var brief: [String] {
        let corrections = HistoryReport.corrections(correctedUp, correctedDown)
        return reports.map(\.brief) + [
            "total: in \(totalIn), out \(totalOut), net \(HistoryReport.signed(net))\(corrections), level \(level)"
        ]
    }

    /// A line for each location, with a header; the total is left to the reader.
    package var csv: [String] {
        ["locationId,name,from,to,totalIn,totalOut,correctedUp,correctedDown,net,openingLevel,closingLevel"]
            + reports.map { report in
                let (span, kpis) = (report.span, report.kpis)
                return CSV.line(
                    [
                        span.location.id.text, span.location.name, report.time(span.range.start),
                        report.time(span.range.end),
                    ]
                        + [
                            kpis.totalIn, kpis.totalOut, kpis.correctedUp, kpis.correctedDown, kpis.net,
                            kpis.openingLevel, kpis.closingLevel,
                        ].map(String.init))
            }
    }

    /// An object with the report of each location, and their total.
    package var json: String {
        var total = JSONLine()
        total.add("totalIn", totalIn)
        total.add("totalOut", totalOut)
        total.add("correctedUp", correctedUp)
        total.add("correctedDown", correctedDown)
        total.add("net", net)
        total.add("closingLevel", level)
        var object = JSONLine()
        object.add("locations", reports.map(\.object))
        object.add("total", total)
        return object.text
    }
}
