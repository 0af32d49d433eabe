/// Which texts may be the reason of an entry by hand.
package enum ReasonRule {
    private static let longest = 200

    /// Whether the text is valid: 1 to 200 characters, none of them a control character.
    package static func admits(_ text: String) -> Bool {
        1...longest ~= text.count && !text.holdsControlCharacter
    }

    /// Whether a text that is typed may be a reason: one that can be seen. Rows of other journals have what they have.
    package static func admitsTyped(_ text: String) -> Bool { admits(text) && text.hasVisibleCharacter }

    /// The rule, for error messages.
    package static let text = "a reason has 1 to 200 characters, none of them a control character"

    /// The rule for a typed one, for error messages.
    package static let typedText =
        "a reason has 1 to 200 characters, at least one of them visible, none of them a control character"

    /// The shown and exported form of a reason from a journal of an earlier version, changed where needed to satisfy the
    /// rule; `nil` for an empty one.
    package static func mended(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return admits(text) ? text : String(text.withSpacesForControls.prefix(longest))
    }
}
