import CEvdev
import KeyProtocol
import System

/// A key map's entry that is moved away: its scan code means `standIn` until it means `original` again.
struct RemappedKey: Hashable {
    let scanCode: [UInt8]
    let original: UInt16
    let standIn: UInt16
}

extension RemappedKey {
    /// No desktop binds these, and keyboards that have them are rare.
    static let standIns = UInt16(KEY_MACRO1)...UInt16(KEY_MACRO30)

    /// Decides which entries of a map move where.
    ///
    /// - Parameters:
    ///   - map: the node's key map.
    ///   - meanings: the keys that count.
    ///   - isTaken: whether the node has a code already.
    /// - Returns: one for each entry of a counted key; empty where there is none, or no code is left.
    static func plan(
        for map: [KeyMapEntry], meanings: KeyMeanings, isTaken: (UInt16) -> Bool
    ) -> [RemappedKey] {
        var free = standIns.filter { !isTaken($0) && meanings.key(for: $0) == nil }[...]
        var chosen: [UInt16: UInt16] = [:]
        var plan: [RemappedKey] = []
        for entry in map where meanings.key(for: entry.code) != nil {
            guard let standIn = chosen[entry.code] ?? free.popFirst() else { return [] }
            chosen[entry.code] = standIn
            plan.append(RemappedKey(scanCode: entry.scanCode, original: entry.code, standIn: standIn))
        }
        return plan.count <= InterceptionRecord.maxKeys ? plan : []
    }

    /// Its original is a key that the service intercepts: no record that somebody else has written can turn a key into
    /// anything that matters.
    var isServed: Bool { ServedKeys.contains(original) }

    /// Brings the original meaning back, unless somebody has given the scan code another one meanwhile.
    ///
    /// - Returns: false where the scan code still means the stand-in.
    @discardableResult
    func restore(_ node: borrowing NodeDescriptor) -> Bool {
        guard node.code(of: scanCode) == standIn else { return true }
        try? node.set(KeyMapEntry(scanCode: scanCode, code: original))
        return node.code(of: scanCode) != standIn
    }

    func apply(_ node: borrowing NodeDescriptor) throws(SystemCallError) {
        try node.set(KeyMapEntry(scanCode: scanCode, code: standIn))
    }
}

extension RemappedKey {
    /// The bytes of one entry: the scan code's length, room for the longest, two codes.
    static let firstVersionSize = 1 + 32 + 2 + 2

    func write(to writer: inout ByteWriter) {
        writer.put(UInt8(scanCode.count))
        for place in 0..<32 { writer.put(scanCode.indices.contains(place) ? scanCode[place] : 0) }
        writer.put(original)
        writer.put(standIn)
    }

    init(from reader: inout ByteReader) throws(MessageError) { try self.init(fromFirstVersion: &reader) }

    init(fromFirstVersion reader: inout ByteReader) throws(MessageError) {
        let count = Int(try reader.number(UInt8.self))
        var bytes: [UInt8] = []
        for _ in 0..<32 { bytes.append(try reader.number()) }
        guard (1...32).contains(count), bytes[count...].allSatisfy({ $0 == 0 }) else { throw .malformed }
        scanCode = Array(bytes.prefix(count))
        original = try reader.number()
        standIn = try reader.number()
        guard (1..<UInt16(KEY_CNT)).contains(original), Self.standIns.contains(standIn) else {
            throw .malformed
        }
    }
}
