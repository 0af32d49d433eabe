extension HistorySelection {
    /// Reads `FROM` or `FROM to TO`, with bounds as in ``HistoryBound/init(_:)``: `2026-11-01 14:00 to today`.
    ///
    /// - Throws: ``HistoryRangeError/unreadable(_:)`` with the bound that cannot be read.
    public init(_ text: String) throws(HistoryRangeError) {
        let words = text.split(separator: " ")
        let divider = words.firstIndex(of: "to")
        let from = words[..<(divider ?? words.endIndex)].joined(separator: " ")
        guard let divider else {
            self = .between(try HistoryBound(from), nil)
            return
        }
        let to = words[(divider + 1)...].joined(separator: " ")
        self = .between(try HistoryBound(from), try HistoryBound(to))
    }
}
