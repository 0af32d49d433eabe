extension String {
    /// Whether it holds a control character, those of ASCII and U+0080 to U+009F (general category Cc): no name, id or reason
    /// may, for it would speak to a terminal or break a line.
    public var holdsControlCharacter: Bool { unicodeScalars.contains(where: \.isControl) }

    /// Whether it holds a character that turns the direction of the text after it (UAX #9), so that an id could look like
    /// another one.
    public var holdsBidirectionalControl: Bool { unicodeScalars.contains(where: \.isBidirectionalControl) }

    /// With a space for each control character; what a journal of an earlier version may hold is shown so.
    public var withSpacesForControls: String {
        guard holdsControlCharacter else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? " " : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { value < 0x20 || 0x7F...0x9F ~= value }

    fileprivate var isBidirectionalControl: Bool {
        value == 0x61C || 0x200E...0x200F ~= value || 0x202A...0x202E ~= value || 0x2066...0x2069 ~= value
    }
}
