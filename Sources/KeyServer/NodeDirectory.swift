import CLinux
import Glibc
import Linux

/// `/dev/input`: which nodes exist, and which come, go, or change their permissions.
final class NodeDirectory {
    enum Change: Hashable {
        /// A node came, went, or changed its attributes; udev may have set its permissions only now. By the time this
        /// is read, another device may have the same number: only the node itself shows its state.
        case node(String)
        /// Events were lost, or the directory itself came or went: list everything again.
        case lookAgain
    }

    private let path: String
    private var watch: DirectoryWatch
    /// Whether the directory exists; otherwise the watch is on its parent.
    private(set) var exists: Bool

    /// - Throws: `SystemCallError`: `EACCES` if the directory may not be read; an error of its parent if it is
    ///   missing.
    init(_ path: String = "/dev/input") throws(SystemCallError) {
        self.path = path
        (watch, exists) = try Self.watch(path)
    }

    /// The descriptor to poll. It changes when the directory comes or goes.
    var number: CInt { watch.number }

    private static func watch(_ path: String) throws(SystemCallError) -> (DirectoryWatch, exists: Bool) {
        let entries = UInt32(IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVE | IN_DELETE_SELF | IN_MOVE_SELF)
        while true {
            do throws(SystemCallError) {
                return (try DirectoryWatch(path, mask: entries), true)
            } catch {
                guard error.errno == ENOENT else { throw error }
            }
            let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            let watch = try DirectoryWatch(
                parent.isEmpty ? "/" : parent, mask: UInt32(IN_CREATE | IN_MOVED_TO))
            // The directory may have come between the two calls.
            if access(path, F_OK) != 0 { return (watch, false) }
        }
    }

    /// The file names of all event nodes, ordered by number.
    func nodes() -> [String] {
        directoryEntries(of: path).filter { Self.number(of: $0) != nil }
            .sorted { Self.number(of: $0) ?? 0 < Self.number(of: $1) ?? 0 }
    }

    func path(of node: String) -> String { "\(path)/\(node)" }

    private static func number(of name: String) -> Int? {
        name.hasPrefix("event") ? Int(name.dropFirst(5)) : nil
    }

    /// The changes since the last call: each node once, in the order of its first change.
    func changes() throws(SystemCallError) -> [Change] {
        let events = watch.drain()
        let isStale = events.contains { $0.mask & UInt32(IN_Q_OVERFLOW) != 0 || Self.concernsDirectory($0) }
        let appeared =
            !exists && events.contains { $0.name == path.split(separator: "/").last.map(String.init) }
        if isStale || appeared {
            (watch, exists) = try Self.watch(path)
            return [.lookAgain]
        }
        guard exists else { return [] }
        var told: Set<String> = []
        let concerned = events.map(\.name).filter { Self.number(of: $0) != nil && told.insert($0).inserted }
        return concerned.map { .node($0) }
    }

    private static func concernsDirectory(_ event: DirectoryWatch.Event) -> Bool {
        event.mask & UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED) != 0
    }
}
