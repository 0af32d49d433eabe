/// The first bytes of an SQLite file, read without SQLite: opening a database with SQLite may write.
///
/// The offsets are those of "The Database Header" and "B-tree Pages" in SQLite's file format
/// (https://www.sqlite.org/fileformat2.html).
struct JournalHeader {
    /// Its size in bytes: the database header and the head of the first page.
    static let size = 108
    private static let magic = Array("SQLite format 3\0".utf8)

    private let bytes: [UInt8]

    /// Nil if the bytes do not begin as an SQLite file does.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= JournalHeader.size, bytes.starts(with: JournalHeader.magic) else { return nil }
        self.bytes = bytes
    }

    /// `PRAGMA application_id`
    var applicationId: Int32 { Int32(bitPattern: word(at: 68)) }

    /// `PRAGMA user_version`
    var userVersion: Int32 { Int32(bitPattern: word(at: 60)) }

    /// Whether the schema table is one leaf without a cell.
    var hasNoTables: Bool { bytes[100] == 0x0D && bytes[103] == 0 && bytes[104] == 0 }

    private func word(at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
