import System
import Transfer

/// The totals of several locations over one range, each by its own days.
public struct LocationsReport {
    private let reports: [HistoryReport]

    /// Creates a report from those of the locations.
    public init(_ reports: [HistoryReport]) { self.reports = reports }

    private var totalIn: Int { reports.reduce(0) { $0 + $1.kpis.totalIn } }
    private var totalOut: Int { reports.reduce(0) { $0 + $1.kpis.totalOut } }
    private var net: Int { reports.reduce(0) { $0 + $1.kpis.net } }
    private var level: Int { reports.reduce(0) { $0 + $1.kpis.closingLevel } }

    /// A table with a line for each location, and their total.
    public var text: [String] {
        let rows = reports.map { report in
            let kpis = report.kpis
            return [report.span.location.name]
                + [kpis.totalIn, kpis.totalOut, kpis.net, kpis.closingLevel].map(String.init)
        }
        return TextTable.lines(
            ["NAME", "IN", "OUT", "NET", "LEVEL"],
            rows + [["total"] + [totalIn, totalOut, net, level].map(String.init)])
    }

    /// A line for each location, and one for their total.
    public var brief: [String] {
        reports.map(\.brief) + [
            "total: in \(totalIn), out \(totalOut), net \(net > 0 ? "+" : "")\(net), level \(level)"
        ]
    }

    /// A line for each location, with a header; the total is left to the reader.
    public var csv: [String] {
        ["locationId,name,from,to,totalIn,totalOut,net,openingLevel,closingLevel"]
            + reports.map { report in
                let (span, kpis) = (report.span, report.kpis)
                return CSV.line(
                    [
                        span.location.id, span.location.name, report.time(span.range.start),
                        report.time(span.range.end),
                    ]
                        + [kpis.totalIn, kpis.totalOut, kpis.net, kpis.openingLevel, kpis.closingLevel].map(
                            String.init))
            }
    }

    /// An object with the report of each location, and their total.
    public var json: String {
        var total = JSONLine()
        total.add("totalIn", totalIn)
        total.add("totalOut", totalOut)
        total.add("net", net)
        total.add("closingLevel", level)
        var object = JSONLine()
        object.add("locations", reports.map(\.object))
        object.add("total", total)
        return object.text
    }
}
