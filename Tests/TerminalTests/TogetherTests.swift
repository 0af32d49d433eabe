import Glibc
import TestSupport
import Testing

/// Several programs on one journal: each counts, and each sees the others.
@Suite final class TogetherTests: NewPlace {
    @Test func `The screen follows another program within a second`() throws {
        let terminal = try place.opened()
        for (command, count) in [
            (["add", "7"], 7), (["sub"], 6), (["reset", "--to=-3"], -3), (["undo"], 6),
        ] {
            try place.run(command)
            try terminal.waitForCount(count)
        }
        try eventually("the title to follow too") { try terminal.title == "Count 6" }
        // A command of the same user is one's own.
        try terminal.type("u")
        try terminal.waitForCount(7)
    }

    @Test func `Two screens at once count together`() throws {
        let left = try place.opened()
        let right = try place.opened()
        for _ in 1...10 {
            try left.type("++")
            try right.type("++-")
        }
        for terminal in [left, right] { try terminal.waitForCount(30) }
        #expect(try place.show() == "30")
        #expect(try place.exported().count == 50)
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `Programs that start at once where there is no journal make one, and each counts in it`()
        throws
    {
        for round in 0..<Volume.of(sample: 4, full: 30) {
            let place = try Workplace.deaf()
            let programs = try (0..<8).map { _ in try place.start(["add"]) }
            for program in programs {
                let status = try program.wait()
                let error = try program.readErrorLine()
                #expect(status == .exited(0), "round \(round): \(error ?? "")")
            }
            #expect(try place.show() == "8")
            #expect(try place.verify().status == .exited(0))
        }
    }

    @Test func `A journal that another program holds makes nobody lose a count`() throws {
        let terminal = try place.opened()
        let journal = try place.database()
        try journal.execute("BEGIN IMMEDIATE")
        try terminal.type("+++")
        try terminal.waitForText("3 not stored")
        #expect(try terminal.screen().count == 0)
        // No key is needed: what waits is stored as soon as the other program releases its lock.
        try journal.execute("COMMIT")
        try terminal.waitForCount(3)
        #expect(try place.show() == "3")
    }
}
