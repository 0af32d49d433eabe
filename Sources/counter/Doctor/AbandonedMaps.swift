import Glibc
import Linux
import Reports

/// Key maps that a crash left changed and that no program has restored. The key server reads its own records; `counter`
/// runs it to ask.
struct AbandonedMaps {
    /// The path of `counter-keys`.
    let server: String

    /// One finding for each map, with the command that restores it.
    var findings: [Finding] {
        shellOutput(of: "\(server.quotedForShell) abandoned").compactMap(finding)
    }

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
}
