extension String {
    /// Whether it holds a control character, those of ASCII and U+0080 to U+009F (general category Cc): no name, id or reason
    /// may, for it would speak to a terminal or break a line.
    public var holdsControlCharacter: Bool {
        unicodeScalars.contains { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }
    }
}
