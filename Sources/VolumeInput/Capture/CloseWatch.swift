import CLinux
import System

/// Tells when a grab that another program holds may be over: when somebody has closed the node.
///
/// The kernel reports a close (`IN_CLOSE`) just before it lets go of the closer's grab, and a busy machine may keep the closer in
/// between: so an attempt that fails then is made again after 20 ms and, each time after twice as long, six times in all. A
/// grab that is let go of without a close is not reported at all: what tells of that is the first key that is heard.
final class CloseWatch {
    private static let shortest = Duration.milliseconds(20)
    private static let longest = Duration.milliseconds(640)

    private let closes: DirectoryWatch
    private let timer: TimerDescriptor
    private var pause = shortest
    private var due: MonotonicTime?

    /// - Parameter path: the node's.
    /// - Throws: `SystemCallError`, of `inotify_add_watch` where the node is gone or may not be read any more.
    init(_ path: String) throws(SystemCallError) {
        closes = try DirectoryWatch(path, mask: UInt32(IN_CLOSE))
        timer = try TimerDescriptor()
    }

    /// The descriptors to poll, one of them readable when it is time for another attempt. They may be others after it.
    var numbers: [CInt] { due == nil ? [closes.number] : [closes.number, timer.number] }

    /// An attempt has failed: waits for the next close, or a while after one.
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
