import Glibc
import KeyProtocol
import Linux

/// The record of an intercepted node, written before its key map is changed: the boot, and the changed entries.
struct InterceptionRecord: Hashable {
    /// The first bytes of the file, which show that this program wrote it.
    private static let mark = Array("counter-keys interception\n".utf8)
    /// Since 0.2.0.
    private static let version: UInt16 = 3
    /// The length of a UUID as text.
    private static let bootWidth = 36

    /// The kernel's id of the boot; empty if it cannot be read (`ProcSubset=pid` in systemd.exec(5)).
    let boot: String
    /// Empty for a grab, which the kernel ends by itself.
    let remapping: Remapping

    init(boot: String = currentBoot, _ remapping: Remapping) {
        self.boot = boot
        self.remapping = remapping
    }

    /// Whether it may be of this boot: after another boot `inputN` names another device.
    var isOfThisBoot: Bool { boot.isEmpty || Self.currentBoot.isEmpty || boot == Self.currentBoot }

    /// The boot's id; empty where the kernel does not tell.
    static let currentBoot = Clock.bootId.flatMap { $0.utf8.count == bootWidth ? $0 : nil } ?? ""

    var bytes: [UInt8] {
        var writer = ByteWriter()
        for byte in Self.mark { writer.put(byte) }
        writer.put(Self.version)
        writer.put(boot, width: Self.bootWidth)
        for entries in [remapping.keys, remapping.spares] {
            writer.put(UInt16(entries.count))
            for entry in entries { entry.write(to: &writer) }
        }
        return writer.bytes
    }

    /// `nil` if this program has not written it.
    init?(_ bytes: [UInt8]) {
        guard let record = try? Self.read(bytes) else { return nil }
        self = record
    }

    private static func read(_ bytes: [UInt8]) throws(MessageError) -> InterceptionRecord {
        guard bytes.starts(with: mark) else { throw .malformed }
        var reader = ByteReader(bytes[mark.count...])
        guard try reader.number(UInt16.self) == version else { throw .malformed }
        let boot = try reader.text(width: bootWidth)
        var remapping = Remapping()
        for _ in 0..<(try count(atMost: Remapping.maxKeys, from: &reader)) {
            remapping.keys.append(try RemappedKey(from: &reader))
        }
        for _ in 0..<(try count(atMost: Remapping.maxSpares, from: &reader)) {
            remapping.spares.append(try RemappedKey(spareFrom: &reader, of: remapping.keys))
        }
        guard Set(remapping.spares.map(\.standIn)).count == remapping.spares.count else { throw .malformed }
        try reader.finishExactly()
        return InterceptionRecord(boot: boot, remapping)
    }

    private static func count(
        atMost limit: Int, from reader: inout ByteReader
    ) throws(MessageError) -> Int {
        let count = Int(try reader.number(UInt16.self))
        guard count <= limit else { throw .malformed }
        return count
    }
}
