import Glibc

/// An open file descriptor with one owner; closed when the owner goes.
public struct Descriptor: ~Copyable, Sendable {
    /// The number to hand to C functions; valid as long as this value lives.
    public let number: CInt

    /// Takes over an open descriptor.
    public init(owning number: CInt) { self.number = number }

    /// Opens a file. `O_CLOEXEC` is always added.
    ///
    /// The corresponding C function is `open(2)`.
    public init(opening path: String, flags: CInt) throws(SystemCallError) {
        number = try systemCall("open", path) { open(path, flags | O_CLOEXEC) }
    }

    deinit { close(number) }

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
