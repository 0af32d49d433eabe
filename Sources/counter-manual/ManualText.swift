extension String {
    /// This text as lines of mdoc(7) that mean nothing but themselves: a line for each sentence, `.Pp` between paragraphs.
    var manualText: String {
        split(separator: "\n\n").map { paragraph in
            paragraph.split(whereSeparator: \.isWhitespace).reduce(into: "") { text, word in
                text += text.isEmpty ? "" : text.endsSentence ? "\n" : " "
                text += String(word).manualWord
            }
        }.joined(separator: "\n.Pp\n")
    }

    /// Whether it ends in a full stop or the like that is no word by itself, such as the key `?`.
    private var endsSentence: Bool {
        guard let last, ".?!".contains(last) else { return false }
        return dropLast().last.map { !$0.isWhitespace } ?? false
    }

    /// This word, escaped for roff(7). A dash that begins an option stays one that can be copied into a shell.
    var manualWord: String {
        let escaped = map { character in
            switch character {
            case "\\": "\\e"
            case "'": "\\(aq"
            case "`": "\\(ga"
            case "~": "\\(ti"
            case "^": "\\(ha"
            default: String(character)
            }
        }.joined().replacing("--", with: "\\-\\-")
        return first == "." || first == "'" ? "\\&" + escaped : escaped
    }

    /// A sentence as the phrase that follows a name: `Counts presses.` becomes `counts presses`.
    var manualPhrase: String {
        let phrase = hasSuffix(".") ? String(dropLast()) : self
        return (phrase.prefix(1).lowercased() + phrase.dropFirst()).manualText
            .replacing("\n", with: " ")
    }
}

extension ArgumentHelp.Name {
    /// The name as mdoc(7) marks it up; its macro adds one dash.
    var manual: String {
        switch kind {
        case .long: "Fl \\-" + name.replacing("-", with: "\\-")
        case .short, .longWithSingleDash: "Fl " + name.replacing("-", with: "\\-")
        }
    }
}

extension ArgumentHelp {
    /// The argument in a synopsis.
    var manualSynopsis: String {
        let argument = [names?.last?.manual, manualValue].compactMap(\.self).joined(separator: " ")
        return (isOptional ? ".Op " : ".") + argument + (isRepeating ? " ..." : "")
    }

    /// The argument and its help, as an item of a list.
    var manualItem: String {
        let names = (names ?? []).map(\.manual).joined(separator: " , ")
        let heading = [names, manualValue ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        let help = [abstract, discussion].compactMap(\.self).map { text in
            text.hasSuffix(".") ? text : text + "."
        }
        return ".It \(heading)\n\(help.map(\.manualText).joined(separator: "\n"))"
    }

    private var manualValue: String? {
        kind == .flag ? nil : valueName.map { "Ar " + $0.manualWord }
    }
}
