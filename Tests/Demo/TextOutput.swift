import Glibc

/// Where text goes: out when the call returns, so that whoever interrupts has seen all there is.
struct TextOutput {
    static let standard = TextOutput(descriptor: STDOUT_FILENO)
    static let error = TextOutput(descriptor: STDERR_FILENO)

    let descriptor: Int32

    /// Writes all of it; nothing more once nobody reads.
    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let size = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if size < 0 && errno != EINTR { return }
            bytes = bytes.dropFirst(max(0, size))
        }
    }
}
