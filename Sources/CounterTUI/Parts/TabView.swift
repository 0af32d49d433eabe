/// Draws a tab between the top line and the key line. The Count screen is drawn differently: its number takes precedence
/// over everything else.
protocol TabView {
    /// Draws into `rows`, which are empty: at least 2 rows of at least 20 columns.
    func draw(into frame: inout Frame, rows: Range<Int>)
}
