/// What a tab shows between the top line and the line of its keys. The Count screen, where the number pushes
/// everything else aside, is none.
protocol TabView {
    /// What can be typed and clicked, beside help and quit.
    var keys: [KeyLine.Key] { get }
    /// Keys and what they do, for the help: five lines of 18 and 17 columns are one page at 40 by 12.
    static var help: [(String, String)] { get }
    /// Draws into `rows`, which are empty: 2 or more, 20 columns or more wide.
    func draw(into screen: inout Screen, rows: Range<Int>)
}
