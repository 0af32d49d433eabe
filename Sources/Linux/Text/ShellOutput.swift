import Glibc

/// Runs a shell command and reads the lines of its standard output; empty where it cannot be run.
///
/// The corresponding C function is `popen(3)`.
package func shellOutput(of command: String) -> [String] {
    guard let output = popen(command, "re") else { return [] }
    defer { pclose(output) }
    var lines: [String] = []
    var buffer: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(buffer) }
    while getline(&buffer, &capacity, output) > 0, let line = buffer {
        let text = String(cString: line)
        lines.append(text.hasSuffix("\n") ? String(text.dropLast()) : text)
    }
    return lines
}
