import Foundation
import System

/// The programs that have a node open, as far as `/proc` lets this user see: one of them holds it.
struct NodeUsers {
    private let programs: [String]

    /// Looks through `/proc/PID/fd`, which for other users' programs only root may.
    init(of path: String) {
        programs = Self.entries(of: "/proc").compactMap { Int32($0) }.sorted()
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
        return entries(of: folder).contains {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
        }
    }

    private static func name(of process: Int32) -> String {
        let file = try? TextFile(path: "/proc/\(process)/comm", name: "comm")
        return (file?.text.filter { !$0.isNewline } ?? "?").harmless
    }

    private static func entries(of directory: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    }
}
