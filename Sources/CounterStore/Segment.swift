/// The part of one location's journal between two resets that are not void: the level that the reset has set, and
/// what the entries of the segment add to it.
struct Segment: Equatable {
    /// The time of the segment before the first reset.
    static let beginningOfTime = Int64.min

    /// The position of the reset that begins it; 0 before the first.
    let reset: Int64
    /// The earliest time at which something in it counts.
    let begin: Int64
    let start: Int
    private(set) var sum: Int

    init(reset: Int64, begin: Int64, start: Int, sum: Int) {
        self.reset = reset
        self.begin = begin
        self.start = start
        self.sum = sum
    }

    /// The level at its end. It is always in the range of `Int`: `adding` refuses all else.
    var end: Int { start + sum }

    /// The segment with `amount` added; nil if its level would leave the range of `Int`.
    func adding(_ amount: Int) -> Segment? {
        let (sum, sumOverflows) = sum.addingReportingOverflow(amount)
        let (_, endOverflows) = start.addingReportingOverflow(sum)
        return sumOverflows || endOverflows
            ? nil : Segment(reset: reset, begin: begin, start: start, sum: sum)
    }
}
