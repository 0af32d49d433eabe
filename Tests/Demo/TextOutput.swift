import Glibc

/// An output whose text is written when the call returns, so that an interrupted demo has shown everything up to
/// then.
struct TextOutput {
    static let standard = TextOutput(descriptor: STDOUT_FILENO)
    static let error = TextOutput(descriptor: STDERR_FILENO)

    let descriptor: Int32

    /// Writes the whole text; stops if no process reads it any more.
    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let size = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if size < 0 && errno != EINTR { return }
            bytes = bytes.dropFirst(max(0, size))
        }
    }
}
