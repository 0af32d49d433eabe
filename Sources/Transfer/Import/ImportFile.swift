/// A file to be imported: its lines, and what identifies them.
struct ImportFile {
    enum Format: String, CaseIterable {
        case csv, jsonl
    }

    let name: String
    let format: Format
    let hash: String
    /// The lines that are not blank.
    let lines: ImportLines

    /// Reads a file, or standard input for `-`.
    ///
    /// - Throws: `Failure`: 66 or 77 where it cannot be read.
    init(path: String, format: Format?) throws(Failure) {
        name = path == "-" ? "standard input" : path
        let bytes = try TextFile.bytes(path: path, name: name)
        lines = ImportLines(of: TextFile.unmarked(bytes))
        let first = lines.first { _ in true }?.bytes.first { !$0.isBlank }
        self.format = format ?? (first == UInt8(ascii: "{") ? .jsonl : .csv)
        hash = Self.hash(of: bytes)
    }

    /// FNV-1a with 128 bits (draft-eastlake-fnv): it tells files apart, and proves nothing.
    private static func hash(of bytes: [UInt8]) -> String {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in bytes { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
        return "fnv1a128:" + String(hash, radix: 16) + ":\(bytes.count)"
    }
}
