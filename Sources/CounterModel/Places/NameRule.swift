/// What people may call a location or a device.
public enum NameRule {
    /// Whether it is a name: 1 to 64 characters, one of them at least to be seen, none of them a control character.
    public static func admits(_ text: String) -> Bool {
        LocationSetting.name(text).isValid && text.contains { !$0.isWhitespace }
    }

    /// The rule, for who has not kept it.
    public static let text =
        "a name has 1 to 64 characters, one of them at least to be seen, none of them a control character"
}
