import Testing

@testable import CounterTUI

/// What the painter sends, read as a terminal reads it. Serialized: terminfo has one current type in a process.
extension TerminalTests {
    @Suite struct Painting {
        private static let size = Size(columns: 24, rows: 5)

        private func painter(_ type: String, isUTF8: Bool = true) throws -> Painter {
            Painter(try TerminalType(name: type, output: 1).drawing) { _ in isUTF8 }
        }

        @Test(arguments: ["xterm-256color", "tmux-256color", "xterm", "linux", "ansi", "vt100"])
        func `From any screen to any other the terminal shows what was drawn`(type: String) throws {
            var painter = try painter(type)
            var reader = SequenceReader(size: Self.size)
            var source = Draw(state: 7)
            let colours = try TerminalType(name: type, output: 1).drawing.colours
            var grid = Grid(size: Self.size)
            for _ in 0..<500 {
                source.change(&grid, colours: colours)
                reader.read(painter.paint(grid))
                // The last cell of all would scroll some terminals.
                let cells = Self.size.columns * Self.size.rows - (type == "ansi" ? 1 : 0)
                for place in 0..<cells {
                    let point = Point(column: place % Self.size.columns, row: place / Self.size.columns)
                    let cell = reader.cell(point)
                    #expect(cell.character == grid[point].character, "\(point)")
                    if type == "xterm-256color", cell != .blank { #expect(cell.style == grid[point].style) }
                }
            }
        }

        @Test func `The same screen again is nothing`() throws {
            var painter = try painter("xterm")
            var grid = Grid(size: Self.size)
            grid.write("Count 1", at: Point(column: 3, row: 2))
            #expect(!painter.paint(grid).isEmpty)
            #expect(painter.paint(grid).isEmpty)
            painter.forget()
            #expect(!painter.paint(grid).isEmpty)
        }

        @Test func `One digit more is one character`() throws {
            var painter = try painter("xterm")
            var grid = Grid(size: Self.size)
            grid.write("Count 1", at: Point(column: 3, row: 2))
            _ = painter.paint(grid)
            grid.write("Count 2", at: Point(column: 3, row: 2))
            #expect(painter.paint(grid) == Array("\u{1B}[3;10H2".utf8))
        }

        @Test func `Without UTF-8 a wide character is two narrow ones`() throws {
            var painter = try painter("xterm", isUTF8: false)
            var grid = Grid(size: Self.size)
            grid.write("音é|", at: Point(column: 0, row: 0))
            #expect(String(decoding: painter.paint(grid), as: UTF8.self).hasSuffix("? ?|"))
        }

        @Test func `A cursor that cannot be hidden rests at the lower left`() throws {
            var painter = try painter("vt100")
            let sent = painter.paint(Grid(size: Self.size))
            #expect(String(decoding: sent, as: UTF8.self).hasSuffix("\u{1B}[5;1H"))
        }
    }
}

/// Random changes of a screen.
private struct Draw {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
    }

    mutating func change(_ grid: inout Grid, colours: Int) {
        for _ in 0...next(4) {
            let place = Point(column: next(grid.size.columns + 2) - 1, row: next(grid.size.rows))
            let texts = ["x", "音", "é", "    ", "a音b", "██▛ ", String(repeating: " ", count: 30)]
            let text = texts[next(texts.count)]
            var style = Style(Style.Attributes(rawValue: UInt8(next(16))))
            if colours > 0, next(2) == 0 { style.foreground = UInt8(next(min(colours, 256))) }
            grid.write(text, at: place, next(3) == 0 ? .plain : style)
        }
    }
}

/// As much of a terminal as the painter needs: characters, cup, clear, el and SGR.
private struct SequenceReader {
    private var rows: [[Cell]]
    private var cursor = Point(column: 0, row: 0)
    private var style = Style.plain

    init(size: Size) {
        rows = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
    }

    /// A cell; what only styles could tell from a blank is one.
    func cell(_ point: Point) -> Cell { rows[point.row][point.column] }

    mutating func read(_ bytes: [UInt8]) {
        var rest = Array(String(decoding: bytes, as: UTF8.self))[...]
        while let character = rest.popFirst() {
            switch character {
            case "\u{1B}": sequence(&rest)
            case "\u{F}": break
            default: put(character)
            }
        }
    }

    private mutating func sequence(_ rest: inout ArraySlice<Character>) {
        guard rest.popFirst() == "[" else { return rest.removeFirst(1) }
        let text = String(rest.prefix { $0.isNumber || $0 == ";" })
        rest = rest.dropFirst(text.count)
        let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        switch rest.popFirst() {
        case "H":
            cursor = Point(
                column: max(1, numbers.count > 1 ? numbers[1] : 1) - 1, row: max(1, numbers[0]) - 1)
        case "J": for row in rows.indices { clear(row, from: 0) }
        case "K": clear(cursor.row, from: cursor.column)
        case "m": select(numbers)
        default: Issue.record("a sequence that nobody needs: \(text)")
        }
    }

    private mutating func clear(_ row: Int, from column: Int) {
        #expect(style.attributes.isEmpty)
        for column in column..<rows[row].count { rows[row][column] = .blank }
    }

    private mutating func put(_ character: Character) {
        let width = CharacterWidth.columns(character)
        guard cursor.column + width <= rows[cursor.row].count else {
            Issue.record("over the edge at \(cursor)")
            return
        }
        // Half of a wide character is no character.
        let after = cursor.column + width
        if rows[cursor.row][cursor.column].glyph == nil {
            rows[cursor.row][cursor.column - 1].glyph = " "
        }
        if after < rows[cursor.row].count, rows[cursor.row][after].glyph == nil {
            rows[cursor.row][after].glyph = " "
        }
        rows[cursor.row][cursor.column] = Cell(glyph: Glyph(character), style: style)
        if width == 2 { rows[cursor.row][cursor.column + 1] = Cell(glyph: nil, style: style) }
        if character == " ", style.attributes.isDisjoint(with: [.reverse, .underline]) {
            rows[cursor.row][cursor.column] = .blank
        }
        cursor.column = after
    }

    private mutating func select(_ numbers: [Int]) {
        var rest = numbers[...]
        while let number = rest.popFirst() {
            switch number {
            case 1: style.attributes.insert(.bold)
            case 2: style.attributes.insert(.dim)
            case 4: style.attributes.insert(.underline)
            case 7: style.attributes.insert(.reverse)
            case 30...37: style.foreground = UInt8(number - 30)
            case 90...97: style.foreground = UInt8(number - 82)
            case 38:
                style.foreground = UInt8(rest.dropFirst().first ?? 0)
                rest = rest.dropFirst(2)
            default: style = .plain
            }
        }
    }
}
