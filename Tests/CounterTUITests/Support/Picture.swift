@testable import CounterTUI

/// A screen as an SVG picture: the cells of a terminal with 256 colours, in a window.
///
/// Block characters are drawn as shapes, so that they look the same in every font. Text is stretched to its cells,
/// from a size at which most fonts fill them anyway. All edges are at whole units, so the picture is sharp at its own
/// size.
struct Picture {
    private static let cell = (width: 10, height: 20)
    private static let margin = 20
    private static let titleBar = 36

    /// The colours of a terminal's theme.
    struct Ground {
        let background: String
        let foreground: String
        let border: String
        let title: String

        static let dark = Ground(
            background: "#15181e", foreground: "#d5d9e0", border: "#343a45", title: "#8b93a1")
        static let light = Ground(
            background: "#fbfbfa", foreground: "#24292f", border: "#d0d4da", title: "#6a737d")
    }

    let grid: Grid
    let ground: Ground
    /// The title of the terminal's window.
    let title: String

    /// The content of the SVG file.
    var svg: String {
        let width = grid.size.columns * Self.cell.width + 2 * Self.margin
        let height = grid.size.rows * Self.cell.height + Self.titleBar + Self.margin
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
            viewBox="0 0 \(width) \(height)" role="img" aria-label="\(title.escaped)">
            <title>\(title.escaped)</title>
            \(window(width: width, height: height))
            <g transform="translate(\(Self.margin) \(Self.titleBar))" \
            font-family="ui-monospace,'SF Mono',Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="16.6">
            \((blocks + texts).joined(separator: "\n"))
            </g>
            </svg>

            """
    }

    private func window(width: Int, height: Int) -> String {
        let buttons = ["#ff5f57", "#febc2e", "#28c840"].enumerated().map {
            "<circle cx=\"\(22 + 20 * $0.offset)\" cy=\"18\" r=\"6\" fill=\"\($0.element)\"/>"
        }
        return """
            <rect x="0.5" y="0.5" width="\(width - 1)" height="\(height - 1)" rx="10" \
            fill="\(ground.background)" stroke="\(ground.border)"/>
            \(buttons.joined())
            <text x="\(width / 2)" y="23" text-anchor="middle" fill="\(ground.title)" \
            font-family="system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif" \
            font-size="13">\(title.escaped)</text>
            """
    }
}

// MARK: - Blocks

extension Picture {
    /// A part of the picture in quarters of a cell, with one colour.
    private struct Block {
        let column: Int
        let row: Int
        let width: Int
        var height = 1
        let colour: String
    }

    /// One shape for each colour, from all blocks that have it.
    private var blocks: [String] {
        var all: [Block] = []
        for row in 0..<(2 * grid.size.rows) {
            for block in runs(row) {
                let above = all.firstIndex {
                    $0.row + $0.height == row && $0.column == block.column && $0.width == block.width
                        && $0.colour == block.colour
                }
                if let above { all[above].height += 1 } else { all.append(block) }
            }
        }
        let colours = all.reduce(into: [String]()) { if !$0.contains($1.colour) { $0.append($1.colour) } }
        return colours.map { colour in
            let shapes = all.filter { $0.colour == colour }.map(shape)
            return "<path fill=\"\(colour)\" shape-rendering=\"crispEdges\" d=\"\(shapes.joined())\"/>"
        }
    }

    private func shape(_ block: Block) -> String {
        let (width, height) = (Self.cell.width / 2, Self.cell.height / 2)
        let across = block.width * width
        return "M\(block.column * width) \(block.row * height)h\(across)v\(block.height * height)h-\(across)z"
    }

    /// The runs of one colour in a row of quarters.
    private func runs(_ row: Int) -> [Block] {
        var blocks: [Block] = []
        let colours = grid.row(row / 2).flatMap { cell in
            [0, 1].map { $0 + 2 * (row % 2) }.map { fill(cell, quarter: $0) }
        }
        var start = 0
        while start < colours.count {
            let end = colours[start...].firstIndex { $0 != colours[start] } ?? colours.count
            if let colour = colours[start] {
                blocks.append(Block(column: start, row: row, width: end - start, colour: colour))
            }
            start = end
        }
        return blocks
    }

    /// The colour of a quarter of a cell: 0 and 1 above, 2 and 3 below; nil where it is the background's.
    private func fill(_ cell: Cell, quarter: Int) -> String? {
        let isInk = Self.quarters[cell.character ?? " "].map { $0 & 1 << quarter != 0 } ?? false
        return isInk != cell.style.attributes.contains(.reverse) ? cell.style.colour(on: ground) : nil
    }

    private static let quarters: [Character: UInt8] = [
        "▘": 1, "▝": 2, "▀": 3, "▖": 4, "▌": 5, "▞": 6, "▛": 7, "▗": 8, "▚": 9, "▐": 10, "▜": 11, "▄": 12,
        "▙": 13, "▟": 14, "█": 15,
    ]
}

// MARK: - Text

extension Picture {
    /// A text element for each run of cells with one style and without two blanks in a row.
    private var texts: [String] {
        (0..<grid.size.rows).flatMap { row in
            let cells = Array(grid.row(row))
            var pieces: [String] = []
            var start = 0
            while let first = cells[start...].firstIndex(where: isText) {
                let gap = cells[first...].indices.first {
                    cells[$0].style != cells[first].style || !cells[$0...].prefix(2).contains(where: isText)
                }
                start = gap ?? cells.count
                pieces.append(text(Array(cells[first..<start]), column: first, row: row))
            }
            return pieces
        }
    }

    private func isText(_ cell: Cell) -> Bool {
        guard let character = cell.character else { return false }
        return character != " " && Self.quarters[character] == nil
    }

    private func text(_ cells: [Cell], column: Int, row: Int) -> String {
        let style = cells[0].style
        let colour = style.attributes.contains(.reverse) ? ground.background : style.colour(on: ground)
        let weight = style.attributes.contains(.bold) ? " font-weight=\"700\"" : ""
        return """
            <text x="\(column * Self.cell.width)" y="\(row * Self.cell.height + 15)" fill="\(colour)"\(weight) \
            textLength="\(cells.count * Self.cell.width)" \
            lengthAdjust="spacingAndGlyphs">\(String(cells.compactMap(\.character)).escaped)</text>
            """
    }
}

extension Style {
    /// The colour of the text, as a terminal with 256 colours shows it: a cube of 6 × 6 × 6, then greys.
    fileprivate func colour(on ground: Picture.Ground) -> String {
        guard let foreground else { return ground.foreground }
        let index = Int(foreground)
        let steps = [0, 95, 135, 175, 215, 255]
        switch index {
        case 16..<232:
            let cube = index - 16
            return Self.hex([steps[cube / 36], steps[cube / 6 % 6], steps[cube % 6]])
        case 232...:
            return Self.hex(Array(repeating: 8 + 10 * (index - 232), count: 3))
        default:
            // The first sixteen colours depend on the terminal's theme; the screens use none of them on a terminal of
            // 256 colours.
            preconditionFailure("no picture of colour \(index)")
        }
    }

    private static func hex(_ parts: [Int]) -> String {
        "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension String {
    /// Escaped for XML.
    fileprivate var escaped: String {
        reduce(into: "") { text, character in
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.append(character)
            }
        }
    }
}
