import Foundation

/// A command's page of the manual, in mdoc(7).
struct ManualPage {
    /// The words that call the command, such as `counter device rename`.
    let words: [String]
    let command: CommandHelp
    /// The pages that this one refers to at its end: of the command above it, and its neighbours.
    let related: [String]

    /// The page of a command and those of all below it.
    static func pages(
        of command: CommandHelp, above: [String] = [], related: [String] = []
    ) -> [ManualPage] {
        let words = above + [command.commandName]
        let below = command.documented
        let page = ManualPage(words: words, command: command, related: related)
        return [page]
            + below.flatMap { child in
                let neighbours = below.map(\.commandName).filter { $0 != child.commandName }
                return pages(
                    of: child, above: words, related: [name(words)] + neighbours.map { name(words + [$0]) })
            }
    }

    private static func name(_ words: [String]) -> String { words.joined(separator: "-") }

    /// The page's own name, such as `counter-device-rename`.
    var name: String { Self.name(words) }

    /// Whether it is the page of the program itself.
    var isFirst: Bool { words.count == 1 }

    /// The whole page, with `further` sections in mdoc(7) that the help has not.
    func text(version: String, date: String, further: String) -> String {
        let heading = ".Dd \(date)\n.Dt \(name.uppercased()) 1\n.Os counter \(version)"
        let sections = [
            heading, nameSection, synopsis, description, arguments, commands,
            further.isEmpty ? Self.exitStatus : further.trimmingCharacters(in: .newlines), seeAlso,
        ]
        return sections.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }
}

extension ManualPage {
    private static let exitStatus = """
        .Sh EXIT STATUS
        Those of
        .Xr sysexits 3 ,
        which
        .Xr counter 1
        lists.
        """

    private var nameSection: String {
        ".Sh NAME\n.Nm \(name)\n.Nd \(command.abstract?.manualPhrase ?? name)"
    }

    private var synopsis: String {
        let call = ".Sh SYNOPSIS\n.Nm \"\(words.joined(separator: " "))\""
        let arguments = command.displayed.map(\.manualSynopsis)
        let below = command.documented.isEmpty ? [] : [".Op Ar command"]
        return ([call] + arguments + below).joined(separator: "\n")
    }

    private var description: String {
        let texts = [command.abstract, command.discussion].compactMap { $0?.manualText }
        return ([".Sh DESCRIPTION"] + [texts.joined(separator: "\n.Pp\n")]).joined(separator: "\n")
    }

    private var arguments: String { list("OPTIONS", command.displayed.map(\.manualItem)) }

    private var commands: String {
        list(
            "COMMANDS",
            command.documented.map { child in
                ".It Xr \(name)-\(child.commandName) 1\n\((child.abstract ?? "").manualText)"
            })
    }

    private var seeAlso: String {
        let references = related.map { "\($0) 1" }.sorted()
        guard !references.isEmpty else { return "" }
        return ".Sh SEE ALSO\n" + references.map { ".Xr \($0)" }.joined(separator: " ,\n")
    }

    private func list(_ title: String, _ items: [String]) -> String {
        guard !items.isEmpty else { return "" }
        return ".Sh \(title)\n.Bl -tag -width Ds\n" + items.joined(separator: "\n") + "\n.El"
    }
}

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
