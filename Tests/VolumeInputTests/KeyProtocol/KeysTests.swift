import CEvdev
import Glibc
import TestSupport
import Testing

@testable import KeyProtocol
@testable import VolumeInput

@Suite struct KeyFrameTests {
    private func message(_ changes: [KeyChange]) -> ServerMessage {
        .frame(number: 1, Messages.frame(changes))
    }

    @Test func `Changes come out as they went in`() throws {
        let everyChange = CountedKey.allCases.flatMap {
            [KeyChange($0, isDown: true), KeyChange($0, isDown: false)]
        }
        var random = SplitMix64(seed: 1)
        for count in 1...KeyFrame.capacity {
            for _ in 0..<50 {
                let sent = message((0..<count).map { _ in random.element(of: everyChange) })
                #expect(try ServerMessage(decoding: sent.encoded) == sent)
            }
        }
    }

    /// (packed, count): a count out of range, bits beyond the count, an unknown key.
    @Test(
        arguments: [
            (0, 0), (0, 17), (0, 255), (1, 0), (8, 1), (1 << 48, 16), (UInt64.max, 16), (3, 1), (7, 1),
            (3 << 45, 16), (0b011_000, 2),
        ] as [(UInt64, UInt8)])
    func `What is no packed form is refused`(packed: UInt64, count: UInt8) {
        var bytes = message([KeyChange(.up, isDown: true)]).encoded
        var form = ByteWriter()
        form.put(numbers: packed, count)
        // Behind the header, the number, the node and the stamp.
        bytes.replaceSubrange(28..<37, with: form.bytes)
        #expect(throws: MessageError.malformed) { try ServerMessage(decoding: bytes) }
    }

    @Test func `A set of keys has a bit for each`() {
        #expect(CountedKeys(.up).rawValue == 1)
        #expect(CountedKeys(.down).rawValue == 2)
        #expect(CountedKeys(.reset).rawValue == 4)
    }
}

@Suite struct KeyMeaningsTests {
    @Test func `The volume keys count unless configured otherwise`() {
        let meanings = KeyMeanings.volumeKeys
        #expect(meanings.isValid)
        #expect(meanings.key(for: 115) == .up)
        #expect(meanings.key(for: 114) == .down)
        #expect(meanings.key(for: 30) == nil)
        #expect(meanings.codes.map(\.code) == [115, 114])
    }

    @Test func `A page turner may have other keys`() {
        let meanings = KeyMeanings(up: [109, 106], down: [104], reset: [48])
        #expect(meanings.isValid)
        #expect(meanings.key(for: 106) == .up)
        #expect(meanings.key(for: 48) == .reset)
        #expect(meanings.key(for: 115) == nil)
    }

    @Test(arguments: [
        KeyMeanings(up: [], down: [], reset: []),
        KeyMeanings(up: [115], down: [115], reset: []),
        KeyMeanings(up: [115, 115], down: [], reset: []),
        KeyMeanings(up: [115], down: [114], reset: [114]),
        KeyMeanings(up: [0], down: [], reset: []),
        KeyMeanings(up: [0x300], down: [], reset: []),
        KeyMeanings(up: [.max], down: [], reset: []),
        KeyMeanings(up: Array(1...9), down: [], reset: []),
    ])
    func `What makes no sense is invalid`(meanings: KeyMeanings) { #expect(!meanings.isValid) }

    @Test(arguments: [
        KeyMeanings(up: [115], down: [], reset: []),
        KeyMeanings(up: [], down: [], reset: [1]),
        KeyMeanings(up: Array(1...8), down: Array(9...16), reset: Array(17...24)),
        KeyMeanings(up: [0x2FF], down: [1], reset: []),
    ])
    func `What makes sense is valid`(meanings: KeyMeanings) { #expect(meanings.isValid) }

    /// (name, code)
    @Test(
        arguments: [
            ("KEY_VOLUMEUP", 115), ("KEY_VOLUMEDOWN", 114), ("KEY_ESC", 1), ("BTN_LEFT", 0x110),
            ("KEY_RESERVED", nil), ("KEY_MAX", nil), ("VOLUMEUP", nil), ("key_volumeup", nil), ("", nil),
            ("REL_X", nil), ("KEY_NONE_SUCH", nil), ("BTN_MOUSE", 0x110), ("BTN_A", 0x130),
            ("KEY_SCREENLOCK", 152), ("KEY_HANGUEL", 122),
        ] as [(String, UInt16?)])
    func `Keys have the names of the kernel`(name: String, code: UInt16?) {
        #expect(KeyMeanings.code(named: name) == code)
    }

    /// A newer libevdev may know more names; it must give the names of the table the same codes.
    @Test func `Every name has the code that libevdev gives it`() {
        let names = (1..<KeyMeanings.highestCode).compactMap { code in
            libevdev_event_code_get_name(UInt32(EV_KEY), UInt32(code)).map { (String(cString: $0), code) }
        }
        #expect(names.count > 500)
        for (name, code) in names { #expect(KeyMeanings.code(named: name) == code, "\(name)") }
    }
}

/// The keys that the service serves, and that the documents list the same.
@Suite struct ServedKeysTests {
    @Test func `Names and numbers are the kernel's`() {
        for key in ServedKeys.all { #expect(KeyMeanings.code(named: key.name) == key.code, "\(key.name)") }
        #expect(Set(ServedKeys.all.map(\.code)).count == ServedKeys.all.count)
    }

    @Test func `Volume keys are among them`() {
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

    @Test func `The manual lists them`() throws {
        let manual = try text("packaging/manual/counter.mdoc")
        let section = try #require(manual.split(separator: ".Sh KEYS").last?.split(separator: ".Sh ").first)
        #expect(names(in: section) == ServedKeys.all.map(\.name))
    }

    @Test(arguments: ["docs/security.md", "docs/troubleshooting.md"]) func `The documents name their kinds`(
        path: String
    )
        throws
    {
        let words = try text(path).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains(ServedKeys.summary))
    }
}
