/// The capabilities of a terminal that affect drawing.
package struct Look: Hashable, Sendable {
    /// The character set of large digits and lines.
    package enum Glyphs: Hashable, Sendable {
        /// Quarter-cell blocks, the roundest digits: terminal emulators.
        case quadrants
        /// Half-cell blocks: the fonts of a Linux virtual terminal have no others.
        case halves
        /// ASCII only.
        case ascii
    }

    /// The colours.
    package enum Palette: Hashable, Sendable {
        /// No colours, or the user disabled them (`NO_COLOR`).
        case none
        /// The eight colours that every colour terminal has.
        case eight
        /// 256.
        case many
    }

    /// The characters.
    package var glyphs: Glyphs
    /// The colours.
    package var palette: Palette

    /// A terminal with these capabilities.
    package init(glyphs: Glyphs, palette: Palette) {
        self.glyphs = glyphs
        self.palette = palette
    }

    var ellipsis: Character { glyphs == .ascii ? "~" : "…" }
}
