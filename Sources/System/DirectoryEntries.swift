import Glibc

/// The names of what a directory holds, in no order, without those that begin with a dot; none where it cannot be read.
///
/// The corresponding C functions are `opendir(3)` and `readdir(3)`.
public func directoryEntries(of path: String) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name.0) { String(cString: $0) }
        if !name.hasPrefix(".") { names.append(name) }
    }
    return names
}
