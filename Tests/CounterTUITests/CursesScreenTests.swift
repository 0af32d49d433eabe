import Glibc
import Testing

@testable import CounterTUI

/// The output of ncurses, interpreted as a terminal does. Serialized: ncurses has one current screen in a process.
extension TerminalTests {
    @Suite struct Drawing {
        private static let size = Size(columns: 24, rows: 5)

        private func screen(_ type: String) throws -> CursesScreen {
            setlocale(LC_CTYPE, "C.UTF-8")
            return try CursesScreen(type: type, hasColours: true) { _ in true }
        }

        private func output(_ screen: CursesScreen, _ grid: Grid) -> String {
            screen.draw(grid)
            return String(decoding: screen.takeOutput(), as: UTF8.self)
        }

        @Test(arguments: ["xterm-256color", "tmux-256color", "screen", "xterm", "linux", "ansi", "vt100"])
        func `From any screen to any other the terminal shows what was drawn`(type: String) throws {
            let screen = try screen(type)
            var reader = SequenceReader(size: Self.size, wrapsAtOnce: type == "ansi")
            var source = Draw(state: 7)
            var grid = Grid(size: Self.size)
            for _ in 0..<500 {
                source.change(&grid, colours: screen.colourCount)
                reader.read(output(screen, grid))
                // On terminals whose wrapping cannot be switched off, a wide character beside the last cell of the
                // screen is shown as "?".
                let isShifted = ["ansi", "tmux-256color", "screen"].contains(type)
                let cells = Self.size.columns * Self.size.rows - (isShifted ? 3 : 0)
                for place in 0..<cells {
                    let point = Point(column: place % Self.size.columns, row: place / Self.size.columns)
                    let cell = reader.cell(point)
                    #expect(cell.character == grid[point].character, "\(point)")
                    let marks = grid[point].style.attributes.intersection([.reverse, .underline])
                    if type == "xterm-256color", cell.character != " " || !marks.isEmpty {
                        #expect(cell.style == grid[point].style)
                    }
                }
            }
        }

        @Test func `One digit more is one character`() throws {
            let screen = try screen("xterm")
            var grid = Grid(size: Self.size)
            grid.write("Count 1", at: Point(column: 3, row: 2))
            _ = output(screen, grid)
            grid.write("Count 2", at: Point(column: 3, row: 2))
            #expect(output(screen, grid) == "\u{8}2")
        }

        @Test func `A cursor that cannot be hidden rests at the lower left`() throws {
            let screen = try screen("vt100")
            var reader = SequenceReader(size: Self.size)
            var grid = Grid(size: Self.size)
            for text in ["Count 1", "Count 2"] {
                grid.write(text, at: Point(column: 3, row: 2))
                reader.read(output(screen, grid))
                #expect(reader.cursor == Point(column: 0, row: 4))
            }
        }

        @Test func `A size without an end takes no memory without one`() throws {
            let device = try PseudoTerminal(columns: 65_535, rows: 65_535)
            let terminal = try device.open("xterm")
            #expect(terminal.size == Size(columns: 1000, rows: 400))
            for (columns, rows) in [(1, 1), (5, 1), (1000, 400), (5000, 5000), (1, 65_535), (80, 24)] {
                device.resize(columns: columns, rows: rows)
                let size = terminal.resize()
                #expect(size == Size(columns: min(columns, 1000), rows: min(rows, 400)))
                let screen = try screen("xterm")
                let drawn = Sample.count(Sample.ordinary()).frame(size.columns, size.rows).grid
                var reader = SequenceReader(size: size)
                reader.read(output(screen, drawn))
                #expect(reader.lines == drawn.lines)
            }
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
            let attributes = Style.Attributes(rawValue: UInt8(next(16)))
            let hasColour = colours > 0 && next(2) == 0
            let style = Style(foreground: hasColour ? UInt8(next(min(colours, 256))) : nil, attributes)
            grid.write(text, at: place, next(3) == 0 ? .plain : style)
        }
    }
}
