/// The style of a cell, apart from its character. The background is always the terminal's own.
package struct Style: Hashable, Sendable {
    /// Attributes of a character. A terminal that does not support one ignores it.
    package struct Attributes: OptionSet, Hashable, Sendable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Attributes(rawValue: 1)
        package static let dim = Attributes(rawValue: 2)
        package static let reverse = Attributes(rawValue: 4)
        package static let underline = Attributes(rawValue: 8)
    }

    // One number, because each press compares the styles of a thousand cells.
    /// The attributes in bits 0 to 7, the foreground in bits 8 to 15, bit 16 where there is one.
    private let bits: UInt32

    private static let hasForeground: UInt32 = 1 << 16

    package init(foreground: UInt8? = nil, _ attributes: Attributes = []) {
        bits = UInt32(attributes.rawValue) | (foreground.map { UInt32($0) << 8 | Self.hasForeground } ?? 0)
    }

    /// The index into the terminal's palette (0…7, with 256 colours 0…255); nil is the terminal's own colour.
    package var foreground: UInt8? {
        bits & Self.hasForeground == 0 ? nil : UInt8(truncatingIfNeeded: bits >> 8)
    }

    package var attributes: Attributes { Attributes(rawValue: UInt8(truncatingIfNeeded: bits)) }

    /// The terminal's own colours, no attributes.
    package static let plain = Style()

    package var reversed: Style {
        Style(foreground: foreground, attributes.symmetricDifference(.reverse))
    }
}

/// The capabilities of a terminal that affect drawing.
package struct Capabilities: Hashable, Sendable {
    /// The character set of large digits and lines.
    package enum Glyphs: Hashable, Sendable {
        /// Quarter-cell blocks, the roundest digits: terminal emulators.
        case quadrants
        /// Half-cell blocks: the fonts of a Linux virtual terminal have no others.
        case halves
        case ascii
    }

    package enum Palette: Hashable, Sendable {
        /// No colours, or the user disabled them (`NO_COLOR`).
        case none
        /// The eight colours that every colour terminal has.
        case eight
        case many
    }

    package var glyphs: Glyphs
    package var palette: Palette

    package init(glyphs: Glyphs, palette: Palette) { (self.glyphs, self.palette) = (glyphs, palette) }

    /// The index of a colour among eight, or among many; nil for none.
    package func pick(_ eight: UInt8, _ many: UInt8) -> UInt8? {
        switch palette {
        case .none: nil
        case .eight: eight
        case .many: many
        }
    }
}
