import Glibc
import System

/// The programs that have a node open, as far as `/proc` lets this user see: one of them holds it.
struct NodeUsers {
    private let programs: [String]

    /// Looks through `/proc/PID/fd`, which for other users' programs only root may.
    init(of path: String) {
        programs = directoryEntries(of: "/proc").compactMap { Int32($0) }.sorted()
            .filter { Self.hasOpen(path, process: $0) }
            .map { "\(Self.name(of: $0)) (pid \($0))" }
    }

    /// What completes the sentence that another program holds it.
    var text: String { programs.isEmpty ? "" : "; it is open in \(programs.joined(separator: ", "))" }

    /// What to do about them.
    var remedy: String {
        programs.isEmpty
            ? "End the program that holds it (keyd, another counter, …): sudo counter doctor tells which."
            : "End the program that holds it, or configure it to leave the device alone."
    }

    private static func hasOpen(_ path: String, process: Int32) -> Bool {
        let folder = "/proc/\(process)/fd"
        return directoryEntries(of: folder).contains { leads("\(folder)/\($0)", to: path) }
    }

    /// The corresponding C function is `readlink(2)`.
    private static func leads(_ link: String, to path: String) -> Bool {
        var target = [CChar](repeating: 0, count: path.utf8.count + 1)
        let count = readlink(link, &target, target.count)
        return count >= 0 && target[..<count].elementsEqual(path.utf8.map(CChar.init(bitPattern:)))
    }

    private static func name(of process: Int32) -> String {
        let file = try? TextFile(path: "/proc/\(process)/comm", name: "comm")
        return (file?.text.filter { !$0.isNewline } ?? "?").harmless
    }
}
