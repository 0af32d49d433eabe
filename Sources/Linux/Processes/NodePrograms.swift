import Glibc

/// The programs that have a device node open, as far as `/proc` shows them to this user.
package struct NodePrograms: Hashable, Sendable {
    /// Each program's name and process id: `keyd (pid 812)`. The names are sanitised for the terminal.
    package let programs: [String]

    /// Searches `/proc/PID/fd`; only root may read that of other users' programs.
    ///
    /// - Parameter path: the node's path.
    package init(of path: String) {
        programs = directoryEntries(of: "/proc").compactMap { Int32($0) }.sorted()
            .filter { Self.hasOpen(path, process: $0) }
            .map { "\(Self.name(of: $0)) (pid \($0))" }
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
        return (file?.text.filter { !$0.isNewline } ?? "?").sanitised
    }
}
