import CLinux
import Glibc

/// Closes descriptors on its own thread, because a peer can make `close(2)` block.
///
/// When a socket is closed, the kernel also closes the descriptors that the peer has sent through it and that were not
/// received (SCM_RIGHTS in `unix(7)`). If one of them is a connection with a linger time (SO_LINGER in `socket(7)`), the
/// thread that calls `close(2)` waits for it. A thread that ends does not wait: so each descriptor is closed while a second
/// thread has a copy of the table of descriptors (CLONE_FILES in `unshare(2)`), and that thread's end closes it finally.
package final class ClosingThread: Sendable {
    /// The pipe for the numbers of the descriptors to close; it has room for 16,384.
    private let numbers: CInt

    /// Starts the thread, which ends with this object. The thread handles no signals where all are blocked already.
    ///
    /// The corresponding C functions are `pipe(2)` and `pthread_create(3)`.
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
