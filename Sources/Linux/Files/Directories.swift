import Glibc

/// The names in a directory, in no order; empty if it cannot be read.
package func directoryEntries(of path: String, hidden: Bool = false) -> [String] {
    opendir(path).map { directoryEntries(closing: $0, hidden: hidden) } ?? []
}

/// The same of a directory that is open already, by `opendir(3)` or `fdopendir(3)`. Closes it.
package func directoryEntries(closing stream: OpaquePointer, hidden: Bool = false) -> [String] {
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) }
        if hidden ? name != "." && name != ".." : !name.hasPrefix(".") { names.append(name) }
    }
    return names
}

/// Makes a directory and its missing parents with mode 0700, wherever the user wants it; one that exists stays.
package func makePrivateDirectory(_ path: String) throws(SystemCallError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, parentDirectory(path) != path else {
        throw SystemCallError(call: "mkdir", subject: path)
    }
    try makePrivateDirectory(parentDirectory(path))
    // Another program may have made it meanwhile.
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
        throw SystemCallError(call: "mkdir", subject: path)
    }
}

/// The path without its last name; `/` and `.` are their own parents, and a name alone is in `.`.
package func parentDirectory(_ path: String) -> String {
    // By bytes: a combining mark at the start of a name is one character with the slash.
    let slash = UInt8(ascii: "/")
    let names = path.utf8.split(separator: slash).dropLast().map { String(Substring($0)) }
    let parent = (path.utf8.first == slash ? "/" : "") + names.joined(separator: "/")
    return parent.isEmpty ? "." : parent
}

/// What a path leads to, without links; `nil` where it leads nowhere. The corresponding C function is `realpath(3)`.
package func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
}

/// Watches the entries of a directory, or a single file, with `inotify(7)`.
package final class DirectoryWatch {
    package struct Event: Sendable {
        /// The entry's name in the directory; empty for an event of the watched path itself.
        package let name: String
        /// The `IN_…` bits. `IN_Q_OVERFLOW` means that events were lost and the directory has to be read again.
        package let mask: UInt32
    }

    package let path: String
    private let descriptor: Descriptor

    /// `inotify_init1(2)` and `inotify_add_watch(2)`. Throws `ENOENT` where the path does not exist.
    package init(_ path: String, mask: UInt32) throws(SystemCallError) {
        self.path = path
        descriptor = try Self.instance(for: path)
        let number = descriptor.number
        try systemCall("inotify_add_watch", path) { inotify_add_watch(number, path, mask) }
    }

    /// Throws `EMFILE` where the user has too many instances. Where this program has too many files open, which the
    /// kernel reports alike, it is an error of open(2).
    private static func instance(for path: String) throws(SystemCallError) -> Descriptor {
        do throws(SystemCallError) {
            return try Descriptor(from: "inotify_init1") { inotify_init1(CInt(IN_NONBLOCK | IN_CLOEXEC)) }
        } catch {
            _ = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
            throw error
        }
    }

    package var number: CInt { descriptor.number }

    package func drain() -> [Event] {
        var events: [Event] = []
        // A name has at most NAME_MAX bytes and a terminator, so 4 KiB hold many events.
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while let count = try? descriptor.read(into: buffer), count > 0 {
                events += Self.events(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
        return events
    }

    package static func events(in bytes: UnsafeRawBufferPointer) -> [Event] {
        let header = MemoryLayout<inotify_event>.size
        var (events, offset) = ([Event](), 0)
        while offset + header <= bytes.count {
            let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
            let end = min(offset + header + Int(event.len), bytes.count)
            let name = bytes[(offset + header)..<end].prefix { $0 != 0 }
            events.append(Event(name: String(decoding: name, as: UTF8.self), mask: event.mask))
            offset = end
        }
        return events
    }
}
