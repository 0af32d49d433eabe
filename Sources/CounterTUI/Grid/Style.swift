/// The style of a cell, apart from its character. The background is always the terminal's own.
public struct Style: Hashable, Sendable {
    /// Attributes of a character. A terminal that does not support one ignores it.
    public struct Attributes: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt8

        /// The attributes whose bits are set.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Brighter or heavier.
        public static let bold = Attributes(rawValue: 1)
        /// Fainter than the rest.
        public static let dim = Attributes(rawValue: 2)
        /// Foreground and background exchanged.
        public static let reverse = Attributes(rawValue: 4)
        /// Underlined.
        public static let underline = Attributes(rawValue: 8)
    }

    /// The index into the terminal's palette (0…7, with 256 colours 0…255); nil is the terminal's own colour.
    public var foreground: UInt8?
    /// The attributes that are on.
    public var attributes: Attributes

    /// A style with the palette index `foreground` (nil: the terminal's own) and `attributes`.
    public init(foreground: UInt8? = nil, _ attributes: Attributes = []) {
        self.foreground = foreground
        self.attributes = attributes
    }

    /// The terminal's own colours, no attributes.
    public static let plain = Style()

    /// The same style with the reverse attribute toggled.
    public var reversed: Style {
        Style(foreground: foreground, attributes.symmetricDifference(.reverse))
    }
}
