import CEvdev
import Glibc
import Linux

/// A second descriptor of a node: it asks which keys are down, waits for their release, and reports what other
/// programs receive.
///
/// The descriptor that is read cannot be asked: EVIOCGKEY discards its queued events.
final class KeyWatcher {
    let node: NodeDescriptor
    /// The keys that it asks about.
    private let keys: KeyBits

    init(_ path: String, keys: KeyBits) throws(SystemCallError) {
        self.keys = keys
        node = try NodeDescriptor(opening: path)
        try node.limit(to: KeyBits())
    }

    /// Which of the keys are down now.
    func keysDown() throws(SystemCallError) -> KeyBits { try node.keysDown(among: keys) }

    /// Waits for the release of the keys that are down now: the descriptor becomes readable then.
    ///
    /// - Returns: false if none is down.
    func waitsForKeys() throws(SystemCallError) -> Bool {
        var watched = KeyBits()
        while true {
            let down = try keysDown()
            if down.isEmpty { return false }
            // No release is missed once the mask has all keys that are down.
            if down.isSubset(of: watched) { return true }
            watched = down
            try node.limit(to: watched)
        }
    }

    /// Receives these keys from now on as other programs do: not while the node is grabbed.
    func listen(to keys: KeyBits) throws(SystemCallError) {
        try node.useMonotonicClock()
        try node.limit(to: keys)
    }

    /// The time stamp of the first key received; `nil` if none was yet.
    func firstKey() -> MonotonicTime? {
        var event = input_event()
        while read(node.number, &event, MemoryLayout<input_event>.size) > 0 {
            if event.type == EV_KEY { return event.stamp }
        }
        return nil
    }
}
