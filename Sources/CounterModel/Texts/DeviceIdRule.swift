/// Which texts may be the id of a device.
package enum DeviceIdRule {
    /// In bytes of UTF-8.
    package static let longest = 200

    /// Whether the text is valid: 1 to 200 bytes, at least one visible character, no control or bidirectional characters.
    package static func admits(_ text: String) -> Bool {
        1...longest ~= text.utf8.count && !text.holdsControlCharacter && !text.holdsBidirectionalControl
            && text.hasVisibleCharacter
    }

    /// The rule, for error messages.
    package static let text =
        "has 1 to 200 bytes, at least one visible character, and no control or bidirectional characters"

    /// The exported form of an id from a journal of an earlier version, changed where needed to satisfy the rule.
    package static func mended(_ text: String) -> String {
        if admits(text) { return text }
        let spaced = text.withSpacesForControls.unicodeScalars.map {
            String($0).holdsBidirectionalControl ? " " : $0
        }
        var mended = String(String.UnicodeScalarView(spaced))
        while mended.utf8.count > longest { mended.unicodeScalars.removeLast() }
        return admits(mended) ? mended : "?"
    }
}
