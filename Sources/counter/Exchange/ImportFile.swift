/// A file to be imported: its lines, and what identifies them.
struct ImportFile {
    enum Format: String, CaseIterable {
        case csv, jsonl
    }

    /// A line with its number, from 1.
    struct Line {
        let number: Int
        let text: Substring
    }

    let name: String
    let format: Format
    let hash: String
    private let text: String

    /// Reads a file, or standard input for `-`.
    ///
    /// - Throws: `Failure`: 66 or 77 where it cannot be read, 65 where it is no text in UTF-8.
    init(path: String, format: Format?) throws(Failure) {
        name = path == "-" ? "standard input" : path
        let file = try TextFile(path: path, name: name)
        text = file.text
        self.format = format ?? (text.first { !$0.isWhitespace } == "{" ? .jsonl : .csv)
        hash = Self.hash(of: file.bytes)
    }

    /// The lines that are not empty. Other breaks that Unicode knows may stand inside a text.
    var lines: [Line] {
        text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }.enumerated()
            .map { Line(number: $0.offset + 1, text: $0.element) }
            .filter { !$0.text.allSatisfy(\.isWhitespace) }
    }

    /// FNV-1a with 128 bits (draft-eastlake-fnv): it tells files apart, and proves nothing.
    private static func hash(of bytes: [UInt8]) -> String {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in bytes { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
        return "fnv1a128:" + String(hash, radix: 16) + ":\(bytes.count)"
    }
}
