import CEvdev
import CLinux
import Glibc
import KeyProtocol
import Linux

/// `/dev/input`: which nodes exist, and which come, go, or change their permissions.
final class NodeDirectory {
    enum Change: Hashable {
        /// A node came, went, or changed its attributes; udev may have set its permissions only now. By the time this
        /// is read, another device may have the same number: only the node itself shows its state.
        case node(String)
        /// Events were lost, or the directory itself came or went: list everything again.
        case lookAgain
    }

    private let path: String
    private var watch: DirectoryWatch
    /// Whether the directory exists; otherwise the watch is on its parent.
    private(set) var exists: Bool

    /// Throws `EACCES` if the directory may not be read; an error of its parent if it is missing.
    init(_ path: String = "/dev/input") throws(SystemCallError) {
        self.path = path
        (watch, exists) = try Self.watch(path)
    }

    /// It changes when the directory comes or goes.
    var number: CInt { watch.number }

    private static func watch(_ path: String) throws(SystemCallError) -> (DirectoryWatch, exists: Bool) {
        let entries = UInt32(IN_CREATE | IN_ATTRIB | IN_DELETE | IN_MOVE | IN_DELETE_SELF | IN_MOVE_SELF)
        while true {
            do throws(SystemCallError) {
                return (try DirectoryWatch(path, mask: entries), true)
            } catch {
                guard error.errno == ENOENT else { throw error }
            }
            let watch = try DirectoryWatch(parentDirectory(path), mask: UInt32(IN_CREATE | IN_MOVED_TO))
            // The directory may have come between the two calls.
            if access(path, F_OK) != 0 { return (watch, false) }
        }
    }

    /// The file names of all event nodes, ordered by number.
    func nodes() -> [String] {
        directoryEntries(of: path).filter { Self.number(of: $0) != nil }
            .sorted { Self.number(of: $0) ?? 0 < Self.number(of: $1) ?? 0 }
    }

    func path(of node: String) -> String { "\(path)/\(node)" }

    private static func number(of name: String) -> Int? {
        name.hasPrefix("event") ? Int(name.dropFirst(5)) : nil
    }

    /// The changes since the last call: each node once, in the order of its first change.
    func changes() throws(SystemCallError) -> [Change] {
        let events = watch.drain()
        let ofDirectory = UInt32(IN_Q_OVERFLOW | IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED)
        let isStale = events.contains { $0.mask & ofDirectory != 0 }
        let appeared =
            !exists && events.contains { $0.name == path.split(separator: "/").last.map(String.init) }
        if isStale || appeared {
            (watch, exists) = try Self.watch(path)
            return [.lookAgain]
        }
        guard exists else { return [] }
        var seen: Set<String> = []
        let concerned = events.map(\.name).filter { Self.number(of: $0) != nil && seen.insert($0).inserted }
        return concerned.map { .node($0) }
    }
}

/// What sysfs says of a node that may not be opened, in `/sys/class/input/eventN/device`.
struct NodeListing {
    let identity: DeviceIdentity
    let countedKeys: CountedKeys

    /// `nil` if there is no such node, or no sysfs.
    init?(node: String, meanings: KeyMeanings, root: String = "/sys/class/input") {
        guard let keys = Self.countedKeys(of: node, meanings, root: root) else { return nil }
        countedKeys = keys
        let device = "\(root)/\(node)/device"
        func number(_ file: String) -> UInt16 {
            Self.line(of: "\(device)/id/\(file)").flatMap { UInt16($0, radix: 16) } ?? 0
        }
        identity = DeviceIdentity(
            bus: number("bustype"), vendor: number("vendor"), product: number("product"),
            name: Self.line(of: "\(device)/name") ?? node, phys: Self.line(of: "\(device)/phys") ?? "",
            uniq: Self.line(of: "\(device)/uniq") ?? "")
    }

    /// The counted keys that a node has now; `nil` if there is no such node, or no sysfs.
    static func countedKeys(
        of node: String, _ meanings: KeyMeanings, root: String = "/sys/class/input"
    ) -> CountedKeys? {
        guard let bitmap = line(of: "\(root)/\(node)/device/capabilities/key") else { return nil }
        return CountedKeys(meanings.codes.filter { contains($0.code, in: bitmap) }.map(\.key))
    }

    /// The kernel's name for a node's device, `inputN`: the target of `/sys/class/input/eventN/device`.
    static func kernelName(of path: String, root: String = "/sys/class/input") -> String? {
        guard let file = path.split(separator: "/").last else { return nil }
        return realPath("\(root)/\(file)/device")?.split(separator: "/").last.map(String.init)
    }

    /// Whether a bitmap has a code: words of the kernel's `long` in hexadecimal, the highest first, no leading zeros.
    static func contains(_ code: UInt16, in bitmap: String) -> Bool {
        let words = bitmap.split(separator: " ").reversed().map { UInt64($0, radix: 16) ?? 0 }
        let index = Int(code) / Int.bitWidth
        return words.indices.contains(index) && words[index] >> (UInt64(code) % UInt64(Int.bitWidth)) & 1 == 1
    }

    private static func line(of path: String) -> String? {
        shortText(of: path).map {
            String(decoding: $0.utf8.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    }
}

/// An input device by the kernel's name for it, `inputN`, as in sysfs.
package enum KernelDevice {
    static func exists(_ name: String) -> Bool { access("/sys/class/input/\(name)", F_OK) == 0 }

    /// The path of its event node; `nil` if it has none.
    package static func node(of name: String) -> String? {
        directoryEntries(of: "/sys/class/input/\(name)").first { $0.hasPrefix("event") }.map {
            "/dev/input/\($0)"
        }
    }

    /// Restores the entries of its key map that a remapping changed. Returns whether all have their original meanings.
    static func restore(_ remapping: Remapping, of name: String) -> Bool {
        guard let path = node(of: name), let node = try? NodeDescriptor(opening: path) else { return false }
        return remapping.restore(node)
    }
}
