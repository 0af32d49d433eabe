import Foundation
import Testing

@testable import CounterTUI

/// Compares `screen` with the file `Golden/name.txt`; see ``expectFile(_:_:sourceLocation:)``.
func expectGolden(
    _ frame: Frame, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    try expectFile(
        "Tests/CounterTUITests/Golden/\(name).txt", goldenText(frame.grid), sourceLocation: sourceLocation)
}

/// Compares `actual` with a file of the repository, and reports the first difference.
///
/// With `UPDATE_GOLDEN=1` it writes the file instead and fails the test: look at the difference in git, then run
/// again.
func expectFile(_ name: String, _ actual: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let file = URL(filePath: #filePath).appending(path: "../../../..").standardized.appending(path: name)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(actual.utf8).write(to: file)
        Issue.record(
            "\(name) has been written: look at it, then run without UPDATE_GOLDEN",
            sourceLocation: sourceLocation)
        return
    }
    let expected = try String(decoding: Data(contentsOf: file), as: UTF8.self)
    guard actual != expected else { return }
    let lines = (
        expected.split(separator: "\n", omittingEmptySubsequences: false),
        actual.split(separator: "\n", omittingEmptySubsequences: false)
    )
    let row = zip(lines.0, lines.1).enumerated().first { $0.element.0 != $0.element.1 }
    Issue.record(
        """
        \(name) differs\(row.map { " in line \($0.offset + 1):\n- \($0.element.0)\n+ \($0.element.1)" } ?? " in length")
        the whole of it:
        \(actual)
        """, sourceLocation: sourceLocation)
}

/// The cells as text; then, below a line, each row's styles as runs: `9a 71.` is nine cells of style a, then 71 plain
/// ones. Rows without styles are left out.
func goldenText(_ grid: Grid) -> String {
    var letters: [Style: String] = [.plain: "."]
    var legend: [String] = []
    var rows: [String] = []
    for row in 0..<grid.size.rows {
        let styles = grid.row(row).map(\.style)
        guard styles.contains(where: { $0 != .plain }) else { continue }
        for style in styles where letters[style] == nil {
            let letter = String(Character(Unicode.Scalar(UInt8(ascii: "a") + UInt8(legend.count))))
            letters[style] = letter
            legend.append("\(letter) \(describe(style))")
        }
        rows.append("\(row): \(runs(styles.map { letters[$0] ?? "?" }))")
    }
    let bar = String(repeating: "=", count: grid.size.columns)
    return ([bar] + grid.lines + [bar] + rows + legend).joined(separator: "\n") + "\n"
}

private func runs(_ letters: [String]) -> String {
    var runs: [(letter: String, count: Int)] = []
    for letter in letters {
        if runs.last?.letter == letter { runs[runs.count - 1].count += 1 } else { runs.append((letter, 1)) }
    }
    return runs.map { "\($0.count)\($0.letter)" }.joined(separator: " ")
}

private func describe(_ style: Style) -> String {
    let attributes: [(Style.Attributes, String)] = [
        (.bold, "bold"), (.dim, "dim"), (.reverse, "reverse"), (.underline, "underline"),
    ]
    let colour = style.foreground.map { "colour \($0)" } ?? "default"
    return ([colour] + attributes.filter { style.attributes.contains($0.0) }.map(\.1)).joined(separator: " ")
}
