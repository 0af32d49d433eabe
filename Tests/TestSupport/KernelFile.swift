import Glibc

/// A file of /sys or /proc that accepts commands.
package struct KernelFile {
    private let path: String

    /// - Parameter path: The file's path.
    package init(_ path: String) { self.path = path }

    /// Writes a command. Returns when the kernel has executed it.
    ///
    /// - Throws: ``SupportError/system(call:subject:errno:)``.
    package func write(_ order: String) throws(SupportError) {
        let descriptor = try checked("open", path) { open(path, O_WRONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        try checked("write", path) { Glibc.write(descriptor, order, order.utf8.count) }
    }
}
