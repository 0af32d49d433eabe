import CounterModel
import Glibc
import KeyProtocol
import Linux
import TOMLKit
import VolumeInput

/// `config.toml`: settings by name, `[keys]`, and `[devices."Name"]`.
struct ConfigurationFile {
    private(set) var settings: SettingLayer = [:]
    /// Meanings of keys other than the volume keys.
    private(set) var meanings: KeyMeanings?
    private(set) var deviceDebounce: [String: Duration] = [:]
    private(set) var problems: [Problem] = []

    struct Problem {
        /// 65 with the file's name and the line, or 66 or 77 where the file cannot be read.
        let error: ProgramError
        /// The setting that has no valid value; nil where it is something else.
        var setting: Setting?
        /// Whether it stops every command, or only what counts.
        let stopsAll: Bool
    }

    let path: String
    /// The whole file; empty where there is none.
    let text: String
    private let lines: [Substring]

    /// Reads the user's file; empty where there is none.
    static func read() -> ConfigurationFile {
        // Where no home is known there is no file.
        guard let path = try? Paths.configurationFile() else { return ConfigurationFile(path: "", text: "") }
        do throws(ProgramError) { return ConfigurationFile(path: path, text: try text(of: path)) } catch {
            var file = ConfigurationFile(path: path, text: "")
            file.problems = [Problem(error: error, stopsAll: true)]
            return file
        }
    }

    private static func text(of path: String) throws(ProgramError) -> String {
        // A file that exists but may not be read is an error: its settings would be ignored silently.
        if access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR { return "" }
        // What is no regular file holds no settings of another user: a link to /dev/null stands for an empty file.
        var status = stat()
        let isFile = stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        do throws(SystemCallError) { if isFile { _ = try TrustedFile(path) } } catch
            where error.errno == EPERM
        {
            throw ProgramError(
                "\(path): is not read: \(error.reason)",
                remedy: foreignHomeRemedy
                    ?? "Make it yours with chown, and take the right to write from others with chmod go-w; or set XDG_CONFIG_HOME.",
                status: EX_NOPERM)
        } catch {}
        do throws(ProgramError) {
            return try TextFile(path: path, name: path).text
        } catch {
            guard error.status == EX_NOPERM else { throw error }
            throw ProgramError(error.message, remedy: foreignHomeRemedy, status: error.status)
        }
    }

    /// What to do where `HOME` is another user's, as after su(1) without `-`; `nil` where it is this user's own.
    private static var foreignHomeRemedy: String? {
        var status = stat()
        guard let home = environmentVariable("HOME"), stat(home, &status) == 0, status.st_uid != geteuid()
        else { return nil }
        let user = LoginName.current
        return """
            \(home) is another user's home. Log in as \(user), with a home of your own:
            su - \(user.quotedForShell)
            sudo -u \(user.quotedForShell) -H counter
            """
    }

    /// Parses a text; `path` is the file's name in errors.
    init(path: String, text: String) {
        self.path = path
        self.text = text
        lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if text.isEmpty { return }
        do throws(ProgramError) {
            let table = try parsed()
            for key in table.keys.sorted() {
                do throws(ProgramError) { try take(key, of: table) } catch {
                    let stopsAll = !Self.isOfCounting(key, in: table)
                    problems.append(Problem(error: error, setting: Setting.named(key), stopsAll: stopsAll))
                }
            }
        } catch { problems = [Problem(error: error, stopsAll: true)] }
    }

    private func parsed() throws(ProgramError) -> TOMLTable {
        do { return try TOMLTable(string: text) } catch let error as TOMLParseError {
            let line = Int(error.source.begin.line)
            let why = unclosedLine(near: line) == nil ? error.description : "a closing quote is missing"
            throw ProgramError("\(path):\(unclosedLine(near: line) ?? line): \(why)", status: EX_DATAERR)
        } catch { throw ProgramError("\(path): \(error)", status: EX_DATAERR) }
    }

    private static let sections = Set(["keys", "devices"] + Setting.all.compactMap { $0.section })

    /// Whether only what counts needs a key. One that is unknown may be meant for the journal, unless it is a section.
    private static func isOfCounting(_ key: String, in table: TOMLTable) -> Bool {
        sections.contains(key) || table[key]?.table != nil || Setting.named(key)?.isOfCounting == true
    }

    /// The number of the line that holds a text without its end, at an error of the parser or just before it; nil where none does.
    private func unclosedLine(near line: Int) -> Int? {
        [line, line - 1].first { number in
            lines.indices.contains(number - 1) && !lines[number - 1].contains("\"\"\"")
                && String(lines[number - 1]).endsInText
        }
    }

    private mutating func take(_ key: String, of table: TOMLTable) throws(ProgramError) {
        switch key {
        case "keys": meanings = try readMeanings(try subtable(key, of: table))
        case "devices":
            let devices = try subtable(key, of: table)
            for name in devices.keys.sorted() { try takeDevice(name, try subtable(name, of: devices)) }
        case _ where Self.sections.contains(key):
            let section = try subtable(key, of: table)
            for name in section.keys.sorted() { try takeSetting(name, of: section, in: key) }
        default: try takeSetting(key, of: table)
        }
    }

    private mutating func takeSetting(
        _ name: String, of table: TOMLTable, in section: String? = nil
    ) throws(ProgramError) {
        guard let setting = Setting.named(name, in: section) else {
            let names = Setting.all.filter { $0.section == section }.map(\.name)
            if section != nil { throw unknown(name, of: names, after: section) }
            throw table[name]?.table == nil
                ? unknown(name, of: names + Self.sections)
                : unknown(name, of: Self.sections.sorted(), what: "section")
        }
        settings[setting] = WrittenValue(
            values: try texts(name, of: table, after: section),
            origin: "\(origin(of: name, after: section)): \(name)")
    }

    private mutating func takeDevice(_ name: String, _ table: TOMLTable) throws(ProgramError) {
        for key in table.keys.sorted() {
            guard key == "debounce" else { throw unknown(key, of: ["debounce"], after: name) }
            guard let duration = DurationText.read(try texts(key, of: table, after: name).joined()),
                duration <= .seconds(10)
            else { throw invalid(key, "is a duration of at most 10s, such as 20ms", after: name) }
            deviceDebounce[name] = duration
        }
    }

    private func readMeanings(_ table: TOMLTable) throws(ProgramError) -> KeyMeanings {
        var meanings = KeyMeanings.volumeKeys
        let parts = ["up": \KeyMeanings.up, "down": \.down, "reset": \.reset]
        for key in table.keys.sorted() {
            guard let part = parts[key] else {
                throw unknown(key, of: ["up", "down", "reset"], after: "keys")
            }
            meanings[keyPath: part] = try codes(key, of: table)
        }
        guard meanings.isValid else {
            let most = KeyMeanings.capacity
            throw invalid("keys", "no key may have two meanings, and at most \(most) may have the same")
        }
        return meanings
    }

    private func codes(_ key: String, of table: TOMLTable) throws(ProgramError) -> [UInt16] {
        var codes: [UInt16] = []
        for name in try texts(key, of: table, after: "keys") {
            guard let code = KeyMeanings.code(named: name) else {
                throw invalid(
                    key, "'\(name)' is no key; names are those of evtest, such as KEY_PAGEDOWN", after: "keys"
                )
            }
            codes.append(code)
        }
        return codes
    }

    // MARK: Values

    private func subtable(_ key: String, of table: TOMLTable) throws(ProgramError) -> TOMLTable {
        guard let inner = table[key]?.table else { throw invalid(key, "is a table") }
        return inner
    }

    private func texts(_ key: String, of table: TOMLTable, after section: String? = nil) throws(ProgramError)
        -> [String]
    {
        guard let value = table[key] else { return [] }
        if let array = value.array {
            let texts = array.map { $0.string }
            if texts.contains(nil) { throw invalid(key, "is a list of texts", after: section) }
            return texts.compactMap(\.self)
        }
        if let text = value.string { return [text] }
        if let flag = value.bool { return [flag ? "true" : "false"] }
        if let number = value.int { return [String(number)] }
        throw invalid(key, "is a text", after: section)
    }

    // MARK: Origins

    private func unknown(
        _ key: String, of names: [String], after section: String? = nil, what: String = "setting"
    ) -> ProgramError {
        let similar = names.suggestion(for: key)
        return ProgramError(
            "\(origin(of: key, after: section)): \(key): there is no such \(what)",
            remedy: similar.isEmpty ? nil : String(similar.dropLast()), status: EX_DATAERR)
    }

    private func invalid(_ key: String, _ why: String, after section: String? = nil) -> ProgramError {
        ProgramError("\(origin(of: key, after: section)): \(key): \(why)", status: EX_DATAERR)
    }

    /// The file and line of a key. The TOML parser keeps no line numbers, so this searches the text.
    private func origin(of key: String, after section: String? = nil) -> String {
        let start = section.flatMap { section in
            lines.firstIndex { $0.trimmed.hasPrefix("[") && $0.firstRange(of: section) != nil }
        }
        let line = lines[(start ?? 0)...].firstIndex { line in
            let text = line.trimmed
            let isHeader = text.hasPrefix("[") && text.dropFirst().hasPrefix(key)
            let name = text.prefix { $0 != "=" }.trimmed.filter { $0 != "\"" }
            return isHeader || text.contains { $0 == "=" } && (name == key || name.hasPrefix("\(key)."))
        }
        return line.map { "\(path):\($0 + 1)" } ?? path
    }
}

// MARK: Changes

extension ConfigurationFile {
    /// Changes a setting in the user's file, which is made where it is missing.
    static func change(_ setting: Setting, to value: String) throws(ProgramError) {
        let path = try Paths.configurationFile()
        try TextFile.change(path) { text throws(ProgramError) in
            let file = ConfigurationFile(path: path, text: text)
            if let problem = file.problems.first { throw problem.error }
            return try file.replacing(setting, by: value).text
        }
    }

    /// The file with another value of a setting, not written yet. All other lines stay as the user wrote them. Throws where the file is
    /// written in a way that this does not understand.
    private func replacing(_ setting: Setting, by value: String) throws(ProgramError) -> ConfigurationFile {
        guard let section = setting.section else { preconditionFailure("\(setting.key) has no section") }
        let line = "\(setting.name) = \(Self.literal(value))"
        let changed = ConfigurationFile(path: path, text: changedText(section, setting.name, line))
        var wanted = settings.mapValues(\.values)
        wanted[setting] = [Self.flag(value) ?? value]
        guard changed.problems.isEmpty, changed.settings.mapValues(\.values) == wanted,
            changed.meanings == meanings, changed.deviceDebounce == deviceDebounce
        else {
            throw ProgramError(
                "\(path): write it there yourself: \(line), below [\(section)]", status: EX_DATAERR)
        }
        return changed
    }

    private static func literal(_ value: String) -> String {
        flag(value) ?? Int(value).map { String($0) } ?? "\"\(value.filter { $0 != "\"" && $0 != "\\" })\""
    }

    /// A value that is a word for true or false.
    private static func flag(_ value: String) -> String? {
        Int(value) == nil ? value.flag.map { $0 ? "true" : "false" } : nil
    }

    private func changedText(_ section: String, _ name: String, _ line: String) -> String {
        let newline = text.contains("\r\n") ? "\r\n" : "\n"
        var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
            .map(String.init)
        guard let header = lines.firstIndex(where: { $0.isHeader(of: section) }) else {
            while lines.last?.isEmpty == true { lines.removeLast() }
            let gap = lines.isEmpty ? [] : [""]
            return (lines + gap + ["[\(section)]", line, ""]).joined(separator: newline)
        }
        let body = lines[(header + 1)...].prefix { $0.trimmed.first != "[" }
        if let index = body.firstIndex(where: { $0.key == name }) {
            lines[index] = line + lines[index].comment
        } else {
            lines.insert(line, at: header + 1)
        }
        return lines.joined(separator: newline)
    }
}

extension String {
    fileprivate func isHeader(of section: String) -> Bool {
        let text = trimmed
        guard text.first == "[", let end = text.firstIndex(of: "]") else { return false }
        return text[text.index(after: text.startIndex)..<end].trimmed == section
    }

    /// The name before the sign of equality.
    fileprivate var key: String? { firstIndex(of: "=").map { self[..<$0].trimmed } }

    /// The comment at the end, with a space before it; empty where there is none.
    fileprivate var comment: String { outsideTexts.comment.map { " " + self[$0...] } ?? "" }

    /// Whether a quotation mark of the line has no second one.
    fileprivate var endsInText: Bool { outsideTexts.isOpen }

    /// Where the comment begins, and whether the line ends within a text.
    private var outsideTexts: (comment: Index?, isOpen: Bool) {
        var quote: Character?
        var isEscaped = false
        for index in indices {
            let character = self[index]
            if let open = quote {
                if character == open, !isEscaped { quote = nil }
                isEscaped = open == "\"" && character == "\\" && !isEscaped
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "#" {
                return (index, false)
            }
        }
        return (nil, quote != nil)
    }
}

extension StringProtocol {
    fileprivate var trimmed: String { String(self).withoutBlanks }
}
