package import CounterModel
import Transfer

/// The report that `counter history` prints.
package struct HistoryReport {
    let span: LocationSpan
    let kpis: KPIs
    let bars: [HistoryBar]

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - span: The part of the history.
    ///   - kpis: Its figures.
    package init(_ span: LocationSpan, _ kpis: KPIs) {
        self.span = span
        self.kpis = kpis
        bars = span.bars(kpis)
    }

    /// Local time with its offset, by RFC 3339.
    func time(_ moment: Timestamp) -> String { span.calendar.zone.rfc3339(moment) }
}

extension ZoneOffsets {
    /// Local time with its offset, by RFC 3339: `2026-10-25T02:30:00+01:00`. Fractions of a second are cut off.
    func rfc3339(_ moment: Timestamp) -> String {
        let local = local(at: moment)
        return "\(local.date)T\(local.timeOfDay)\(offset(at: moment))"
    }
}

// MARK: For scripts

extension HistoryReport {
    /// The bars as CSV, with a header.
    package var csv: [String] {
        ["start,end,totalIn,totalOut,net"]
            + bars.map { bar in
                CSV.line([
                    time(bar.bucket.start), time(bar.bucket.end), String(bar.totalIn), String(bar.totalOut),
                    String(bar.net),
                ])
            }
    }

    /// The report as a JSON object.
    package var json: String { object.text }

    var object: JSONLine {
        var object = JSONLine()
        object.add("locationId", span.location.id)
        object.add("timezone", span.location.timezone)
        object.add("timezoneNote", span.location.zoneNote)
        object.add("from", time(span.range.start))
        object.add("to", time(span.range.end))
        object.add("totalIn", kpis.totalIn)
        object.add("totalOut", kpis.totalOut)
        object.add("correctedUp", kpis.correctedUp)
        object.add("correctedDown", kpis.correctedDown)
        object.add("net", kpis.net)
        object.add("peakHour", kpis.peakHour.map { self.object($0.start, totalIn: $0.totalIn) })
        object.add("averageOccupancy", kpis.averageOccupancy?.millionths)
        object.add("highestLevel", kpis.highestLevel)
        object.add("openingLevel", kpis.openingLevel)
        object.add("closingLevel", kpis.closingLevel)
        object.add("anomalies", kpis.anomalies.map { $0.object(in: span.calendar.zone) })
        object.add("unit", span.unit.rawValue)
        object.add("buckets", bars.map { self.object($0) })
        return object
    }

    private func object(_ bar: HistoryBar) -> JSONLine {
        var object = JSONLine()
        object.add("start", time(bar.bucket.start))
        object.add("end", time(bar.bucket.end))
        object.add("totalIn", bar.totalIn)
        object.add("totalOut", bar.totalOut)
        return object
    }

    private func object(_ start: Timestamp, totalIn: Int) -> JSONLine {
        var object = JSONLine()
        object.add("start", time(start))
        object.add("totalIn", totalIn)
        return object
    }
}
