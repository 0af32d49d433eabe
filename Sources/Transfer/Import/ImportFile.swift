import Glibc
package import Linux

/// A file to import: its lines, their format, and the hash that identifies them.
package struct ImportFile {
    /// The format of the lines.
    package enum Format: String, CaseIterable, Sendable {
        case csv, jsonl
    }

    /// The file's name in messages.
    package let name: String
    /// The format as given, or as detected from the first character.
    package let format: Format
    /// The hash of the content, which identifies the file.
    package let hash: String
    /// The lines that are not blank.
    let lines: ImportLines

    /// Reads a file once, or, for `-`, standard input, which is copied to a temporary file. Only a part of it is in memory at
    /// any time.
    ///
    /// - Throws: `ProgramError`: 66 or 77 where it cannot be read or is no file, 65 where a line is too long.
    package init(path: String, format: Format?) throws(ProgramError) {
        name = path == "-" ? "standard input" : path
        let bytes: FileBytes
        do throws(SystemCallError) {
            bytes = try path == "-" ? .standardInput() : .file(path)
        } catch {
            throw Self.failure(error, name)
        }
        var hash = FileHash()
        var line = 0
        let name = name
        try bytes.forEachPiece(name) { (piece) throws(ProgramError) in
            hash.add(piece)
            line =
                piece.lastIndex { $0 == 0xA || $0 == 0xD }.map { piece.count - $0 - 1 } ?? line + piece.count
            guard line <= ImportLines.longest else { throw ImportLines.tooLong(name) }
        }
        self.hash = hash.text
        lines = ImportLines(of: bytes, named: name)
        var first = lines
        let character = try first.next()?.bytes.first { !$0.isBlank }
        self.format = format ?? (character == UInt8(ascii: "{") ? .jsonl : .csv)
    }
}

extension ImportFile {
    private static func failure(_ error: SystemCallError, _ name: String) -> ProgramError {
        switch error.errno {
        case ENOTSUP:
            ProgramError(
                "\(name): is no file, but a pipe or a device",
                remedy: "What a program prints is imported by: … | counter import -", status: EX_NOINPUT)
        case EACCES, EPERM: ProgramError("\(name): cannot be read: \(error.reason)", status: EX_NOPERM)
        case ENOENT:
            ProgramError(
                "\(name): there is no such file",
                remedy: "Name a file of CSV or JSON Lines; what a program prints: … | counter import -",
                status: EX_NOINPUT)
        default: ProgramError("\(name): cannot be read: \(error.reason)", status: EX_NOINPUT)
        }
    }
}

/// FNV-1a with 128 bits (draft-eastlake-fnv). It distinguishes files, but is no cryptographic hash.
package struct FileHash {
    private var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
    private var count = 0

    /// The hash of nothing.
    package init() {}

    /// Adds bytes.
    package mutating func add(_ bytes: [UInt8]) {
        for byte in bytes { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
        count += bytes.count
    }

    /// The hash and the number of bytes.
    package var text: String { "fnv1a128:" + String(hash, radix: 16) + ":\(count)" }
}
