import CLinux
import Glibc

/// An open file descriptor with one owner, which closes it at the end of its life.
package struct Descriptor: ~Copyable, Sendable {
    /// The number to hand to C functions; valid as long as this value lives.
    package let number: CInt
    private let closer: ClosingThread?

    /// `closer` closes it where closing may block.
    package init(owning number: CInt, closedBy closer: ClosingThread? = nil) {
        self.number = number
        self.closer = closer
    }

    /// The one that a system call returns; see `systemCall`.
    package init(from call: String, _ subject: String = "", _ body: () -> CInt) throws(SystemCallError) {
        self.init(owning: try systemCall(call, subject, body))
    }

    /// `open(2)`, always with `O_CLOEXEC`.
    package init(opening path: String, flags: CInt) throws(SystemCallError) {
        try self.init(from: "open", path) { open(path, flags | O_CLOEXEC) }
    }

    deinit { if let closer { closer.close(number) } else { close(number) } }

    var isClosedElsewhere: Bool { closer != nil }

    /// `read(2)`, once: the number of bytes, 0 at the end. Throws `EAGAIN` where a non-blocking descriptor has no data.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError) -> Int {
        try systemCall("read") { Glibc.read(number, buffer.baseAddress, buffer.count) }
    }

    /// Reads up to the end; more than `limit` bytes where there are more.
    package func readAll(limit: Int) throws(SystemCallError) -> [UInt8] {
        var bytes: [UInt8] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 1)
        defer { buffer.deallocate() }
        while bytes.count <= limit, case let count = try read(into: buffer), count > 0 {
            bytes += buffer[..<count]
        }
        return bytes
    }

    /// `write(2)`, until all is written; `subject` is for the error.
    package func write(all bytes: [UInt8], _ subject: String = "") throws(SystemCallError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = try systemCall("write", subject) {
                rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
    }

    /// `fstat(2)`; `subject` is for the error.
    func status(_ subject: String = "") throws(SystemCallError) -> stat {
        var status = stat()
        try systemCall("fstat", subject) { fstat(number, &status) }
        return status
    }

    /// Reads and discards all available data of a non-blocking descriptor.
    package func drain() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while Glibc.read(number, buffer.baseAddress, buffer.count) > 0 {}
        }
    }
}

package struct SystemCallError: ExplainedError, Hashable, CustomStringConvertible {
    /// The C function, as in its manual page: `open`, `ioctl EVIOCGRAB`.
    package let call: String
    /// The path or thing that it was asked for; empty where there is none.
    package let subject: String
    package let errno: CInt
    /// What is wrong, where the kernel has no words for it: a whole clause.
    private let detail: String?

    package init(call: String, subject: String = "", errno: CInt = Glibc.errno, detail: String? = nil) {
        (self.call, self.subject, self.errno, self.detail) = (call, subject, errno, detail)
    }

    /// Why it failed; mostly in the kernel's own words (`strerror`).
    package var reason: String { detail ?? errorText(errno) }

    package var description: String {
        detail ?? (subject.isEmpty ? "\(call): \(reason)" : "\(subject): \(call): \(reason)")
    }

    package var failure: ProgramError {
        let watchesTooMany = call == "inotify_init1" && errno == EMFILE
        return ProgramError(
            "\(self)",
            remedy: watchesTooMany
                ? "Your programs watch as many files as one user may: end some, or raise fs.inotify.max_user_instances."
                : remedy(forLimit: errno), status: EX_OSERR)
    }
}

/// What to do where no descriptor is left for another file; `nil` for any other errno.
package func remedy(forLimit errno: CInt) -> String? {
    switch errno {
    case EMFILE:
        "This program may have no more files open: raise its limit with ulimit -n in the shell that starts it."
    case ENFILE:
        "The machine has as many files open as it may: end some programs, or raise fs.file-max with sysctl."
    default: nil
    }
}

package func errorText(_ errno: CInt) -> String { String(cString: strerror(errno)) }

/// Calls `body` again for as long as a signal interrupts it (EINTR), and turns -1 into an error.
@discardableResult
package func systemCall<Result: SignedInteger>(
    _ call: @autoclosure () -> String, _ subject: @autoclosure () -> String = "", _ body: () -> Result
) throws(SystemCallError) -> Result {
    while true {
        let result = body()
        if result >= 0 { return result }
        let code = Glibc.errno
        if code != EINTR { throw SystemCallError(call: call(), subject: subject(), errno: code) }
    }
}

/// Closes descriptors on its own thread, because a peer can make `close(2)` block.
///
/// When a socket is closed, the kernel also closes the descriptors that the peer has sent through it and that were not
/// received (SCM_RIGHTS in `unix(7)`). If one of them is a connection with a linger time (SO_LINGER in `socket(7)`), the
/// thread that calls `close(2)` waits for it. A thread that ends does not wait: so each descriptor is closed while a second
/// thread has a copy of the table of descriptors (CLONE_FILES in `unshare(2)`), and that thread's end closes it finally.
package final class ClosingThread: Sendable {
    /// The pipe for the numbers of the descriptors to close; it has room for 16,384.
    private let numbers: CInt

    /// The thread ends with this object. It handles no signals where all are blocked already.
    package init() throws(SystemCallError) {
        var ends: [CInt] = [-1, -1]
        try systemCall("pipe") { pipe(&ends) }
        numbers = ends[1]
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, closeAll, UnsafeMutableRawPointer(bitPattern: Int(ends[0])))
        guard code == 0 else {
            for end in ends { Glibc.close(end) }
            throw SystemCallError(call: "pthread_create", errno: code)
        }
        pthread_detach(thread)
    }

    deinit { Glibc.close(numbers) }

    /// Queues a descriptor for closing; never blocks.
    func close(_ number: CInt) {
        withUnsafeBytes(of: number) { _ = write(numbers, $0.baseAddress, $0.count) }
    }
}

// Closes descriptors until the write end of the pipe is closed; `argument` is the read end.
private func closeAll(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    let reader = CInt(truncatingIfNeeded: Int(bitPattern: argument))
    var number: CInt = -1
    while read(reader, &number, MemoryLayout<CInt>.size) == MemoryLayout<CInt>.size { closeFinally(number) }
    close(reader)
    return nil
}

// Closes a descriptor and does not wait for what was sent through it. Without memory or threads it may wait.
private func closeFinally(_ number: CInt) {
    let steps = UnsafeMutablePointer<sem_t>.allocate(capacity: 2)
    defer { steps.deallocate() }
    for step in 0..<2 { sem_init(steps + step, 0, 0) }
    var thread = pthread_t()
    let hasCopy = pthread_create(&thread, nil, copyDescriptors, steps) == 0
    if hasCopy { wait(for: steps + Step.copied.rawValue) }
    close(number)
    if hasCopy {
        sem_post(steps + Step.closed.rawValue)
        pthread_join(thread, nil)
    }
}

private enum Step: Int {
    case copied, closed
}

// Copies the table of descriptors and ends when the original is closed. Its end closes the copies.
private func copyDescriptors(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let steps = argument?.assumingMemoryBound(to: sem_t.self) else { return nil }
    _ = clinux_unshare_files()
    sem_post(steps + Step.copied.rawValue)
    wait(for: steps + Step.closed.rawValue)
    return nil
}

private func wait(for semaphore: UnsafeMutablePointer<sem_t>) {
    while sem_wait(semaphore) == -1, errno == EINTR {}
}
