/// What the id of a device may be.
public enum DeviceIdRule {
    /// In bytes of UTF-8.
    public static let longest = 200

    /// Whether it is one: 1 to 200 bytes, not all of them blank, without control and bidirectional characters.
    public static func admits(_ text: String) -> Bool {
        1...longest ~= text.utf8.count && !text.holdsControlCharacter && !text.holdsBidirectionalControl
            && text.contains { !$0.isWhitespace }
    }

    /// The rule, for who has not kept it.
    static let text =
        "has 1 to 200 bytes, one of them at least to be seen, and no control or bidirectional characters"

    /// An id that a journal of an earlier version holds, as it is exported: one that the rule admits.
    public static func mended(_ text: String) -> String {
        if admits(text) { return text }
        let spaced = text.withSpacesForControls.unicodeScalars.map {
            String($0).holdsBidirectionalControl ? " " : $0
        }
        var mended = String(String.UnicodeScalarView(spaced))
        while mended.utf8.count > longest { mended.unicodeScalars.removeLast() }
        return admits(mended) ? mended : "?"
    }
}
