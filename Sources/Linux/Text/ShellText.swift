extension String {
    /// The text quoted as one word of a shell command; see Quoting in sh(1).
    package var quotedForShell: String {
        let plain = { (character: Character) in
            character.isASCII
                && (character.isLetter || character.isNumber || "_@%+=:,./-".contains(character))
        }
        // zsh replaces a word such as =N by the path of a command.
        if !isEmpty, allSatisfy(plain), !hasPrefix("=") { return self }
        // `replacing` would link the whole of Swift's regular expressions.
        return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
