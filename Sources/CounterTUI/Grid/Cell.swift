/// One cell of a screen.
package struct Cell: Hashable, Sendable {
    private var shown: Glyph
    /// How it looks.
    package var style: Style

    init(glyph: Glyph?, style: Style) {
        shown = glyph ?? .empty
        self.style = style
    }

    /// The glyph; nil in the right half of a wide character, which the cell to the left contains.
    package var glyph: Glyph? {
        get { shown == .empty ? nil : shown }
        set { shown = newValue ?? .empty }
    }

    /// A space in the terminal's own colours.
    package static let blank = Cell(glyph: .space, style: .plain)

    /// The glyph as a character.
    package var character: Character? { glyph?.character }
}
