import CEvdev
import System

/// A key map's entry that was moved away: its scan code means `stand-in` until it means `original` again.
struct SwappedKey: Hashable {
    let scanCode: [UInt8]
    let original: UInt16
    let standIn: UInt16
}

extension SwappedKey {
    /// Decides which entries of a map move where.
    ///
    /// - Parameters:
    ///   - map: the node's key map.
    ///   - meanings: the keys that count.
    ///   - isTaken: whether the node has a code already.
    /// - Returns: one for each entry of a counted key; empty where there is none, or no code is left.
    static func plan(
        for map: [KeyMapEntry], meanings: KeyMeanings, isTaken: (UInt16) -> Bool
    ) -> [SwappedKey] {
        // No desktop binds these, and keyboards that have them are rare.
        var free = (UInt16(KEY_MACRO1)...UInt16(KEY_MACRO30)).filter {
            !isTaken($0) && meanings.key(for: $0) == nil
        }[...]
        var standIns: [UInt16: UInt16] = [:]
        var plan: [SwappedKey] = []
        for entry in map where meanings.key(for: entry.code) != nil {
            guard let standIn = standIns[entry.code] ?? free.popFirst() else { return [] }
            standIns[entry.code] = standIn
            plan.append(SwappedKey(scanCode: entry.scanCode, original: entry.code, standIn: standIn))
        }
        return plan
    }

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

extension SwappedKey {
    /// The bytes of one record.
    static let size = 1 + 32 + 2 + 2

    func write(to writer: inout ByteWriter) {
        writer.put(UInt8(scanCode.count))
        for place in 0..<32 { writer.put(scanCode.indices.contains(place) ? scanCode[place] : 0) }
        writer.put(original)
        writer.put(standIn)
    }

    init(from reader: inout ByteReader) throws(MessageError) {
        let count = Int(try reader.number(UInt8.self))
        var bytes: [UInt8] = []
        for _ in 0..<32 { bytes.append(try reader.number()) }
        guard (1...32).contains(count) else { throw .malformed }
        scanCode = Array(bytes.prefix(count))
        original = try reader.number()
        standIn = try reader.number()
        guard (1..<UInt16(KEY_CNT)).contains(original), (1..<UInt16(KEY_CNT)).contains(standIn) else {
            throw .malformed
        }
    }
}
