import Glibc

/// Closes descriptors on a thread of its own, for closing may take as long as somebody else wants it to.
///
/// With a socket the kernel closes what others have sent along to it and nobody has received (SCM_RIGHTS in `unix(7)`). A
/// connection of theirs that is to linger (SO_LINGER in `socket(7)`) is waited for then, by whoever closes.
public final class ClosingThread: Sendable {
    /// Where the numbers of what is to be closed go; a pipe takes 16,384 of them.
    private let numbers: CInt

    /// Starts the thread, which ends with this object. It handles no signal where all are blocked already.
    ///
    /// The corresponding C functions are `pipe(2)` and `pthread_create(3)`.
    public init() throws(SystemCallError) {
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

    /// Has a descriptor closed; never waits.
    func close(_ number: CInt) {
        withUnsafeBytes(of: number) { _ = write(numbers, $0.baseAddress, $0.count) }
    }
}

// Closes what it is told until there is nobody any more to tell it; `argument` is the pipe's other end.
private func closeAll(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    let reader = CInt(truncatingIfNeeded: Int(bitPattern: argument))
    var number: CInt = -1
    while read(reader, &number, MemoryLayout<CInt>.size) == MemoryLayout<CInt>.size { close(number) }
    close(reader)
    return nil
}
