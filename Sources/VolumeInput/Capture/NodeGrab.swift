import Descriptors
import Glibc

/// Takes a node for this program alone and gives it back, so that nobody is left with a key down that is up.
///
/// A key that is down while the grab begins would never come up for the others; so the grab waits until none is.
/// A key that is down when it ends would come up for them without ever having gone down; so its release is written
/// into the node first, which only the holder sees.
final class NodeGrab {
    enum State: Hashable {
        case released
        /// Keys are down; `descriptor` becomes readable when one of them goes up.
        case waiting(descriptor: CInt)
        case held
        /// The kernel says no: `EBUSY` where another program holds the node.
        case refused(errno: CInt)
    }

    private(set) var state = State.released
    /// Watches the keys that are down; asking the descriptor that is read would lose its events.
    private var watcher: KeyWatcher?

    /// Takes the node, or begins to wait for its keys to come up. Also to be called when `descriptor` is readable.
    func take(_ node: borrowing NodeDescriptor) {
        do throws(SystemCallError) {
            state = try attempt(node)
        } catch {
            state = .refused(errno: error.errno)
        }
        if case .waiting = state { return }
        watcher = nil
    }

    /// Gives the node back, if it is held.
    func giveBack(_ node: borrowing NodeDescriptor) {
        watcher = nil
        if state == .held {
            // Where writing is not allowed the others see a release without a press, which does no harm.
            if node.isWritable, let down = try? KeyWatcher(node.path).node.keysDown(), !down.isEmpty {
                try? node.writeReleases(of: down)
            }
            try? node.grab(false)
        }
        state = .released
    }

    private func attempt(_ node: borrowing NodeDescriptor) throws(SystemCallError) -> State {
        if watcher == nil { watcher = try KeyWatcher(node.path) }
        guard let watcher else { return .released }
        while true {
            if try watcher.waitsForKeys() { return .waiting(descriptor: watcher.node.number) }
            try node.grab(true)
            // A key that went down before the grab took hold is known to the others; it has to come up first.
            if try watcher.node.keysDown().isEmpty { return .held }
            try node.grab(false)
        }
    }
}

/// A second descriptor of a node, on which only the release of keys that are down is heard.
private final class KeyWatcher {
    let node: NodeDescriptor

    init(_ path: String) throws(SystemCallError) {
        node = try NodeDescriptor(opening: path)
        try node.limit(to: KeyBits())
    }

    /// Listens for the keys that are down now.
    ///
    /// - Returns: false where none is.
    func waitsForKeys() throws(SystemCallError) -> Bool {
        var watched = KeyBits()
        while true {
            let down = try node.keysDown()
            if down.isEmpty { return false }
            // Only once all that are down are listened for can none of their releases be missed.
            if down.isSubset(of: watched) { return true }
            watched = down
            try node.limit(to: watched)
        }
    }
}
