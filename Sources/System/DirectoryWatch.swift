import CLinux
import Glibc

/// What has happened to the entries of a directory, or to a single file, by `inotify(7)`.
public final class DirectoryWatch {
    /// One thing that happened.
    public struct Event: Sendable {
        /// The entry's name inside the directory; empty where what is watched is meant itself.
        public let name: String
        /// `IN_…` bits. With `IN_Q_OVERFLOW` events were lost: look at everything again.
        public let mask: UInt32
    }

    /// What is watched, as it was named.
    public let path: String
    private let descriptor: Descriptor

    /// Watches a directory or a file.
    ///
    /// The corresponding C functions are `inotify_init1(2)` and `inotify_add_watch(2)`.
    ///
    /// - Parameters:
    ///   - path: the directory or the file.
    ///   - mask: the `IN_…` bits of interest.
    /// - Throws: `SystemCallError`, `ENOENT` where there is nothing of that name.
    public init(_ path: String, mask: UInt32) throws(SystemCallError) {
        self.path = path
        descriptor = Descriptor(
            owning: try systemCall("inotify_init1") {
                inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC))
            })
        let number = descriptor.number
        try systemCall("inotify_add_watch", path) { inotify_add_watch(number, path, mask) }
    }

    /// The descriptor to poll.
    public var number: CInt { descriptor.number }

    /// Reads everything that has happened since the last call.
    public func drain() -> [Event] {
        var events: [Event] = []
        // A name is at most NAME_MAX bytes and its terminator; 4 KiB takes many events at once.
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while let count = try? descriptor.read(into: buffer), count > 0 {
                Self.parse(UnsafeRawBufferPointer(rebasing: buffer[..<count]), into: &events)
            }
        }
        return events
    }

    private static func parse(_ bytes: UnsafeRawBufferPointer, into events: inout [Event]) {
        let header = MemoryLayout<inotify_event>.size
        var offset = 0
        while offset + header <= bytes.count {
            let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let end = min(offset + header + Int(event.len), bytes.count)
            let name = bytes[(offset + header)..<end].prefix { $0 != 0 }
            events.append(Event(name: String(decoding: name, as: UTF8.self), mask: event.mask))
            offset = end
        }
    }
}
