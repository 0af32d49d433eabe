import Glibc
import KeyProtocol
import System

/// What is written down of an intercepted node before anything is changed: since which boot, and the entries of its key map
/// that are moved.
///
/// The file of the first version had the entries alone. It is still read: an upgrade must not strand what that one left.
struct InterceptionRecord: Hashable {
    /// Says that this program has written the file.
    private static let mark = Array("counter-keys interception\n".utf8)
    private static let version: UInt16 = 2
    /// The text of a UUID.
    private static let bootWidth = 36
    /// More entries than any device has counted keys.
    static let maxKeys = 64

    /// The kernel's id of the boot; empty where it does not tell (`ProcSubset=pid` in systemd.exec(5)).
    let boot: String
    /// None for a grab, which the kernel ends by itself.
    let keys: [RemappedKey]

    /// A record of this boot.
    init(_ keys: [RemappedKey]) { self.init(boot: Self.currentBoot, keys) }

    init(boot: String, _ keys: [RemappedKey]) {
        self.boot = boot
        self.keys = keys
    }

    /// `inputN` names another device after another boot.
    var isOfThisBoot: Bool { boot.isEmpty || Self.currentBoot.isEmpty || boot == Self.currentBoot }

    /// The corresponding file is described in random(4).
    static let currentBoot: String = {
        guard let file = try? Descriptor(opening: "/proc/sys/kernel/random/boot_id", flags: O_RDONLY) else {
            return ""
        }
        return withUnsafeTemporaryAllocation(byteCount: bootWidth, alignment: 1) { buffer in
            (try? file.read(into: buffer)) == bootWidth ? String(decoding: buffer, as: UTF8.self) : ""
        }
    }()

    /// The content of its file.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        for byte in Self.mark { writer.put(byte) }
        writer.put(Self.version)
        writer.put(boot, width: Self.bootWidth)
        writer.put(UInt16(keys.count))
        for key in keys { key.write(to: &writer) }
        return writer.bytes
    }

    /// Reads a file's content.
    ///
    /// - Returns: `nil` where this program has not written it.
    init?(_ bytes: [UInt8]) {
        guard let record = (try? Self.read(bytes)) ?? (try? Self.readFirstVersion(bytes)) else { return nil }
        self = record
    }

    private static func read(_ bytes: [UInt8]) throws(MessageError) -> InterceptionRecord {
        guard bytes.starts(with: mark) else { throw .malformed }
        var reader = ByteReader(bytes[mark.count...])
        guard try reader.number(UInt16.self) == version else { throw .malformed }
        let boot = try reader.text(width: bootWidth)
        let count = Int(try reader.number(UInt16.self))
        guard count <= maxKeys else { throw .malformed }
        var keys: [RemappedKey] = []
        for _ in 0..<count { keys.append(try RemappedKey(from: &reader)) }
        try reader.finishExactly()
        return InterceptionRecord(boot: boot, keys)
    }

    private static func readFirstVersion(_ bytes: [UInt8]) throws(MessageError) -> InterceptionRecord {
        let count = bytes.count / RemappedKey.firstVersionSize
        guard !bytes.isEmpty, count <= maxKeys else { throw .malformed }
        var reader = ByteReader(bytes[...])
        var keys: [RemappedKey] = []
        for _ in 0..<count { keys.append(try RemappedKey(fromFirstVersion: &reader)) }
        try reader.finishExactly()
        return InterceptionRecord(boot: "", keys)
    }
}
