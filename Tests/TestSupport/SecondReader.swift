import CEvdev
import Glibc

/// One event as the kernel delivers it, without its time stamp.
package struct RawEvent: Hashable, Sendable, CustomStringConvertible {
    /// An `EV_…` type.
    package let type: UInt16
    /// The event's code within the type.
    package let code: UInt16
    /// The event's value.
    package let value: Int32

    /// - Parameters:
    ///   - type: An `EV_…` type.
    ///   - code: The event's code within the type.
    ///   - value: Its value.
    package init(type: UInt16, code: UInt16, value: Int32) {
        (self.type, self.code, self.value) = (type, code, value)
    }

    /// The Caps Lock LED was switched on or off.
    package static func capsLock(_ isLit: Bool) -> RawEvent {
        RawEvent(type: UInt16(EV_LED), code: UInt16(LED_CAPSL), value: isLit ? 1 : 0)
    }

    package var description: String { "\(type)/\(code)/\(value)" }

    /// The event's key; `nil` for events of other types.
    package var key: Key? { Int32(type) == EV_KEY ? Key(code: code) : nil }
}

/// A second reader of a node, like a desktop: it receives what the system would receive.
///
/// It reads a descriptor of its own directly, without libevdev and without event masks. A test never waits to prove that
/// it receives *nothing*. Instead, either the cause is known to have been delivered (after ``VirtualRemote/emit(frame:)``
/// has returned, ``take()`` returns everything), or the same device presses a marker key after it
/// (``take(before:timeout:)``).
package final class SecondReader {
    /// The path of the node.
    package let node: String
    private let descriptor: Int32
    private var events: [KeyEvent] = []
    private var frames: [[RawEvent]] = []
    private var frame: [RawEvent] = []

    /// - Throws: ``SupportError/system(call:subject:errno:)``.
    package init(node: String) throws(SupportError) {
        self.node = node
        descriptor = try checked("open", node) { open(node, O_RDONLY | O_NONBLOCK | O_CLOEXEC) }
    }

    deinit { close(descriptor) }

    /// Grabs the node for exclusive use (EVIOCGRAB).
    ///
    /// - Throws: ``SupportError/system(call:subject:errno:)``, EBUSY where another reader has grabbed it.
    package func grab() throws(SupportError) { try checked("grab", node) { cevdev_grab(descriptor, 1) } }

    /// Releases the grab.
    package func ungrab() throws(SupportError) { try checked("ungrab", node) { cevdev_grab(descriptor, 0) } }

    /// All key events that can be read now and were not taken before.
    ///
    /// - Throws: ``SupportError/droppedEvents(node:)``; `system` with ENODEV when the device is gone.
    package func take() throws(SupportError) -> [KeyEvent] {
        try read()
        defer { events = [] }
        return events
    }

    /// The events of all types in the frames that were completed since the last call.
    ///
    /// - Throws: What ``take()`` throws.
    package func takeFrames() throws(SupportError) -> [[RawEvent]] {
        try read()
        defer { frames = [] }
        return frames
    }

    /// Waits for `count` key events that were not taken before, then takes all that are available.
    ///
    /// - Throws: ``SupportError/timedOut(waitingFor:after:last:)``, and what ``take()`` throws.
    package func take(count: Int, timeout: Duration = testTimeout) throws(SupportError) -> [KeyEvent] {
        try readUntil("\(count) key events", timeout) { $0.count >= count }
        return try take()
    }

    /// Waits for an event and takes everything before it. Later events stay.
    ///
    /// - Throws: ``SupportError/timedOut(waitingFor:after:last:)``, and what ``take()`` throws.
    package func take(
        before marker: KeyEvent, timeout: Duration = testTimeout
    ) throws(SupportError) -> [KeyEvent] {
        try readUntil("\(marker)", timeout) { $0.contains(marker) }
        let index = events.firstIndex(of: marker) ?? events.startIndex
        defer { events.removeSubrange(...index) }
        return Array(events[..<index])
    }

    private func readUntil(
        _ what: String, _ timeout: Duration, _ isEnough: ([KeyEvent]) -> Bool
    ) throws(SupportError) {
        let deadline = ContinuousClock.now + timeout
        try read()
        while !isEnough(events) {
            guard try awaitReadable(descriptor, until: deadline) else {
                throw .timedOut(waitingFor: "\(what) at \(node)", after: timeout, last: "\(events)")
            }
            try read()
        }
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
