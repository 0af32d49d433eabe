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
            String(word).filter { !String($0).holdsControlCharacter }.withoutBidirectionalControls
        }
        var label = spaced.filter { !$0.isEmpty }.joined(separator: " ").prefix(longest)
        while label.utf8.count > mostBytes { label.removeLast() }
        if label.last == " " { label.removeLast() }
        return label.hasVisible ? String(label) : ""
    }
}

extension String {
    fileprivate var withoutBidirectionalControls: String {
        guard holdsBidirectionalControl else { return self }
        return String(
            String.UnicodeScalarView(unicodeScalars.filter { !String($0).holdsBidirectionalControl }))
    }
}

extension Substring {
    fileprivate var hasVisible: Bool { String(self).hasVisibleCharacter }
}
