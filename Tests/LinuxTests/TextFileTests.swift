import Glibc
import Linux
import Synchronization
import TestSupport
import Testing

/// How a file is replaced: whole, with its mode, and by one program at a time.
@Suite struct TextFileTests {
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder.path(of: "settings")
    }

    private func text(_ name: String = "settings") throws -> String {
        try TextFile(path: folder.path(of: name), name: name).text
    }

    /// All names in the folder, hidden ones too.
    private var names: Set<String> {
        get throws {
            Set(
                try ChildProcess.run(["ls", "-A", folder.path]).output.split(separator: "\n").map(String.init)
            )
        }
    }

    private func mode(of name: String) -> mode_t {
        var status = stat()
        return lstat(folder.path(of: name), &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test
    func `A new file is this user's alone, one that is replaced keeps its mode, and nothing else is left`()
        throws
    {
        try TextFile.replace(path, by: "first")
        #expect(try text() == "first" && mode(of: "settings") == 0o600)
        chmod(path, 0o640)
        let long = String(repeating: "long ", count: 100_000)
        try TextFile.replace(path, by: long)
        #expect(try text() == long && mode(of: "settings") == 0o640)
        #expect(try names == ["settings"])
    }

    @Test func `Where it fails the file is as before, and nothing else is left`() throws {
        mkdir(path, 0o700)
        #expect(throws: SystemCallError(call: "rename", subject: path, errno: EISDIR)) {
            try TextFile.replace(path, by: "text")
        }
        #expect(throws: SystemCallError(call: "open", subject: path + "/none", errno: ENOENT)) {
            try TextFile.replace(path + "/none/x", by: "text")
        }
        #expect(try names == ["settings"])
    }

    @Test func `A file that another user has put in the way of the new one is not written to`() throws {
        try folder.write("victim", "untouched")
        for name in ["settings.new", ".settings.new"] {
            symlink(folder.path(of: "victim"), folder.path(of: name))
        }
        try TextFile.replace(path, by: "text")
        #expect(try text() == "text")
        #expect(try text("victim") == "untouched")
    }

    @Test(.timeLimit(.minutes(10)))
    func `Of changes that programs make at once each is there at the end, and none is ever half there`()
        throws
    {
        let (programs, changes) = (8, 40)
        try TextFile.replace(path, by: "")
        let isOver = Shared(false)
        let reader = try OwnThread { [path] in
            var torn = 0
            while !isOver.value {
                guard let text = try? TextFile(path: path, name: "settings").text else { continue }
                if !text.isEmpty, text.last != "\n" { torn += 1 }
            }
            return torn
        }
        let writers = try (0..<programs).map { writer in
            try OwnThread { [path] in
                for change in 0..<changes { try Self.add("\(writer).\(change)\n", to: path) }
                return 0
            }
        }
        for writer in writers { _ = try writer.result() }
        isOver.value = true
        #expect(try reader.result() == 0)
        #expect(try text().split(separator: "\n").count == programs * changes)
        #expect(try names == ["settings"])
    }

    private static func add(_ line: String, to path: String) throws {
        while true {
            do { return try TextFile.change(path) { $0 + line } } catch {
                // No change is lost silently.
                guard error.message.contains("another program is changing it") else { throw error }
                usleep(500)
            }
        }
    }

    @Test func `A link stays one, and what it leads to is changed`() throws {
        mkdir(folder.path(of: "dotfiles"), 0o755)
        try folder.write("dotfiles/settings", "one ")
        symlink("dotfiles/settings", path)
        try TextFile.change(path) { $0 + "two" }
        #expect(try text("dotfiles/settings") == "one two" && mode(of: "dotfiles/settings") == 0o644)
        var target = [CChar](repeating: 0, count: 100)
        #expect(readlink(path, &target, 99) == 17)
        // One that leads nowhere yet makes the file there.
        unlink(folder.path(of: "dotfiles/settings"))
        try TextFile.change(path) { $0 + "three" }
        #expect(try text("dotfiles/settings") == "three")
        #expect(try names == ["dotfiles", "settings"])
    }

    @Test func `A change that is refused leaves the file, and the next one need not wait`() throws {
        try TextFile.replace(path, by: "kept")
        #expect(throws: ProgramError.self) {
            try TextFile.change(path) { _ throws(ProgramError) in throw ProgramError("no", status: EX_DATAERR)
            }
        }
        #expect(try text() == "kept")
        try TextFile.change(path) { $0 + "!" }
        #expect(try text() == "kept!")
    }

    @Test func `While another program changes it, a change is given up at once and told`() throws {
        let lock = try LockFile(path + ".lock")
        let start = MonotonicTime.now
        do throws(ProgramError) {
            try TextFile.change(path) { $0 + "!" }
            Issue.record("it was changed")
        } catch { #expect(error.message == "\(path): cannot be written: another program is changing it") }
        #expect(MonotonicTime.now - start < .seconds(1))
        withExtendedLifetime(lock) {}
    }
}

/// A lock that one process has at a time.
@Suite struct LockFileTests {
    @Test func `A file with content is no lock, and stays`() throws {
        let folder = try ScratchFolder()
        try folder.write("yarn.lock", "important")
        #expect(throws: SystemCallError.self) { try LockFile(folder.path(of: "yarn.lock")) }
        #expect(access(folder.path(of: "yarn.lock"), F_OK) == 0)
    }

    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder.path(of: "lock")
    }

    @Test func `It is locked once, and gone with its owner`() throws {
        var lock: LockFile? = try LockFile(path)
        #expect(throws: SystemCallError(call: "flock", subject: path, errno: EWOULDBLOCK)) {
            try LockFile(path)
        }
        #expect(access(path, F_OK) == 0)
        lock = nil
        #expect(access(path, F_OK) != 0)
        withExtendedLifetime((lock, try LockFile(path))) {}
        // What a killed process leaves behind is in nobody's way.
        try folder.write("lock")
        withExtendedLifetime(try LockFile(path)) {}
    }

    @Test func `Who waits for it gets it when it is free`() throws {
        let lock = Shared<LockFile?>(try LockFile(path))
        let waiting = try OwnThread { [path] in
            withExtendedLifetime(try LockFile(path, until: .now + .seconds(180))) { 1 }
        }
        lock.value = nil
        #expect(try waiting.result() == 1)
    }

    @Test(.enabled(if: getuid() == 0, "only root may give files away"))
    func `A link, a directory and another user's file are refused, and stay as they are`() throws {
        try folder.write("victim")
        symlink(folder.path(of: "victim"), path)
        #expect(throws: SystemCallError(call: "open", subject: path, errno: ELOOP)) { try LockFile(path) }
        unlink(path)
        try folder.write("lock")
        chown(path, 65534, 65534)
        #expect(throws: SystemCallError.self) { try LockFile(path) }
        #expect(access(path, F_OK) == 0)
    }
}

/// A value that a thread sets and another one reads.
private final class Shared<Value> {
    private let mutex = Mutex<Void>(())
    nonisolated(unsafe) private var stored: Value
    init(_ value: Value) { stored = value }
    var value: Value {
        get { mutex.withLock { _ in stored } }
        set { mutex.withLock { _ in stored = newValue } }
    }
}
