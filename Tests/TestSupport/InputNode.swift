import Glibc

/// Finds nodes by what the kernel says of them.
package enum InputNode {
    /// The path of the node of the first device of this name.
    ///
    /// - Throws: ``SupportError/timedOut(waitingFor:after:last:)``, with the names of those that there are.
    package static func named(_ name: String, timeout: Duration = .seconds(10)) throws -> String {
        try eventualValue("the node of '\(name)'", timeout: timeout, last: { "\(names)" }) {
            paths.first { attribute("name", of: $0) == name }
        }
    }

    /// The paths of all nodes.
    package static var paths: [String] {
        entries(of: "/sys/class/input").filter { $0.hasPrefix("event") }.map { "/dev/input/\($0)" }
    }

    /// What the kernel says of a node's device: its `name`, `phys`, `uniq` or `id/bustype`.
    package static func attribute(_ attribute: String, of node: String) -> String? {
        let event = node.split(separator: "/").last ?? ""
        return contents(of: "/sys/class/input/\(event)/device/\(attribute)").map { String($0.dropLast()) }
    }

    private static var names: [String?] { paths.map { attribute("name", of: $0) } }
}

/// The names in a folder; none where there is no such folder.
func entries(of directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
        }
        if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
}

/// The whole of a small file, such as those of /proc and /sys; nil where it cannot be read.
func contents(of path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
        let size = read(descriptor, &buffer, buffer.count)
        if size == -1 && errno == EINTR { continue }
        guard size > 0 else { return size == 0 ? String(decoding: bytes, as: UTF8.self) : nil }
        bytes += buffer[..<size]
    }
}
