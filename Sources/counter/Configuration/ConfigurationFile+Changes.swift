import Glibc
import Linux

extension ConfigurationFile {
    /// Changes a setting in the user's file, which is made where it is missing.
    ///
    /// - Throws: `ProgramError`: of `replacing`, or where the file cannot be written.
    static func change(_ key: SettingKey, to value: String) throws(ProgramError) {
        let path = try Paths.configurationFile()
        try TextFile.change(path) { text throws(ProgramError) in
            try ConfigurationFile(path: path, text: text).replacing(key, by: value).text
        }
    }

    /// The file with another value of a setting. All other lines stay as the user wrote them.
    ///
    /// - Parameters:
    ///   - key: a setting that has a section.
    ///   - value: the value.
    /// - Returns: the changed file, which is not written yet.
    /// - Throws: `ProgramError` where the file is written in a way that this does not understand.
    private func replacing(_ key: SettingKey, by value: String) throws(ProgramError) -> ConfigurationFile {
        guard let place = key.section else { preconditionFailure("\(key) has no section") }
        let line = "\(place.key) = \(Self.literal(value))"
        let changed = try? ConfigurationFile(path: path, text: changedText(place, line))
        var wanted = settings.mapValues(\.values)
        wanted[key] = [Self.flag(value) ?? value]
        guard let changed, changed.settings.mapValues(\.values) == wanted, changed.meanings == meanings,
            changed.deviceDebounce == deviceDebounce
        else {
            throw ProgramError(
                "\(path): write it there yourself: \(line), below [\(place.name)]", status: EX_DATAERR)
        }
        return changed
    }

    /// A value in TOML.
    private static func literal(_ value: String) -> String {
        flag(value) ?? Int(value).map { String($0) } ?? "\"\(value.filter { $0 != "\"" && $0 != "\\" })\""
    }

    /// A value that is a word for true or false.
    private static func flag(_ value: String) -> String? {
        Int(value) == nil ? Settings.flag(value).map { $0 ? "true" : "false" } : nil
    }

    private func changedText(_ place: (name: String, key: String), _ line: String) -> String {
        let newline = text.contains("\r\n") ? "\r\n" : "\n"
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            .map(String.init)
        guard let header = lines.firstIndex(where: { $0.isHeader(of: place.name) }) else {
            while lines.last?.isEmpty == true { lines.removeLast() }
            let gap = lines.isEmpty ? [] : [""]
            return (lines + gap + ["[\(place.name)]", line, ""]).joined(separator: newline)
        }
        let body = lines[(header + 1)...].prefix { $0[...].trimmed.first != "[" }
        if let index = body.firstIndex(where: { $0.key == place.key }) {
            lines[index] = line + lines[index].comment
        } else {
            lines.insert(line, at: header + 1)
        }
        return lines.joined(separator: newline)
    }
}

extension String {
    /// Whether the line begins a section.
    fileprivate func isHeader(of section: String) -> Bool {
        let text = self[...].trimmed
        guard text.first == "[", let end = text.firstIndex(of: "]") else { return false }
        return text[text.index(after: text.startIndex)..<end].trimmed == section[...]
    }

    /// The name before the sign of equality.
    fileprivate var key: String? { firstIndex(of: "=").map { String(self[..<$0].trimmed) } }

    /// The comment at the end, with a space before it; empty where there is none.
    fileprivate var comment: String {
        var quote: Character?
        for index in indices {
            let character = self[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "#" {
                return " " + self[index...]
            }
        }
        return ""
    }
}
