import Linux
import Testing

@testable import CounterTUI

/// The parts of a terminal that ncurses uses: characters, motion, erasing, inserting and SGR.
struct SequenceReader {
    private let size: Size
    /// A character in the last column moves the cursor to the next row at once (`am` without `xenl`).
    private let wrapsAtOnce: Bool
    private var rows: [[Cell]]
    private(set) var cursor = Point(column: 0, row: 0)
    private var attributes: Style.Attributes = []
    private var foreground: UInt8?
    private var wraps = true
    /// The last column has been written to, and the next character goes to the next row.
    private var isBehindEdge = false
    private var last: Character = " "

    init(size: Size, wrapsAtOnce: Bool = false) {
        (self.size, self.wrapsAtOnce) = (size, wrapsAtOnce)
        rows = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
    }

    private var style: Style { Style(foreground: foreground, attributes) }

    /// A cell; one that differs from a blank only in style is a blank.
    func cell(_ point: Point) -> Cell { rows[point.row][point.column] }

    /// The text of all rows, without the spaces at their ends.
    var lines: [String] {
        rows.map { row in
            let line = String(row.compactMap(\.character))
            return line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? ""
        }
    }

    mutating func read(_ text: String) {
        // CR LF is one character of Swift, and two of a terminal.
        var rest = text.flatMap { $0 == "\r\n" ? ["\r", "\n"] : [$0] }[...]
        while let character = rest.popFirst() {
            switch character {
            case "\u{1B}": sequence(&rest)
            case "\u{F}", "\u{E}": break
            case "\u{8}": move(columns: -1)
            case "\r": move(columns: -cursor.column)
            case "\n": move(rows: 1)
            case "\t": move(columns: 8 - cursor.column % 8)
            default: put(character)
            }
        }
    }

    private mutating func move(columns: Int = 0, rows: Int = 0) {
        isBehindEdge = false
        cursor.column = min(size.columns - 1, max(0, cursor.column + columns))
        cursor.row = min(size.rows - 1, max(0, cursor.row + rows))
    }

    private mutating func sequence(_ rest: inout ArraySlice<Character>) {
        switch rest.popFirst() {
        case "[": break
        case "M": return move(rows: -1)
        default: return rest.removeFirst(1)
        }
        let text = String(rest.prefix { $0.isNumber || $0 == ";" || $0 == "?" })
        rest = rest.dropFirst(text.count)
        let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        let count = max(1, numbers.first ?? 1)
        switch (rest.popFirst(), text) {
        case ("H", _):
            isBehindEdge = false
            cursor = Point(column: max(1, numbers.count > 1 ? numbers[1] : 1) - 1, row: count - 1)
        case ("A", _): move(rows: -count)
        case ("B", _): move(rows: count)
        case ("C", _): move(columns: count)
        case ("D", _): move(columns: -count)
        case ("G", _): move(columns: count - 1 - cursor.column)
        case ("d", _): move(rows: count - 1 - cursor.row)
        case ("Z", _): move(columns: -((cursor.column - 1) % 8 + 1))
        case ("J", "2"): for row in 0..<size.rows { clear(row, 0..<size.columns) }
        case ("J", _):
            clear(cursor.row, cursor.column..<size.columns)
            for row in (cursor.row + 1)..<max(cursor.row + 1, size.rows) { clear(row, 0..<size.columns) }
        case ("K", "1"): clear(cursor.row, 0..<(cursor.column + 1))
        case ("K", _): clear(cursor.row, cursor.column..<size.columns)
        case ("X", _): clear(cursor.row, cursor.column..<min(size.columns, cursor.column + count))
        case ("b", _): for _ in 0..<count { put(last) }
        case ("@", _):
            for _ in 0..<count { rows[cursor.row].insert(.blank, at: cursor.column) }
            rows[cursor.row].removeLast(count)
        case ("l", "?7"): wraps = false
        case ("h", "?7"): wraps = true
        case ("m", _): select(numbers)
        case (let final, _): Issue.record("a sequence that nobody knows: \(text)\(final ?? " ")")
        }
    }

    private mutating func clear(_ row: Int, _ columns: Range<Int>) {
        #expect(style.attributes.isDisjoint(with: [.reverse, .underline]))
        for column in columns { rows[row][column] = .blank }
    }

    private mutating func put(_ character: Character) {
        if isBehindEdge { newRow() }
        let width = CharacterWidth.columns(character)
        let after = cursor.column + width
        guard after <= size.columns else {
            Issue.record("over the edge at \(cursor)")
            return
        }
        // Half of a wide character cannot stay.
        if rows[cursor.row][cursor.column].glyph == nil {
            rows[cursor.row][cursor.column - 1].glyph = " "
        }
        if after < size.columns, rows[cursor.row][after].glyph == nil { rows[cursor.row][after].glyph = " " }
        rows[cursor.row][cursor.column] = Cell(glyph: Glyph(character), style: style)
        if width == 2 { rows[cursor.row][cursor.column + 1] = Cell(glyph: nil, style: style) }
        if character == " ", style.attributes.isDisjoint(with: [.reverse, .underline]) {
            rows[cursor.row][cursor.column] = .blank
        }
        last = character
        cursor.column = min(after, size.columns - 1)
        isBehindEdge = after == size.columns && wraps
        if isBehindEdge, wrapsAtOnce { newRow() }
    }

    private mutating func newRow() {
        isBehindEdge = false
        if cursor.row + 1 == size.rows { Issue.record("the screen scrolls") }
        cursor = Point(column: 0, row: min(cursor.row + 1, size.rows - 1))
    }

    private mutating func select(_ numbers: [Int]) {
        var rest = numbers[...]
        if rest.isEmpty { (attributes, foreground) = ([], nil) }
        while let number = rest.popFirst() {
            switch number {
            case 1: attributes.insert(.bold)
            case 2: attributes.insert(.dim)
            case 4: attributes.insert(.underline)
            case 7: attributes.insert(.reverse)
            case 24: attributes.remove(.underline)
            case 27: attributes.remove(.reverse)
            case 30...37: foreground = UInt8(number - 30)
            case 90...97: foreground = UInt8(number - 82)
            case 38:
                foreground = UInt8(rest.dropFirst().first ?? 0)
                rest = rest.dropFirst(2)
            case 39: foreground = nil
            case 49, 10: break
            default: (attributes, foreground) = ([], nil)
            }
        }
    }
}
