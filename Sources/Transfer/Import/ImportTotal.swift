import CounterModel
import Linux

/// So many in and out within a period: the rows that a line with totals stands for.
///
/// Each row has its part of the period, so that the same line makes the same rows. Those in stand at the beginning of their
/// parts, those out in the middle: as long as no more leave than come, nobody leaves who has not come.
struct ImportTotal: Sequence {
    /// The most counts of one line, each way.
    static let most = 100_000

    let ins, outs: Int
    /// When they came and went: 1 or more ranges, in order.
    let period: [Range<Timestamp>]
    /// The period in words.
    let length: String
    /// An entry with all that the rows have in common.
    let row: JournalRow
    let line: ImportLine

    func makeIterator() -> AnyIterator<JournalRow> {
        var (nextIn, nextOut) = (0, 0)
        return AnyIterator {
            if nextIn < ins, nextOut >= outs || 2 * nextIn * outs <= (2 * nextOut + 1) * ins {
                nextIn += 1
                return row(.in, part: nextIn - 1, of: ins, at: time(2 * (nextIn - 1), of: 2 * ins))
            }
            guard nextOut < outs else { return nil }
            nextOut += 1
            return row(.out, part: ins + nextOut - 1, of: outs, at: time(2 * nextOut - 1, of: 2 * outs))
        }
    }

    private func row(_ type: EntryType, part: Int, of total: Int, at time: Timestamp) -> JournalRow {
        guard case .entry(var entry) = row.content else { return row }
        var row = row
        entry.type = type
        let reason = entry.reason.map { ": \($0)" } ?? ""
        entry.reason = ReasonRule.mended("of a total of \(total) in \(length)\(reason)")
        row.content = .entry(entry)
        (row.timestamp, row.receivedAt) = (time, time)
        row.origin = .line(ImportLine(fileHash: line.fileHash, number: line.number, part: part))
        return row
    }

    /// The moment at a share of the period.
    private func time(_ share: Int, of whole: Int) -> Timestamp {
        let length = period.reduce(0) { $0 + $1.duration.microseconds }
        var rest = Int64(Int128(length) * Int128(share) / Int128(whole))
        for range in period {
            if rest < range.duration.microseconds { return range.lowerBound + .microseconds(rest) }
            rest -= range.duration.microseconds
        }
        return period[period.count - 1].upperBound
    }
}

extension LineFields {
    /// How many a line says came and went; nil where it is a single row.
    ///
    /// - Parameter hasTotals: Whether the file has columns of totals.
    func total(_ hasTotals: Bool) throws(LineError) -> (ins: Int, outs: Int)? {
        if hasTotals { return (try count(.in), try count(.out)) }
        // Most lines are of one count.
        if self[.delta] == "1" || self[.delta] == "-1" { return nil }
        guard self[.rowId] == nil, ["in", "out", nil].contains(word(.type)), let delta = try number(.delta),
            delta.magnitude != 1
        else { return nil }
        guard delta.magnitude <= ImportTotal.most else { throw tooMany(.delta) }
        guard word(.type) != "in" || delta >= 0, word(.type) != "out" || delta <= 0 else {
            throw LineError(why: "type and delta do not agree")
        }
        return delta > 0 ? (delta, 0) : (0, -delta)
    }

    private func count(_ column: LineColumn) throws(LineError) -> Int {
        let count = try number(column) ?? 0
        guard 0...ImportTotal.most ~= count else { throw tooMany(column) }
        return count
    }

    private func tooMany(_ column: LineColumn) -> LineError {
        LineError(why: "\(title(column)) is 0 to 100,000 a line, not '\(word(column) ?? "")'")
    }
}
