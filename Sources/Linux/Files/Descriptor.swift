import Glibc

/// An open file descriptor with one owner, which closes it at the end of its life.
package struct Descriptor: ~Copyable, Sendable {
    /// The number to hand to C functions; valid as long as this value lives.
    package let number: CInt
    private let closer: ClosingThread?

    /// Takes over an open descriptor.
    ///
    /// - Parameters:
    ///   - number: the descriptor.
    ///   - closer: the thread that closes it, where closing may block.
    package init(owning number: CInt, closedBy closer: ClosingThread? = nil) {
        self.number = number
        self.closer = closer
    }

    /// Opens a file. `O_CLOEXEC` is always added.
    ///
    /// The corresponding C function is `open(2)`.
    package init(opening path: String, flags: CInt) throws(SystemCallError) {
        self.init(owning: try systemCall("open", path) { open(path, flags | O_CLOEXEC) })
    }

    deinit {
        if let closer { closer.close(number) } else { close(number) }
    }

    /// Whether another thread closes it.
    var isClosedElsewhere: Bool { closer != nil }

    /// Reads once. The corresponding C function is `read(2)`.
    ///
    /// - Returns: the number of bytes, 0 at the end of the file.
    /// - Throws: `SystemCallError`; `EAGAIN` where a non-blocking descriptor has no data.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemCallError) -> Int {
        try systemCall("read") { Glibc.read(number, buffer.baseAddress, buffer.count) }
    }

    /// Reads and discards all available data of a non-blocking descriptor.
    package func drain() {
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while Glibc.read(number, buffer.baseAddress, buffer.count) > 0 {}
        }
    }
}
