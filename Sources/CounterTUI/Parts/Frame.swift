import Linux

/// A drawn screen: its cells, and what a click on each does.
package struct Frame {
    package internal(set) var grid: Grid
    // Later targets cover earlier ones.
    private var targets: [(strip: Strip, action: Action)] = []
    private var urgentTarget: (strip: Strip, action: Action)?

    package init(size: Size) { grid = Grid(size: size) }

    /// Below this size only the number is shown.
    private static let smallest = Size(columns: 20, rows: 6)

    static func isNumberAlone(at size: Size) -> Bool {
        size.columns < smallest.columns || size.rows < smallest.rows
    }

    package func action(at point: Point) -> Action? {
        targets.last { $0.strip.contains(point) }?.action
    }

    mutating func target(_ strip: Strip, _ action: @escaping Action) { targets.append((strip, action)) }

    /// Makes the urgent span a target again, above those that were added after it.
    mutating func raiseUrgentTarget() { targets += [urgentTarget].compactMap(\.self) }

    /// Writes spans one after another from `point`; those with an action can be clicked.
    mutating func write(_ spans: [Span], at point: Point) {
        var position = point
        for span in spans {
            let start = position.column
            position.column = grid.write(span.text, at: position, span.style)
            guard let action = span.action, start < position.column else { continue }
            let strip = Strip(row: point.row, columns: start..<position.column)
            target(strip, action)
            if span.isUrgent { urgentTarget = (strip, action) }
        }
    }

    mutating func centre(_ spans: [Span], row: Int) {
        let free = grid.size.columns - spans.columns
        write(spans, at: Point(column: max(0, free / 2), row: row))
    }
}

/// A part of a line: text in one style, and what a click on it does.
struct Span {
    let text: String
    let style: Style
    let action: Action?
    /// Whether a click on it has its effect under an overlay too.
    var isUrgent = false

    /// Sanitises the text for the terminal, so that its width is the drawn one.
    init(_ text: String, _ style: Style = .plain, _ action: Action? = nil) {
        self.text = text.sanitised
        self.style = style
        self.action = action
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
            result.append(Span(text, span.style, span.action))
            room -= span.columns
        }
        return result
    }

    var columns: Int { reduce(0) { $0 + $1.columns } }

    func joined(by separator: Span) -> [Span] {
        Array(map { [$0] }.joined(separator: [separator]))
    }
}

enum Line {
    case centred([Span])
    case justified([Span], [Span])

    static var blank: Line { .centred([]) }

    func draw(into frame: inout Frame, row: Int) {
        switch self {
        case .centred(let spans): frame.centre(spans, row: row)
        case .justified(let left, let right):
            frame.write(left, at: Point(column: 1, row: row))
            frame.write(right, at: Point(column: frame.grid.size.columns - 1 - right.columns, row: row))
        }
    }
}
