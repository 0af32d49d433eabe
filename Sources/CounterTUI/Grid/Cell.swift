/// One cell of a screen.
public struct Cell: Hashable, Sendable {
    private var shown: Glyph
    /// How it looks.
    public var style: Style

    init(glyph: Glyph?, style: Style) {
        shown = glyph ?? .empty
        self.style = style
    }

    /// The glyph; nil in the right half of a wide character, which the cell to the left contains.
    public var glyph: Glyph? {
        get { shown == .empty ? nil : shown }
        set { shown = newValue ?? .empty }
    }

    /// A space in the terminal's own colours.
    public static let blank = Cell(glyph: .space, style: .plain)

    /// The glyph as a character.
    public var character: Character? { glyph?.character }
}
