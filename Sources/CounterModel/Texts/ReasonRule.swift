/// What the reason of an entry by hand may be.
public enum ReasonRule {
    private static let longest = 200

    /// Whether it is one: 1 to 200 characters, none of them a control character.
    public static func admits(_ text: String) -> Bool {
        1...longest ~= text.count && !text.holdsControlCharacter
    }

    /// The rule, for who has not kept it.
    public static let text = "a reason has 1 to 200 characters, none of them a control character"

    /// A reason that a journal of an earlier version holds, as it is shown and exported: one that the rule admits; `nil`
    /// where nothing is left.
    public static func mended(_ text: String?) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return admits(text) ? text : String(text.withSpacesForControls.prefix(longest))
    }
}
