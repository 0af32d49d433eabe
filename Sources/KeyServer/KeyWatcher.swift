import CEvdev
import Glibc
import System

/// A second descriptor of a node: it tells which keys are down, waits for their release, or hears what others hear.
///
/// Asking the descriptor that is read which keys are down would lose its events.
final class KeyWatcher {
    let node: NodeDescriptor
    /// The keys that matter.
    private let keys: KeyBits

    init(_ path: String, keys: KeyBits) throws(SystemCallError) {
        self.keys = keys
        node = try NodeDescriptor(opening: path)
        try node.limit(to: KeyBits())
    }

    /// Those of the keys that are down now.
    func keysDown() throws(SystemCallError) -> KeyBits { try node.keysDown(among: keys) }

    /// Listens for the release of the keys that are down now.
    ///
    /// - Returns: false where none is.
    func waitsForKeys() throws(SystemCallError) -> Bool {
        var watched = KeyBits()
        while true {
            let down = try keysDown()
            if down.isEmpty { return false }
            // Only once all that are down are listened for can none of their releases be missed.
            if down.isSubset(of: watched) { return true }
            watched = down
            try node.limit(to: watched)
        }
    }

    /// Hears these keys from now on, as all others do: nothing while somebody holds the node.
    func listen(to keys: KeyBits) throws(SystemCallError) {
        try node.useMonotonicClock()
        try node.limit(to: keys)
    }

    /// When the first of the keys was heard that it listens to; `nil` where none was yet.
    func firstHeard() -> MonotonicTime? {
        var event = input_event()
        while read(node.number, &event, MemoryLayout<input_event>.size) > 0 {
            if event.type == EV_KEY { return event.stamp }
        }
        return nil
    }
}
