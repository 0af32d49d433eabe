import Glibc

/// The names in a directory, in no order, without those that begin with a dot, unless those are wanted too; empty if it cannot be
/// read.
///
/// The corresponding C functions are `opendir(3)` and `readdir(3)`.
package func directoryEntries(of path: String, hidden: Bool = false) -> [String] {
    opendir(path).map { directoryEntries(closing: $0, hidden: hidden) } ?? []
}

/// The names in a directory that is open already, by `opendir(3)` or `fdopendir(3)`. Closes it.
package func directoryEntries(closing stream: OpaquePointer, hidden: Bool = false) -> [String] {
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) }
        if hidden ? name != "." && name != ".." : !name.hasPrefix(".") { names.append(name) }
    }
    return names
}
