import Glibc

/// An open file descriptor with one owner; closed when the owner goes.
public struct Descriptor: ~Copyable, Sendable {
    /// The number to hand to C functions; valid as long as this value lives.
    public let number: CInt
    private let closer: ClosingThread?

    /// Takes over an open descriptor.
    ///
    /// - Parameters:
    ///   - number: the descriptor.
    ///   - closer: who closes it, where that may take long.
    public init(owning number: CInt, closedBy closer: ClosingThread? = nil) {
        self.number = number
        self.closer = closer
    }

    /// Opens a file. `O_CLOEXEC` is always added.
    ///
    /// The corresponding C function is `open(2)`.
    public init(opening path: String, flags: CInt) throws(SystemCallError) {
        self.init(owning: try systemCall("open", path) { open(path, flags | O_CLOEXEC) })
    }

    deinit {
        if let closer { closer.close(number) } else { close(number) }
    }

    /// Closing it may take long.
    var isClosedElsewhere: Bool { closer != nil }

    /// Reads once. The corresponding C function is `read(2)`.
    ///
    /// - Returns: the number of bytes, 0 at the end of the file.
    /// - Throws: `SystemCallError`; with `EAGAIN` where a non-blocking descriptor has nothing.
    public func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError) -> Int {
        try systemCall("read") { Glibc.read(number, buffer.baseAddress, buffer.count) }
    }

    /// Reads and forgets everything that is there on a non-blocking descriptor.
    public func drain() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while Glibc.read(number, buffer.baseAddress, buffer.count) > 0 {}
        }
    }
}
