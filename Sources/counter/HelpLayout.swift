import CLinux
import Glibc
import Linux

/// The layout of help texts.
enum HelpLayout {
    /// The argument parser's own columns need this width.
    private static let narrowest = 40

    /// The available width: `COLUMNS`, else that of the terminal on standard output, else 80.
    static var columns: Int {
        if let text = environmentVariable("COLUMNS"), let columns = Int(text), columns > 0 {
            return max(narrowest, columns)
        }
        var (columns, rows): (CInt, CInt) = (0, 0)
        guard clinux_window_size(STDOUT_FILENO, &columns, &rows) == 0, columns > 0 else { return 80 }
        return max(narrowest, Int(columns))
    }

    /// Wraps the lines that the argument parser leaves long: the usage, and the reference to other help.
    static func wrapping(_ text: String, columns: Int = columns) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { line in
            let margin = line.prefix { $0 == " " }.count
            if line.count > columns, line.lowercased().hasPrefix("usage: ") {
                return wrapped(line, columns: columns, indent: 7)
            }
            if line.count > columns, line.dropFirst(margin).hasPrefix("See '") {
                return wrapped(line, columns: columns, indent: margin)
            }
            return String(line)
        }.joined(separator: "\n")
    }

    /// Breaks a line between arguments; `[--location <name>]` is one.
    private static func wrapped(_ line: Substring, columns: Int, indent: Int) -> String {
        var lines: [String] = []
        var current = String(line.prefix { $0 == " " })
        for argument in arguments(of: line) {
            let isFirst = current.allSatisfy { $0 == " " }
            if isFirst || current.count + 1 + argument.count <= columns {
                current += (isFirst ? "" : " ") + argument
            } else {
                lines.append(current)
                current = String(repeating: " ", count: indent) + argument
            }
        }
        return (lines + [current]).joined(separator: "\n")
    }

    private static func arguments(of line: Substring) -> [String] {
        line.split(separator: " ").reduce(into: []) { result, word in
            // Inside brackets, the word belongs to the argument before it.
            guard let last = result.last, last.hasPrefix("["), !last.contains("]" as Character) else {
                return result.append(String(word))
            }
            result[result.count - 1] += " " + word
        }
    }
}
