import CLinux
import Linux

/// Tells when another program's grab may have ended: when a program has closed the node.
///
/// The kernel reports a close (`IN_CLOSE`) just before it ends the closer's grab, and on a busy machine time may pass
/// between the two. So a failed attempt after a close is repeated after 20 ms, then after twice as long each time,
/// six times in all. A grab that ends without a close is not reported; the first key received shows it.
final class CloseWatch {
    private static let shortest = Duration.milliseconds(20)
    private static let longest = Duration.milliseconds(640)

    private let closes: DirectoryWatch
    private let timer: TimerDescriptor
    private var pause = shortest
    private var due: MonotonicTime?

    /// - Parameter path: the path of the node.
    /// - Throws: `SystemCallError`, of `inotify_add_watch` if the node is gone or can no longer be read.
    init(_ path: String) throws(SystemCallError) {
        closes = try DirectoryWatch(path, mask: UInt32(IN_CLOSE))
        timer = try TimerDescriptor()
    }

    /// The descriptors to poll. When one is readable, another attempt is due. They change with each attempt.
    var numbers: [CInt] { due == nil ? [closes.number] : [closes.number, timer.number] }

    /// Notes a failed attempt: waits for the next close, or until the next repetition after one.
    func attemptFailed() throws(SystemCallError) {
        let now = MonotonicTime.now
        if !closes.drain().isEmpty {
            pause = Self.shortest
            due = now + pause
        } else if let passed = due, passed <= now {
            pause = pause * 2
            due = pause <= Self.longest ? now + pause : nil
        }
        try timer.arm(due)
    }
}
