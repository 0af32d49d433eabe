import Linux

/// A drawn screen: its cells, and the intents of the cells that can be clicked.
package struct Frame: Hashable, Sendable {
    package internal(set) var grid: Grid
    // Later targets cover earlier ones.
    private var targets: [Target] = []

    private struct Target: Hashable, Sendable {
        let strip: Strip
        let intent: Intent?
    }

    /// An empty screen, on which nothing can be clicked.
    package init(size: Size) {
        grid = Grid(size: size)
    }

    /// Below this size only the number is shown.
    private static let smallest = Size(columns: 20, rows: 6)

    /// Whether a screen of `size` has room only for the number.
    static func isNumberAlone(at size: Size) -> Bool {
        size.columns < smallest.columns || size.rows < smallest.rows
    }

    /// The intent of a click at `point`; nil where there is none.
    package func intent(at point: Point) -> Intent? {
        targets.last { $0.strip.contains(point) }?.intent
    }

    /// Gives cells an intent for clicks; nil makes them unclickable, whatever lies below.
    mutating func target(_ strip: Strip, _ intent: Intent?) {
        targets.append(Target(strip: strip, intent: intent))
    }

    /// Writes spans one after another from `point`; those with an intent can be clicked.
    mutating func write(_ spans: [Span], at point: Point) {
        var position = point
        for span in spans {
            let start = position.column
            position.column = grid.write(span.text, at: position, span.style)
            guard let intent = span.intent, start < position.column else { continue }
            target(Strip(row: point.row, columns: start..<position.column), intent)
        }
    }

    /// Writes spans in the middle of a row.
    mutating func centre(_ spans: [Span], row: Int) {
        let free = grid.size.columns - spans.columns
        write(spans, at: Point(column: max(0, free / 2), row: row))
    }
}

/// A part of a line: text in one style, and the intent of a click on it.
struct Span: Hashable, Sendable {
    let text: String
    let style: Style
    let intent: Intent?

    /// Sanitises the text for the terminal, so that its width is the drawn one.
    init(_ text: String, _ style: Style = .plain, _ intent: Intent? = nil) {
        self.text = text.sanitised
        self.style = style
        self.intent = intent
    }

    var columns: Int { CharacterWidth.columns(text) }
}

extension [Span] {
    /// As many of the spans as fit, the last one truncated.
    func truncated(to columns: Int, ellipsis: Character) -> [Span] {
        var room = columns
        var result: [Span] = []
        for span in self where room > 0 {
            let text = span.columns <= room ? span.text : span.text.truncated(to: room, ellipsis: ellipsis)
            result.append(Span(text, span.style, span.intent))
            room -= span.columns
        }
        return result
    }

    var columns: Int { reduce(0) { $0 + $1.columns } }
}

/// A line of the screen and its alignment.
enum Line: Hashable {
    case centred([Span])
    /// One part at the left edge and one at the right.
    case justified([Span], [Span])
    /// An empty line.
    case blank

    func draw(into frame: inout Frame, row: Int) {
        switch self {
        case .centred(let spans): frame.centre(spans, row: row)
        case .justified(let left, let right):
            frame.write(left, at: Point(column: 1, row: row))
            frame.write(right, at: Point(column: frame.grid.size.columns - 1 - right.columns, row: row))
        case .blank: break
        }
    }
}

extension [Span] {
    func joined(by separator: Span) -> [Span] {
        Array(map { [$0] }.joined(separator: [separator]))
    }
}
