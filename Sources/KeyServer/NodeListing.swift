import CEvdev
import Glibc
import KeyProtocol
import Linux

/// What sysfs says of a node that may not be opened, in `/sys/class/input/eventN/device`.
struct NodeListing {
    let identity: DeviceIdentity
    let countedKeys: CountedKeys

    /// - Returns: `nil` if there is no such node, or no sysfs.
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
        return CountedKeys(
            meanings.codes.filter { contains($0.code, in: bitmap) }.map { CountedKeys($0.key) })
    }

    /// The kernel's name for a node's device, `inputN`: the target of `/sys/class/input/eventN/device`.
    static func kernelName(of path: String, root: String = "/sys/class/input") -> String? {
        guard let file = path.split(separator: "/").last,
            let target = realpath("\(root)/\(file)/device", nil)
        else { return nil }
        defer { free(target) }
        return String(cString: target).split(separator: "/").last.map(String.init)
    }

    /// Whether a bitmap has a code. It is a list of words of the kernel's `long` in hexadecimal, the highest first,
    /// without leading zeros.
    static func contains(_ code: UInt16, in bitmap: String) -> Bool {
        let words = bitmap.split(separator: " ").reversed().map { UInt64($0, radix: 16) ?? 0 }
        let index = Int(code) / Int.bitWidth
        return words.indices.contains(index) && words[index] >> (UInt64(code) % UInt64(Int.bitWidth)) & 1 == 1
    }

    private static func line(of path: String) -> String? {
        guard let file = try? Descriptor(opening: path, flags: O_RDONLY) else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 1) { buffer in
            guard let count = try? file.read(into: buffer) else { return nil }
            return String(decoding: buffer[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        }
    }
}
