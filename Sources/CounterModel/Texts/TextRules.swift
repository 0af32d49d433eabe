package enum DeviceIdRule {
    /// In bytes of UTF-8.
    package static let longest = 200

    /// Whether the text is valid: 1 to 200 bytes, at least one visible character, no control or bidirectional characters.
    package static func admits(_ text: String) -> Bool {
        1...longest ~= text.utf8.count && !text.holdsControlCharacter && !text.holdsBidirectionalControl
            && text.hasVisibleCharacter
    }

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

/// Which texts may be the reason of an entry by hand.
package enum ReasonRule {
    private static let longest = 200

    /// Whether the text is valid: 1 to 200 characters, none of them a control character.
    package static func admits(_ text: String) -> Bool {
        1...longest ~= text.count && !text.holdsControlCharacter
    }

    /// Whether a text that is typed may be a reason: one that can be seen. Rows of other journals have what they have.
    package static func admitsTyped(_ text: String) -> Bool { admits(text) && text.hasVisibleCharacter }

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

/// Makes a typed text the label of a timer or a preset.
package enum LabelSanitizer {
    /// In extended grapheme clusters.
    package static let longest = 100
    /// In bytes of UTF-8: one cluster may have any number of combining characters.
    private static let mostBytes = 4_000

    /// The label: control and bidirectional characters are dropped, each run of white space becomes one space, none remains
    /// at the ends, and at most 100 extended grapheme clusters remain. It may be empty.
    package static func label(_ text: some StringProtocol) -> String {
        let spaced = text.split { $0.isWhitespace }.map { word in
            String(
                String.UnicodeScalarView(
                    String(word).unicodeScalars.filter { !$0.isControl && !$0.isBidirectionalControl }))
        }
        var label = spaced.filter { !$0.isEmpty }.joined(separator: " ").prefix(longest)
        while label.utf8.count > mostBytes { label.removeLast() }
        if label.last == " " { label.removeLast() }
        let result = String(label)
        return result.hasVisibleCharacter ? result : ""
    }
}

extension String {
    /// Whether it contains a control character, of ASCII or U+0080 to U+009F (general category Cc). Names, ids and reasons
    /// may not: a control character could send a command to the terminal or break a line.
    package var holdsControlCharacter: Bool { unicodeScalars.contains(where: \.isControl) }

    /// Whether it contains a character that changes the direction of the text after it (UAX #9), which could make one id look
    /// like another.
    package var holdsBidirectionalControl: Bool { unicodeScalars.contains(where: \.isBidirectionalControl) }

    /// Whether a reader sees anything of it: a character that is no white space, no mark without a letter, and none that
    /// Unicode lets programs ignore (`Default_Ignorable_Code_Point`), such as U+200B.
    package var hasVisibleCharacter: Bool { unicodeScalars.contains(where: \.isVisible) }

    /// The text with a space in place of each control character; used to show texts from journals of earlier versions.
    package var withSpacesForControls: String {
        guard holdsControlCharacter else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isControl ? " " : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var isVisible: Bool {
        if properties.isWhitespace || properties.isDefaultIgnorableCodePoint || value == 0x2800 {
            return false
        }
        return switch properties.generalCategory {
        case .control, .format, .surrogate, .unassigned, .nonspacingMark, .enclosingMark: false
        default: true
        }
    }

    fileprivate var isControl: Bool { value < 0x20 || 0x7F...0x9F ~= value }

    fileprivate var isBidirectionalControl: Bool {
        value == 0x61C || 0x200E...0x200F ~= value || 0x202A...0x202E ~= value || 0x2066...0x2069 ~= value
    }
}
