/// A screen with a tab, its own keys and its own view. Count is drawn differently: its number takes precedence over
/// everything else.
protocol TabScreen: AnyObject {
    /// The keys; `area` is the part of the terminal between the top line, the alerts and the key line.
    func keys(in area: Size) -> [KeyBinding]
    /// The action of a number of wheel clicks, up where negative.
    func scroll(_ clicks: Int, in area: Size) -> Action?
    /// Draws into `rows`, which are empty: at least 2 rows of at least 20 columns.
    func draw(into frame: inout Frame, rows: Range<Int>, theme: Theme)
}
