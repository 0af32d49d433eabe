import Glibc
import Linux
import TestSupport
import Testing

@testable import Transfer

/// Reading a file for import.
@Suite struct ImportFileTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func lines(_ bytes: [UInt8]) throws -> [String] {
        let path = folder.path(of: "in")
        let file = try #require(fopen(path, "w"))
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
        var lines = try ImportFile(path: path, format: .csv).lines
        var texts: [String] = []
        while let line = try lines.next() {
            texts.append("\(line.number) " + String(decoding: line.bytes, as: UTF8.self))
        }
        #expect(lines.progress == 1)
        return texts
    }

    @Test func `Lines end with LF, CR LF or CR, and blank ones are counted`() throws {
        #expect(try lines(Array("a\nb\r\nc\rd\r\r\n \t\ne".utf8)) == ["1 a", "2 b", "3 c", "4 d", "7 e"])
        #expect(try lines(Array("\u{FEFF}a\n".utf8)) == ["1 a"])
        #expect(try lines([]) == [])
        #expect(try lines(Array("\n\n".utf8)) == [])
    }

    @Test(arguments: [65_534, 65_535, 65_536, 65_537, 131_072])
    func `It does not matter where a piece ends`(length: Int) throws {
        let first = String(repeating: "x", count: length)
        for end in ["\n", "\r\n", "\r"] {
            #expect(
                try lines(Array("\(first)\(end)y\(end)z".utf8)) == ["1 \(first)", "2 y", "3 z"], "\(end.utf8)"
            )
        }
    }

    @Test func `The same bytes have the same hash, others another`() throws {
        try folder.write("a", "timestamp,delta\n")
        try folder.write("b", "timestamp,delta\r")
        let hashes = try ["a", "b", "a"].map { try ImportFile(path: folder.path(of: $0), format: nil).hash }
        #expect(hashes[0] == hashes[2] && hashes[0] != hashes[1])
        // The hash is that of all earlier versions: otherwise a file that was imported before would count again.
        try folder.write("known", "hello")
        #expect(
            try ImportFile(path: folder.path(of: "known"), format: nil).hash
                == "fnv1a128:e3e1efd54283d94f7081314b599d31b3:5")
    }

    @Test func `A line of 10 GB is an error, and is not read to its end`() throws {
        let path = folder.path(of: "sparse")
        close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600))
        truncate(path, 10 << 30)
        #expect(throws: ProgramError.self) { try ImportFile(path: path, format: nil) }
    }
}
