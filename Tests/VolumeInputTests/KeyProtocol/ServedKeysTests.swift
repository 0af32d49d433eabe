import Glibc
import TestSupport
import Testing

@testable import KeyProtocol
@testable import VolumeInput

/// The keys that the service serves, and that the documents list the same.
@Suite struct ServedKeysTests {
    @Test func namesAndNumbersAreTheKernels() {
        for key in ServedKeys.all { #expect(KeyMeanings.code(named: key.name) == key.code, "\(key.name)") }
        #expect(Set(ServedKeys.all.map(\.code)).count == ServedKeys.all.count)
    }

    @Test func volumeKeysAreAmongThem() {
        for (code, _) in KeyMeanings.volumeKeys.codes { #expect(ServedKeys.contains(code)) }
        #expect(ServedKeys.summary == "volume, mute, media, camera, page, presenter and scroll keys")
    }

    /// The names of keys in a part of a document; other parts name keys in examples.
    private func names(in text: Substring) -> [String] {
        text.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "_") }.map(String.init)
            .filter { $0.hasPrefix("KEY_") }
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try #require(try? ChildProcess.run(["cat", path]).output.utf8), as: UTF8.self)
    }

    @Test func theManualListsThem() throws {
        let manual = try text("packaging/manual/counter.mdoc")
        let section = try #require(manual.split(separator: ".Sh KEYS").last?.split(separator: ".Sh ").first)
        #expect(names(in: section) == ServedKeys.all.map(\.name))
    }

    @Test(arguments: ["docs/security.md", "docs/troubleshooting.md"]) func theDocumentsNameTheirKinds(path: String)
        throws
    {
        let words = try text(path).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains(ServedKeys.summary))
    }
}
