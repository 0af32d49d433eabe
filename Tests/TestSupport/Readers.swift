import CEvdev
import Glibc

/// A second reader of a node, like a desktop: it receives what the system would receive.
///
/// It reads a descriptor of its own directly, without libevdev and without event masks. A test never waits to prove that
/// it receives *nothing*. Instead, either the cause is known to have been delivered (after ``VirtualRemote/emit(frame:)``
/// has returned, ``take()`` returns everything), or the same device presses a marker key after it
/// (``take(before:)``).
package final class SecondReader {
    package let node: String
    private let descriptor: Int32
    private var events: [KeyEvent] = []
    private var frames: [[RawEvent]] = []
    private var frame: [RawEvent] = []

    package init(node: String) throws(SupportError) {
        self.node = node
        descriptor = try checked("open", node) { open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    }

    deinit { close(descriptor) }

    package func grab() throws(SupportError) { try checked("grab", node) { cevdev_grab(descriptor, 1) } }

    package func ungrab() throws(SupportError) { try checked("ungrab", node) { cevdev_grab(descriptor, 0) } }

    /// All key events that can be read now and were not taken before.
    package func take() throws(SupportError) -> [KeyEvent] {
        try read()
        defer { events = [] }
        return events
    }

    /// The events of all types in the frames that were completed since the last call.
    package func takeFrames() throws(SupportError) -> [[RawEvent]] {
        try read()
        defer { frames = [] }
        return frames
    }

    /// Waits for an event and takes everything before it. Later events stay.
    package func take(before marker: KeyEvent) throws(SupportError) -> [KeyEvent] {
        let deadline = ContinuousClock.now + testTimeout
        try read()
        while !events.contains(marker) {
            guard try awaitEvents(of: descriptor, until: deadline) else {
                throw .timedOut(waitingFor: "\(marker) at \(node)", after: testTimeout, last: "\(events)")
            }
            try read()
        }
        let index = events.firstIndex(of: marker) ?? events.startIndex
        defer { events.removeSubrange(...index) }
        return Array(events[..<index])
    }

    /// Reads until nothing is left.
    private func read() throws(SupportError) {
        var buffer = [input_event](repeating: input_event(), count: 64)
        while true {
            let size = Glibc.read(descriptor, &buffer, buffer.count * MemoryLayout<input_event>.stride)
            guard size > 0 else {
                if size == -1 && errno == EAGAIN { return }
                if size == -1 && errno == EINTR { continue }
                throw .system(call: "read", subject: node, errno: errno)
            }
            for event in buffer[..<(size / MemoryLayout<input_event>.stride)] { try accept(event) }
        }
    }

    private func accept(_ event: input_event) throws(SupportError) {
        frame.append(RawEvent(type: event.type, code: event.code, value: event.value))
        if Int32(event.type) == EV_SYN && Int32(event.code) == SYN_REPORT {
            frames.append(frame)
            frame = []
        }
        switch Int32(event.type) {
        case EV_KEY:
            guard let action = KeyEvent.Action(rawValue: event.value) else { return }
            events.append(KeyEvent(key: Key(code: event.code), action: action))
        case EV_SYN where Int32(event.code) == SYN_DROPPED:
            throw .droppedEvents(node: node)
        default:
            return
        }
    }
}

/// A program that reads a node through libevdev, as compositors do: it asks once which keys the node has, and drops
/// events of other keys.
package final class EvdevReader {
    package let node: String
    private let descriptor: Int32
    private let evdev: OpaquePointer

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
    package func take(through marker: KeyEvent) throws(SupportError) -> [KeyEvent] {
        let deadline = ContinuousClock.now + testTimeout
        var events: [KeyEvent] = []
        while events.last != marker {
            if let event = try next() {
                if event.action != .autorepeat { events.append(event) }
            } else if !(try awaitEvents(of: descriptor, until: deadline)) {
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
