/// Which names a location or a device may have.
package enum NameRule {
    /// Whether the text is valid: 1 to 64 characters, at least one of them visible, none of them a control character.
    package static func admits(_ text: String) -> Bool {
        LocationSetting.name(text).isValid && text.hasVisibleCharacter
    }

    /// The rule, for error messages.
    package static let text =
        "a name has 1 to 64 characters, at least one of them visible, none of them a control character"
}
