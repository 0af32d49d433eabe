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

    let path: String
    /// The whole file; empty where there is none.
    let text: String
    private let lines: [Substring]

    /// Reads the user's file; empty where there is none.
    ///
    /// - Throws: `ProgramError`, 65 with the file's name and the line, or 66 or 77 where it cannot be read.
    static func read() throws(ProgramError) -> ConfigurationFile {
        // Where no home is known there is no file.
        guard let path = try? Paths.configurationFile() else {
            return try ConfigurationFile(path: "", text: "")
        }
        // A file that exists but may not be read is an error: its settings would be ignored silently.
        if access(path, F_OK) != 0, errno == ENOENT || errno == ENOTDIR {
            return try ConfigurationFile(path: path, text: "")
        }
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
            return try ConfigurationFile(path: path, text: TextFile(path: path, name: path).text)
        } catch {
            guard error.status == EX_NOPERM else { throw error }
            throw ProgramError(error.message, remedy: foreignHomeRemedy, status: error.status)
        }
    }

    /// What to do where `HOME` is another user's, as after su(1) without `-`; `nil` where it is this user's own.
    private static var foreignHomeRemedy: String? {
        var status = stat()
        guard let home = environmentVariable("HOME"), stat(home, &status) == 0, status.st_uid != geteuid()
        else {
            return nil
        }
        let user = LoginName.current
        return """
            \(home) is another user's home. Log in as \(user), with a home of your own:
            su - \(user.quotedForShell)
            sudo -u \(user.quotedForShell) -H counter
            """
    }

    /// Parses a text.
    ///
    /// - Parameters:
    ///   - path: the file's name in errors.
    ///   - text: the file's content.
    /// - Throws: `ProgramError` (65) with the line.
    init(path: String, text: String) throws(ProgramError) {
        self.path = path
        self.text = text
        lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if text.isEmpty { return }
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let error as TOMLParseError {
            throw ProgramError("\(path):\(error.source.begin.line): \(error.description)", status: EX_DATAERR)
        } catch { throw ProgramError("\(path): \(error)", status: EX_DATAERR) }
        for key in table.keys.sorted() { try take(key, of: table) }
    }

    private mutating func take(_ key: String, of table: TOMLTable) throws(ProgramError) {
        switch key {
        case "keys": meanings = try readMeanings(try subtable(key, of: table))
        case "devices":
            let devices = try subtable(key, of: table)
            for name in devices.keys.sorted() { try takeDevice(name, try subtable(name, of: devices)) }
        case _ where SettingKey.allCases.contains { $0.section?.name == key }:
            try takeSection(key, of: table)
        default:
            guard let setting = SettingKey(rawValue: key), setting.section == nil else { throw unknown(key) }
            settings[setting] = Setting(
                values: try texts(key, of: table), origin: "\(origin(of: key)): \(key)")
        }
    }

    private mutating func takeSection(_ section: String, of table: TOMLTable) throws(ProgramError) {
        let table = try subtable(section, of: table)
        for key in table.keys.sorted() {
            guard
                let setting = SettingKey.allCases.first(where: {
                    $0.section.map { $0 == (section, key) } ?? false
                })
            else { throw unknown(key, after: section) }
            settings[setting] = Setting(
                values: try texts(key, of: table, after: section),
                origin: "\(origin(of: key, after: section)): \(key)")
        }
    }

    private mutating func takeDevice(_ name: String, _ table: TOMLTable) throws(ProgramError) {
        for key in table.keys.sorted() {
            guard key == "debounce" else { throw unknown(key, after: name) }
            guard let duration = DurationText.read(try texts(key, of: table, after: name).joined()),
                duration <= .seconds(10)
            else { throw invalid(key, "is a duration of at most 10s, such as 20ms", after: name) }
            deviceDebounce[name] = duration
        }
    }

    private func readMeanings(_ table: TOMLTable) throws(ProgramError) -> KeyMeanings {
        var meanings = KeyMeanings.volumeKeys
        for key in table.keys.sorted() {
            guard ["up", "down", "reset"].contains(key) else { throw unknown(key, after: "keys") }
            let codes = try codes(key, of: table)
            switch key {
            case "up": meanings.up = codes
            case "down": meanings.down = codes
            default: meanings.reset = codes
            }
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
            var texts: [String] = []
            for element in array {
                guard let text = element.string else {
                    throw invalid(key, "is a list of texts", after: section)
                }
                texts.append(text)
            }
            return texts
        }
        if let text = value.string { return [text] }
        if let flag = value.bool { return [flag ? "true" : "false"] }
        if let number = value.int { return [String(number)] }
        throw invalid(key, "is a text", after: section)
    }

    // MARK: Origins

    private func unknown(_ key: String, after section: String? = nil) -> ProgramError {
        invalid(key, "there is no such setting", after: section)
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

extension Substring {
    var trimmed: Substring {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
