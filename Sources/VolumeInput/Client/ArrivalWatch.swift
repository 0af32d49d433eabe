import Glibc
import Linux

/// Reports when a missing file appears, such as the socket of the system's key service.
///
/// Watches the file's directory or, where that is missing, its nearest existing parent, with `inotify(7)`.
final class ArrivalWatch {
    private static let mask = UInt32(
        IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF)

    private let path: String
    private var nearest: Nearest

    /// The nearest existing directory of the path, and the name of the path's next component in it.
    private typealias Nearest = (watch: DirectoryWatch, awaited: String)

    /// Watches for the file at this absolute path; `nil` where no directory of the path can be watched.
    init?(_ path: String) {
        guard let nearest = Self.nearest(to: path) else { return nil }
        self.path = path
        self.nearest = nearest
    }

    /// The descriptor to poll. It changes when a directory of the path is created or removed.
    var number: CInt { nearest.watch.number }

    /// Processes the events since the last call.
    ///
    /// - Returns: whether the file has appeared, or its permissions have changed.
    func hasCome() -> Bool {
        guard nearest.watch.drain().contains(where: isOnTheWay) else { return false }
        if let nearest = Self.nearest(to: path) { self.nearest = nearest }
        return access(path, F_OK) == 0
    }

    private func isOnTheWay(_ event: DirectoryWatch.Event) -> Bool {
        // Events of the directory itself, and the event that reports lost events, have no name.
        event.name == nearest.awaited || event.name.isEmpty
    }

    private static func nearest(to path: String) -> Nearest? {
        guard let slash = path.lastIndex(of: "/"), path != "/" else { return nil }
        let directory = slash == path.startIndex ? "/" : String(path[..<slash])
        let name = String(path[slash...].dropFirst())
        let found = { (try? DirectoryWatch(directory, mask: mask)).map { ($0, name) } }
        // The file may have appeared before the parent directory was watched.
        return found() ?? nearest(to: directory).map { above in found() ?? above }
    }
}
