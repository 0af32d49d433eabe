/// The capabilities of a terminal that affect drawing.
public struct Look: Hashable, Sendable {
    /// The character set of large digits and lines.
    public enum Glyphs: Hashable, Sendable {
        /// Quarter-cell blocks, the roundest digits: terminal emulators.
        case quadrants
        /// Half-cell blocks: the fonts of a Linux virtual terminal have no others.
        case halves
        /// ASCII only.
        case ascii
    }

    /// The colours.
    public enum Palette: Hashable, Sendable {
        /// No colours, or the user disabled them (`NO_COLOR`).
        case none
        /// The eight colours that every colour terminal has.
        case eight
        /// 256.
        case many
    }

    /// The characters.
    public var glyphs: Glyphs
    /// The colours.
    public var palette: Palette

    /// A terminal with these capabilities.
    public init(glyphs: Glyphs, palette: Palette) {
        self.glyphs = glyphs
        self.palette = palette
    }

    var ellipsis: Character { glyphs == .ascii ? "~" : "…" }
}
