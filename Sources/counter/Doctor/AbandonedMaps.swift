import Glibc
import System

/// Key maps that a crash left remapped, and that no program has restored. The key server reads its own records: `counter` asks it.
struct AbandonedMaps {
    /// The path of `counter-keys`.
    let server: String

    /// What stands in the way, each with the command that restores the map.
    var findings: [Finding] { lines.compactMap(finding) }

    private func finding(_ line: String) -> Finding? {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard fields.count == 3 else { return nil }
        let (directory, device, node) = (fields[0], fields[1], fields[2])
        let repair: RemedyCommand =
            access(node, R_OK) == 0 ? .init([server, "repair"]) : .asRoot([server, "repair", directory])
        return Finding(
            "\(device): its key map is as a crash left it: its volume keys do nothing",
            remedy: "The original map is written down: \(repair.text)", commands: [repair])
    }

    /// The lines that `counter-keys abandoned` prints; none where it cannot be run.
    private var lines: [String] {
        guard let output = popen("\(server.quotedForShell) abandoned", "re") else { return [] }
        defer { pclose(output) }
        var lines: [String] = []
        var buffer: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(buffer) }
        while getline(&buffer, &capacity, output) > 0, let line = buffer {
            lines.append(String(String(cString: line).dropLast()))
        }
        return lines
    }
}
