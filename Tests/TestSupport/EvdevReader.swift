import CEvdev
import Glibc

/// A program that reads a node through libevdev, as compositors do: it asks once which keys the node has, and drops
/// events of other keys.
package final class EvdevReader {
    /// The path of the node.
    package let node: String
    private let descriptor: Int32
    private let evdev: OpaquePointer

    /// - Throws: ``SupportError/system(call:subject:errno:)``.
    package init(node: String) throws(SupportError) {
        self.node = node
        descriptor = try checked("open", node) { open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
        var evdev: OpaquePointer?
        let result = libevdev_new_from_fd(descriptor, &evdev)
        guard result == 0, let evdev else {
            close(descriptor)
            throw .system(call: "libevdev_new_from_fd", subject: node, errno: -result)
        }
        self.evdev = evdev
    }

    deinit {
        libevdev_free(evdev)
        close(descriptor)
    }

    /// Whether the node had a key when this program opened it.
    package func has(_ key: Key) -> Bool {
        libevdev_has_event_code(evdev, UInt32(EV_KEY), UInt32(key.code)) == 1
    }

    /// Waits for an event, and takes all events up to it, without repeats.
    ///
    /// - Throws: ``SupportError/timedOut(waitingFor:after:last:)``, ``SupportError/droppedEvents(node:)``; `system` when the device is
    ///   gone.
    package func take(through marker: KeyEvent) throws(SupportError) -> [KeyEvent] {
        let deadline = ContinuousClock.now + testTimeout
        var events: [KeyEvent] = []
        while events.last != marker {
            if let event = try next() {
                if event.action != .autorepeat { events.append(event) }
            } else if !(try awaitReadable(descriptor, until: deadline)) {
                throw .timedOut(waitingFor: "\(marker) at \(node)", after: testTimeout, last: "\(events)")
            }
        }
        return events
    }

    /// The next key event; `nil` if none has arrived.
    private func next() throws(SupportError) -> KeyEvent? {
        var event = input_event()
        while true {
            let status = libevdev_next_event(evdev, UInt32(LIBEVDEV_READ_FLAG_NORMAL.rawValue), &event)
            switch status {
            case Int32(LIBEVDEV_READ_STATUS_SUCCESS.rawValue):
                guard Int32(event.type) == EV_KEY, let action = KeyEvent.Action(rawValue: event.value) else {
                    continue
                }
                return KeyEvent(key: Key(code: event.code), action: action)
            case Int32(LIBEVDEV_READ_STATUS_SYNC.rawValue): throw .droppedEvents(node: node)
            case -EAGAIN: return nil
            case -EINTR: continue
            default: throw .system(call: "libevdev_next_event", subject: node, errno: -status)
            }
        }
    }
}
