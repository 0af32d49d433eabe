import Glibc
import Linux
import TestSupport
import Testing

/// Which files and directories no other user can change or replace. Root makes them; the other user is nobody.
@Suite(.enabled(if: getuid() == 0, "only root may give files away")) struct TrustedFileTests {
    private let folder: ScratchFolder
    private static let nobody: uid_t = 65534

    init() throws {
        folder = try ScratchFolder()
        chmod(folder.path, 0o755)
    }

    /// Why a path is not trusted; nil where it is.
    private func distrust(_ name: String) -> SystemCallError? {
        do throws(SystemCallError) {
            _ = try TrustedFile(folder.path(of: name))
            return nil
        } catch { return error }
    }

    private func make(_ name: String, _ mode: mode_t, owner: uid_t = 0) {
        #expect(mkdir(folder.path(of: name), 0o700) == 0)
        chown(folder.path(of: name), owner, owner)
        chmod(folder.path(of: name), mode)
    }

    private func link(_ name: String, to target: String, owner: uid_t = 0) {
        #expect(symlink(target, folder.path(of: name)) == 0)
        lchown(folder.path(of: name), owner, owner)
    }

    @Test func `Each parent counts, and the one that is not trusted is named`() throws {
        make("a", 0o755)
        make("a/b", 0o700)
        #expect(distrust("a/b") == nil && distrust("a/./b/../b/") == nil)
        #expect(
            distrust("a/b/c/d")?.errno == ENOENT && distrust("a/b/c/d")?.subject == folder.path(of: "a/b/c"))
        for (mode, owner, why) in [
            (0o777, 0, "may be written to by other users"), (0o775, 0, nil),
            (0o700, Self.nobody, "belongs to the user with number 65534"),
            (0o1777, Self.nobody, "belongs to the user"), (0o1777, 0, nil),
        ] as [(mode_t, uid_t, String?)] {
            chown(folder.path(of: "a"), owner, 0)
            chmod(folder.path(of: "a"), mode)
            let error = distrust("a/b")
            #expect((error == nil) == (why == nil), "\(String(mode, radix: 8)) of \(owner)")
            if let why { #expect(error?.reason.hasPrefix("\(folder.path(of: "a")) \(why)") == true) }
        }
        // What is in /tmp may be trusted, and /tmp itself may not: anybody makes files in there.
        #expect(distrust("a")?.errno == EPERM)
    }

    @Test func `A name may begin with a mark that Swift takes for a part of the slash before it`() {
        make("a", 0o777, owner: Self.nobody)
        make("a/\u{308}b", 0o700)
        #expect(distrust("a/\u{308}b")?.subject == folder.path(of: "a"))
        #expect(parentDirectory("a/\u{308}b") == "a")
    }

    @Test(arguments: [
        ("/a/b", "/a"), ("/a", "/"), ("/", "/"), ("a", "."), ("a/b/", "a"), (".", "."), ("", "."),
        ("/a//b/", "/a"),
    ])
    func `A path without its last name leads to the folder that it is in`(path: String, parent: String) {
        #expect(parentDirectory(path) == parent)
    }

    @Test func `A directory is trusted with all in it, however deep, links too`() throws {
        make("all", 0o755)
        make("all/a", 0o775)
        make("foreign", 0o755, owner: Self.nobody)
        try folder.write("all/a/file", "")
        link("all/up", to: "..")
        link("all/nowhere", to: "none/x")
        let isTrusted = { [folder] in TrustedFile.isTrusted(all: folder.path(of: "all")) }
        #expect(isTrusted())
        for (mode, owner) in [(0o666, 0), (0o664, 0), (0o644, Self.nobody)] as [(mode_t, uid_t)] {
            chown(folder.path(of: "all/a/file"), owner, 100)
            chmod(folder.path(of: "all/a/file"), mode)
            #expect(!isTrusted(), "\(String(mode, radix: 8)) of \(owner)")
        }
        unlink(folder.path(of: "all/a/file"))
        #expect(isTrusted())
        chmod(folder.path(of: "all/a"), 0o1777)
        #expect(!isTrusted())
        chmod(folder.path(of: "all/a"), 0o755)
        link("all/a/link", to: folder.path(of: "foreign"))
        #expect(!isTrusted())
    }

    @Test func `What a group may write to is trusted only where nobody else is in the group`() throws {
        make("a", 0o775)
        chown(folder.path(of: "a"), 0, 100)
        #expect(distrust("a")?.errno == EPERM)
        chown(folder.path(of: "a"), 0, 0)
        #expect(distrust("a") == nil)
    }

    @Test func `Links of this user and root are followed, others not, to wherever they lead`()
        throws
    {
        make("own", 0o700)
        make("foreign", 0o700, owner: Self.nobody)
        make("shared", 0o1777)
        link("link", to: "own")
        link("absolute", to: folder.path(of: "own"))
        link("shared/planted", to: "../own", owner: Self.nobody)
        link("away", to: "foreign")
        link("loop", to: "loop")
        link("dangling", to: "own/none")
        #expect(mkdir(folder.path(of: "own/x"), 0o700) == 0)
        for name in ["link", "absolute"] {
            #expect(distrust(name + "/x") == nil && distrust(name) == nil)
        }
        for name in ["shared/planted/x", "shared/planted"] {
            #expect(distrust(name)?.subject == folder.path(of: "shared/planted"))
        }
        #expect(distrust("away/x")?.subject == folder.path(of: "foreign"))
        #expect(distrust("loop/x")?.errno == ELOOP)
        let dangling = distrust("dangling")
        #expect(dangling?.errno == ENOENT && dangling?.subject == folder.path(of: "own/none"))
        #expect(try TrustedFile(folder.path(of: "link/x")).path == folder.path(of: "own/x"))
        #expect(try TrustedFile("/").path == "/")
    }

    @Test func `A directory is made in trusted ones only, with its parents`() throws {
        try makeOwnDirectory(folder.path(of: "a/b/c"))
        for name in ["a", "a/b", "a/b/c"] {
            var status = stat()
            #expect(lstat(folder.path(of: name), &status) == 0 && status.st_mode == S_IFDIR | 0o700)
        }
        make("foreign", 0o777, owner: Self.nobody)
        make("shared", 0o1777)
        make("shared/theirs", 0o777, owner: Self.nobody)
        for name in ["foreign/x", "foreign/x/y", "shared/theirs/x", "shared/theirs"] {
            #expect(throws: SystemCallError.self) { try makeOwnDirectory(folder.path(of: name)) }
        }
        #expect(directoryEntries(of: folder.path(of: "foreign")).isEmpty)
        #expect(directoryEntries(of: folder.path(of: "shared/theirs")).isEmpty)
        try folder.write("file")
        #expect(throws: SystemCallError.self) { try makeOwnDirectory(folder.path(of: "file")) }
        #expect(try makeOwnDirectory(folder.path(of: "shared/ours")) == folder.path(of: "shared/ours"))
    }

    /// Random trees, each with a file at its end. What is trusted withstands user nobody, who tries to get hold of each part of it.
    @Test func `Another user can neither change nor replace what is trusted`() throws {
        var random = SplitMix64(seed: 8)
        var (trusted, overcome) = (0, 0)
        for tree in 0..<600 {
            let path = try makeTree("tree\(tree)", &random)
            let isTrusted = distrust(path) == nil
            let isOvercome = try onItsOwnThread(asUser: Self.nobody) { [folder] in
                Self.overcomes(path.split(separator: "/").map(String.init), below: folder.path)
            }
            #expect(!(isTrusted && isOvercome), "\(path)")
            trusted += isTrusted ? 1 : 0
            overcome += isOvercome ? 1 : 0
        }
        #expect(trusted > 20 && overcome > 20, "\(trusted) trusted, \(overcome) overcome")
    }

    /// Makes a path of directories with a file at the end, with random owners and modes, and a link within at times.
    private func makeTree(_ name: String, _ random: inout SplitMix64) throws -> String {
        let owners: [uid_t] = [0, 0, 0, Self.nobody]
        var parts: [(path: String, owner: uid_t, mode: mode_t)] = []
        var path = name
        for depth in 0...Int.random(in: 1...3, using: &random) {
            if depth > 0, Bool.random(using: &random), Bool.random(using: &random) {
                // The part so far is reached through a link beside it.
                link(
                    path + "-link", to: folder.path(of: path),
                    owner: owners.randomElement(using: &random) ?? 0)
                path += "-link"
            }
            if depth > 0 { path += "/d" }
            #expect(mkdir(folder.path(of: path), 0o700) == 0)
            let mode = [0o700, 0o755, 0o755, 0o711, 0o775, 0o777, 0o1777].randomElement(using: &random) ?? 0
            parts.append((path, owners.randomElement(using: &random) ?? 0, mode_t(mode)))
        }
        path += "/file"
        try folder.write(path, "good")
        let mode: mode_t = [0o600, 0o644, 0o666].randomElement(using: &random) ?? 0
        parts.append((path, owners.randomElement(using: &random) ?? 0, mode))
        for part in parts {
            chown(folder.path(of: part.path), part.owner, 100)
            chmod(folder.path(of: part.path), part.mode)
        }
        return path
    }

    /// Whether this thread's user can write to the end of a path, or move any part of it away to put another in its place.
    private static func overcomes(_ names: [String], below folder: String) -> Bool {
        var path = folder
        for name in names {
            path += "/\(name)"
            // The owner of a directory may let itself in.
            chmod(path, 0o777)
            if rename(path, path + ".away") == 0 {
                rename(path + ".away", path)
                return true
            }
        }
        let file = open(path, O_WRONLY | O_CLOEXEC)
        defer { if file >= 0 { close(file) } }
        return file >= 0
    }
}
