import CEvdev
import KeyProtocol
import Linux

/// A changed entry of a key map: its code is `standIn` until it is restored to `original`.
struct RemappedKey: Hashable {
    let scanCode: [UInt8]
    let original: UInt16
    let standIn: UInt16
    /// Its index in the map; `nil` if it was read from a record of an earlier version.
    var index: UInt16?
}

extension RemappedKey {
    /// The codes that stand in for counted keys: no desktop binds them, and keyboards that have them are rare.
    static let standIns = UInt16(KEY_MACRO1)...UInt16(KEY_MACRO30)

    init(_ entry: KeyMapEntry, standIn: UInt16) {
        self.init(scanCode: entry.scanCode, original: entry.code, standIn: standIn, index: entry.index)
    }

    /// Whether its original is a key that the service intercepts. So no record that another user wrote can map a key
    /// to anything but a counting key.
    var isServed: Bool { ServedKeys.contains(original) }

    /// Whether both change the same entry of the map.
    func isSameEntry(as other: RemappedKey) -> Bool { scanCode == other.scanCode && index == other.index }

    /// The code of the entry now; `nil` if the map has no such entry.
    func meaning(on node: borrowing NodeDescriptor) -> UInt16? { node.code(of: scanCode, at: index) }

    /// Restores the original code, unless another program has changed the entry meanwhile.
    ///
    /// - Returns: false if the entry still has the stand-in.
    @discardableResult
    func restore(_ node: borrowing NodeDescriptor) -> Bool {
        guard meaning(on: node) == standIn else { return true }
        try? node.set(KeyMapEntry(scanCode: scanCode, code: original, index: index))
        return meaning(on: node) != standIn
    }

    func apply(_ node: borrowing NodeDescriptor) throws(SystemCallError) {
        try node.set(KeyMapEntry(scanCode: scanCode, code: standIn, index: index))
    }
}

// MARK: - Its bytes in a record

extension RemappedKey {
    /// The size of an entry in the first two versions: the scan code's length, the scan code padded to 32 bytes, two
    /// codes.
    static let firstVersionSize = 1 + 32 + 2 + 2
    /// Encodes `nil` as the index.
    private static let noIndex = UInt16.max

    func write(to writer: inout ByteWriter) {
        writer.put(UInt8(scanCode.count))
        for index in 0..<32 { writer.put(scanCode.indices.contains(index) ? scanCode[index] : 0) }
        writer.put(original)
        writer.put(standIn)
        writer.put(index ?? Self.noIndex)
    }

    /// Reads an entry of a counted key.
    init(from reader: inout ByteReader) throws(MessageError) {
        try self.init(fromFirstVersion: &reader)
        index = try Self.index(from: &reader)
    }

    /// Reads a spare entry.
    ///
    /// - Parameters:
    ///   - reader: stands before it.
    ///   - keys: the counted keys of the same record. The spare entry stands for one of them, and is no entry of
    ///     theirs.
    /// - Throws: `MessageError.malformed` for anything else.
    init(spareFrom reader: inout ByteReader, of keys: [RemappedKey]) throws(MessageError) {
        try self.init(codesFrom: &reader)
        index = try Self.index(from: &reader)
        let spare = self
        guard SpareEntry.codes.contains(original), keys.contains(where: { $0.original == spare.standIn }),
            !keys.contains(where: { $0.isSameEntry(as: spare) })
        else { throw .malformed }
    }

    /// Reads an entry of a counted key without an index.
    init(fromFirstVersion reader: inout ByteReader) throws(MessageError) {
        try self.init(codesFrom: &reader)
        guard (1..<UInt16(KEY_CNT)).contains(original), Self.standIns.contains(standIn) else {
            throw .malformed
        }
    }

    private init(codesFrom reader: inout ByteReader) throws(MessageError) {
        let count = Int(try reader.number(UInt8.self))
        var bytes: [UInt8] = []
        for _ in 0..<32 { bytes.append(try reader.number()) }
        guard (1...32).contains(count), bytes[count...].allSatisfy({ $0 == 0 }) else { throw .malformed }
        scanCode = Array(bytes.prefix(count))
        original = try reader.number()
        standIn = try reader.number()
    }

    private static func index(from reader: inout ByteReader) throws(MessageError) -> UInt16? {
        let index = try reader.number(UInt16.self)
        guard index < NodeDescriptor.maxEntries || index == noIndex else { throw .malformed }
        return index == noIndex ? nil : index
    }
}
