import Glibc
import TestSupport
import Testing

/// What `counter-keys repair` and a starting server may remove, and what not. No device is opened.
@Suite struct RepairTests {
    private let folder: ScratchFolder
    private var directory: String { folder.path(of: "counter") }

    init() throws {
        folder = try ScratchFolder()
        mkdir(folder.path(of: "counter"), 0o700)
    }

    private func repair(_ directory: String? = nil) throws -> ChildProcess.Outcome {
        try ChildProcess.run([BuiltProducts.counterKeys, "repair", directory ?? self.directory])
    }

    private func put(_ name: String, _ bytes: [UInt8]) throws {
        try folder.write(name)
        let file = try #require(fopen(folder.path(of: name), "w"))
        defer { fclose(file) }
        #expect(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    private func exists(_ name: String) -> Bool {
        var status = stat()
        return lstat("\(directory)/\(name)", &status) == 0
    }

    /// A record of an unknown boot: one key, of a scan code of four bytes, KEY_VOLUMEUP and KEY_MACRO1, and no spare entry.
    private static func record(original: UInt16 = 115, standIn: UInt16 = 0x290) -> [UInt8] {
        var bytes: [UInt8] = Array("counter-keys interception\n".utf8) + [3, 0]
        bytes += [UInt8](repeating: 0, count: 36) + [1, 0]
        bytes += [4, 0x80, 0, 7, 0] + [UInt8](repeating: 0, count: 28)
        for number in [original, standIn, 0, 0] { bytes += [UInt8(number & 0xFF), UInt8(number >> 8)] }
        return bytes
    }

    /// The kernel numbers devices from 0: this one does not exist.
    private static let gone = "input4000000"

    @Test(
        arguments: [
            ("thesis.txt", Array("A thesis.".utf8)), ("input4000001", Array("A thesis.".utf8)),
            ("input4000002", []), ("input", record()), ("inputs", record()), ("input4000000x", record()),
            ("input-1", record()), ("input+4000000", record()), ("input4000000.txt", record()),
            ("input4000003", record() + [1]), ("input4000004", record(original: 0)),
            ("input4000005", record(standIn: 30)), ("input4000006", Array(record().dropLast())),
        ] as [(String, [UInt8])])
    func `A file that the program has not written stays`(name: String, bytes: [UInt8]) throws {
        try put("counter/\(name)", bytes)
        #expect(try repair() == .init(status: .exited(0), output: "", errors: ""))
        #expect(exists(name))
    }

    @Test func `A record of a device that is gone goes`() throws {
        try put("counter/\(Self.gone)", Self.record())
        #expect(try repair().status == .exited(0))
        #expect(!exists(Self.gone))
    }

    @Test func `A record under two names, or behind a link, stays`() throws {
        try put("elsewhere", Self.record())
        try put("linked", Self.record())
        #expect(link(folder.path(of: "elsewhere"), "\(directory)/\(Self.gone)") == 0)
        #expect(symlink(folder.path(of: "linked"), "\(directory)/input4000001") == 0)
        #expect(try repair().status == .exited(0))
        #expect(exists(Self.gone))
        #expect(exists("input4000001"))
    }

    @Test func `A directory that is a link is not followed`() throws {
        try put("counter/\(Self.gone)", Self.record())
        let link = folder.path(of: "link")
        #expect(symlink(directory, link) == 0)
        let outcome = try repair(link)
        #expect(outcome.status == .exited(EX_OSERR))
        #expect(outcome.errors.contains(link))
        #expect(exists(Self.gone))
    }

    @Test func `Repairing makes no directory`() throws {
        let missing = folder.path(of: "missing")
        #expect(try repair(missing) == .init(status: .exited(0), output: "", errors: ""))
        #expect(access(missing, F_OK) != 0)
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
    func `In a user's directory root removes that user's records alone`() throws {
        for name in [Self.gone, "input4000001"] { try put("counter/\(name)", Self.record()) }
        chown(directory, 65534, 65534)
        chown("\(directory)/input4000001", 65534, 65534)
        chmod(folder.path, 0o755)
        #expect(try repair().status == .exited(0))
        #expect(exists(Self.gone))
        #expect(!exists("input4000001"))
    }

    @Test(.enabled(if: geteuid() == 0, "only root may give files away"))
    func `In a user's directory root can do no more than that user`() throws {
        // The owner of the records cannot reach their directory: its parent is closed.
        let closed = folder.path(of: "closed")
        mkdir(closed, 0o700)
        mkdir("\(closed)/counter", 0o700)
        try put("closed/counter/\(Self.gone)", Self.record())
        for path in ["\(closed)/counter", "\(closed)/counter/\(Self.gone)"] { chown(path, 65534, 65534) }
        chmod("\(closed)/counter", 0o500)
        #expect(try repair("\(closed)/counter").status == .exited(0))
        #expect(access("\(closed)/counter/\(Self.gone)", F_OK) == 0)
    }

    @Test(arguments: ["RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR"])
    func `A server that a program started removes nothing that is not its own`(variable: String) throws {
        let names = [Self.gone, "counter/\(Self.gone)", "thesis.txt"]
        for name in names { try put(name, Array("A thesis.".utf8)) }
        let user: uid_t = geteuid() == 0 ? 65534 : geteuid()
        for name in names + ["", "counter"] { chown(folder.path(of: name), user, user) }
        let outcome = try ChildProcess.run(
            (geteuid() == 0 ? asUser(user) : []) + [BuiltProducts.counter, "devices"],
            environment: [
                "RUNTIME_DIRECTORY": nil, "XDG_RUNTIME_DIR": nil, "COUNTER_KEYS_SOCKET": "",
                "HOME": folder.path, "COUNTER_DATA_DIR": folder.path(of: "data"),
            ].merging([variable: folder.path]) { $1 })
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        for name in names { #expect(access(folder.path(of: name), F_OK) == 0, "\(name)") }
    }
}
