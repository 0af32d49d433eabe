import TestSupport

/// The file operations of programs below a folder, and their output, in order, as recorded by Tests/PowerCutRecorder.
struct Recording {
    enum Event: Equatable {
        /// An empty file was made.
        case madeFile(String)
        case madeDirectory(String)
        /// A name was removed.
        case removed(String)
        case wrote(String, offset: Int, [UInt8])
        case truncated(String, size: Int)
        /// fsync(2) or fdatasync(2) has returned, of a file or a directory.
        case synced(String)
        /// This is about to be written to standard output or to a terminal.
        case said(String)
    }

    let events: [Event]

    init(contentsOf path: String) throws(SupportError) {
        var rest = contents(of: path)[...]
        var events: [Event] = []
        while !rest.isEmpty {
            let numbers = (0..<4).map { _ in Self.takeNumber(&rest) }
            let path = String(decoding: Self.take(numbers[2], &rest), as: UTF8.self)
            let bytes = Array(Self.take(numbers[3], &rest))
            // A file without a name does not survive; the -shm is shared memory, which SQLite makes again after a
            // power cut.
            if path.hasSuffix(" (deleted)") || path.hasSuffix("-shm") { continue }
            guard let event = Event(code: numbers[0], path: path, offset: numbers[1], bytes: bytes) else {
                throw .refused(by: "the recorder", why: "it has written down \(numbers[0]) of \(path)")
            }
            events.append(event)
        }
        self.events = events
    }

    private static func take(_ count: Int, _ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }

    private static func takeNumber(_ bytes: inout ArraySlice<UInt8>) -> Int {
        take(8, &bytes).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}

extension Recording.Event {
    fileprivate init?(code: Int, path: String, offset: Int, bytes: [UInt8]) {
        switch UInt8(truncatingIfNeeded: code) {
        case UInt8(ascii: "c"): self = .madeFile(path)
        case UInt8(ascii: "d"): self = .madeDirectory(path)
        case UInt8(ascii: "u"): self = .removed(path)
        case UInt8(ascii: "w"): self = .wrote(path, offset: offset, bytes)
        case UInt8(ascii: "t"): self = .truncated(path, size: offset)
        case UInt8(ascii: "s"): self = .synced(path)
        case UInt8(ascii: "a"): self = .said(String(decoding: bytes, as: UTF8.self))
        default: return nil
        }
    }
}
