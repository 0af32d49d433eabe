import Glibc
import System

/// Tells when a file comes that is missing, such as the socket of the system's key service.
///
/// It watches the file's directory, and while that is missing the nearest one above it, by `inotify(7)`.
final class ArrivalWatch {
    private static let mask = UInt32(
        IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

    private let path: String
    private var nearest: Nearest

    /// A directory on the way to the file, and the next name on that way.
    private typealias Nearest = (watch: DirectoryWatch, awaited: String)

    /// A watch for the file of this absolute path; `nil` where nothing on the way to it can be watched.
    init?(_ path: String) {
        guard let nearest = Self.nearest(to: path) else { return nil }
        self.path = path
        self.nearest = nearest
    }

    /// The descriptor to poll. It changes when a directory on the way comes or goes.
    var number: CInt { nearest.watch.number }

    /// Takes in what has happened since the last call.
    ///
    /// - Returns: whether the file has come, or is open to others than before.
    func hasCome() -> Bool {
        guard nearest.watch.drain().contains(where: isOnTheWay) else { return false }
        if let nearest = Self.nearest(to: path) { self.nearest = nearest }
        return access(path, F_OK) == 0
    }

    private func isOnTheWay(_ event: DirectoryWatch.Event) -> Bool {
        // What the directory itself is told of, or that events were lost, has no name.
        event.name == nearest.awaited || event.name.isEmpty
    }

    private static func nearest(to path: String) -> Nearest? {
        guard let slash = path.lastIndex(of: "/"), path != "/" else { return nil }
        let directory = slash == path.startIndex ? "/" : String(path[..<slash])
        let name = String(path[slash...].dropFirst())
        let found = { (try? DirectoryWatch(directory, mask: mask)).map { ($0, name) } }
        // It may have come while the one above it was not watched yet.
        return found() ?? nearest(to: directory).map { above in found() ?? above }
    }
}
