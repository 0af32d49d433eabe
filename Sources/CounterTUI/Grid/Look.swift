/// What a terminal can show.
public struct Look: Hashable, Sendable {
    /// The characters that large digits and lines are made of.
    public enum Glyphs: Hashable, Sendable {
        /// Blocks of a quarter of a cell: the roundest digits. Terminal emulators.
        case quadrants
        /// Blocks of half a cell: what the fonts of a Linux virtual terminal have.
        case halves
        /// ASCII only.
        case ascii
    }

    /// The colours.
    public enum Palette: Hashable, Sendable {
        /// None, or the user wants none (`NO_COLOR`).
        case none
        /// The eight that every terminal with colours has.
        case eight
        /// 256.
        case many
    }

    /// The characters.
    public var glyphs: Glyphs
    /// The colours.
    public var palette: Palette

    /// A terminal with these.
    public init(glyphs: Glyphs, palette: Palette) {
        self.glyphs = glyphs
        self.palette = palette
    }

    var ellipsis: Character { glyphs == .ascii ? "~" : "…" }
}
