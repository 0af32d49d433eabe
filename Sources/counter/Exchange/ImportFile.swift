import CounterModel
import Foundation

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
    /// - Throws: `Failure`: 66 where it cannot be read, 65 where it is no text in UTF-8.
    init(path: String, format: Format?) throws(Failure) {
        name = path == "-" ? "standard input" : path
        let data: Data
        do {
            data = path == "-" ? try Self.standardInput() : try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw Failure("\(name): cannot be read: \(Self.reason(error))", status: EX_NOINPUT)
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw Failure("\(name): is no text in UTF-8", status: EX_DATAERR)
        }
        self.text = text
        self.format = format ?? (text.first { !$0.isWhitespace } == "{" ? .jsonl : .csv)
        hash = Self.hash(of: data)
    }

    /// The lines that are not empty.
    var lines: [Line] {
        text.split(omittingEmptySubsequences: false) { $0.isNewline }.enumerated()
            .map { Line(number: $0.offset + 1, text: $0.element) }
            .filter { !$0.text.allSatisfy(\.isWhitespace) }
    }

    private static func standardInput() throws -> Data {
        try FileHandle.standardInput.readToEnd() ?? Data()
    }

    private static func reason(_ error: any Error) -> String {
        let number = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
        return number.map { String(cString: strerror(CInt($0.code))) } ?? error.localizedDescription
    }

    /// FNV-1a with 128 bits (draft-eastlake-fnv): it tells files apart, and proves nothing.
    private static func hash(of data: Data) -> String {
        var hash: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d
        for byte in data { hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013b }
        return "fnv1a128:" + String(hash, radix: 16) + ":\(data.count)"
    }
}
