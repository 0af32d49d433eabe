/// A line of the screen and its alignment.
enum Line: Hashable {
    /// Centred.
    case centred([Span])
    /// One part at the left edge and one at the right.
    case justified([Span], [Span])
    /// An empty line.
    case blank

    func draw(into screen: inout Screen, row: Int) {
        switch self {
        case .centred(let spans): screen.centre(spans, row: row)
        case .justified(let left, let right):
            screen.write(left, at: Point(column: 1, row: row))
            screen.write(right, at: Point(column: screen.grid.size.columns - 1 - right.columns, row: row))
        case .blank: break
        }
    }
}

extension [Span] {
    func joined(by separator: Span) -> [Span] {
        Array(map { [$0] }.joined(separator: [separator]))
    }
}
