extension String {
    /// Whether it holds a control character (general category Cc): no name, id or reason may, for it would speak to a
    /// terminal or break a line.
    public var holdsControlCharacter: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
}
