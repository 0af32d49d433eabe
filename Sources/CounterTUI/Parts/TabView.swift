/// What a tab shows between the top line and the line of its keys. The Count screen, where the number pushes
/// everything else aside, is none.
protocol TabView {
    /// Draws into `rows`, which are empty: 2 or more, 20 columns or more wide.
    func draw(into screen: inout Screen, rows: Range<Int>)
}
