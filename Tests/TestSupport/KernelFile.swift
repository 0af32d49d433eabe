import Glibc

/// A file of /sys or /proc that takes orders.
package struct KernelFile {
    private let path: String

    /// - Parameter path: Where it is.
    package init(_ path: String) { self.path = path }

    /// Gives it an order. Returns when that has been carried out.
    ///
    /// - Throws: ``SupportError/system(call:subject:errno:)``.
    package func write(_ order: String) throws(SupportError) {
        let descriptor = try checked("open", path) { open(path, O_WRONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        try checked("write", path) { Glibc.write(descriptor, order, order.utf8.count) }
    }
}
