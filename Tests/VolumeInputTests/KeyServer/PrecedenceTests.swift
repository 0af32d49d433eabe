import Glibc
import KeyProtocol
import TestSupport
import Testing

@testable import KeyServer

/// The files by which key servers learn that a user's client takes precedence. No device is opened.
@Suite struct PrecedenceTests {
    private let folder: ScratchFolder
    private let first: InterceptionRegistry
    private let second: InterceptionRegistry
    private let input = "input4000000"
    private var file: String { folder.path(of: "counter/\(input).user1000") }

    init() throws {
        folder = try ScratchFolder()
        let path = folder.path(of: "counter")
        (first, second) = (try InterceptionRegistry(path), try InterceptionRegistry(path))
    }

    @Test func `One client of a user has precedence on a device until it gives it up; others are told both`()
        throws
    {
        var claim = first.claimPrecedence(of: 1000, on: input)
        #expect(claim != nil && second.drain())
        #expect(second.hasPrecedence(1000, on: input) && first.hasPrecedence(1000, on: input))
        #expect(second.claimPrecedence(of: 1000, on: input) == nil)
        #expect(second.hasPrecedence(1000, on: input), "an attempt takes nothing away")
        claim = nil
        #expect(second.drain())
        #expect(!second.hasPrecedence(1000, on: input) && access(file, F_OK) != 0)
        #expect(second.restoring == nil, "nobody was killed")
    }

    @Test func `It concerns neither other users nor other devices, and claims no node`() throws {
        let claim = first.claimPrecedence(of: 1000, on: input)
        #expect(!second.hasPrecedence(1001, on: input) && !second.hasPrecedence(0, on: input))
        #expect(!second.hasPrecedence(1000, on: "input4000001"))
        #expect(second.claimPrecedence(of: 1001, on: input) != nil)
        let node = try second.claim(input, Remapping())
        withExtendedLifetime((claim, node)) {}
    }

    @Test func `What a killed server left means nothing, is noticed, and is removed`() throws {
        // Locked and closed as by a server that is killed: not removed.
        let left = open(file, O_RDWR | O_CREAT, 0o600)
        #expect(write(left, "counter-keys precedence\n", 24) == 24 && flock(left, LOCK_EX) == 0)
        #expect(second.hasPrecedence(1000, on: input))
        _ = second.drain()
        close(left)
        _ = second.drain()
        #expect(second.restoring != nil)
        #expect(!second.hasPrecedence(1000, on: input))
        #expect(second.restoreAbandoned() == [] && access(file, F_OK) != 0)
        #expect(first.claimPrecedence(of: 1000, on: input) != nil)
    }

    /// As when a device is connected: one server looks at the files of the device while another one locks them.
    @Test func `A server that looks whether a file is locked keeps nobody from locking it`() async throws {
        let (path, input) = (folder.path(of: "counter"), input)
        let looking = Task {
            let other = try InterceptionRegistry(path)
            while !Task.isCancelled {
                _ = other.restoreAbandoned()
                _ = other.keysRemappedElsewhere(input)
                _ = other.hasPrecedence(1000, on: input)
            }
        }
        defer { looking.cancel() }
        for _ in 0..<5_000 {
            let node = try first.claim(input, Remapping())
            let precedence = try #require(first.claimPrecedence(of: 1000, on: input))
            withExtendedLifetime((node, precedence)) {}
        }
    }

    @Test func `A file of that name that the program has not written stays, and gives no precedence`() throws
    {
        try folder.write("counter/\(input).user1000", "A thesis.")
        #expect(first.claimPrecedence(of: 1000, on: input) == nil)
        #expect(first.restoreAbandoned() == [] && access(file, F_OK) == 0)
        #expect(!second.hasPrecedence(1000, on: input))
    }
}
