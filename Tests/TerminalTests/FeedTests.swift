import Glibc
import TestSupport
import Testing

/// `counter listen --json` writes the rows of a journal, and `counter ingest` imports them into another.
@Suite final class FeedTests: NewPlace {
    @Test func `Changes of other programs are told as they come, each row once`() throws {
        try place.run("add")
        let listener = try place.following()
        var told: [[String: Any]] = []
        for (command, rows) in [(["add", "2"], 2), (["undo"], 2), (["reset", "--to=7"], 1)] {
            try place.run(command)
            for _ in 1...rows { told.append(try jsonObject(try #require(try listener.readLine()))) }
        }
        #expect(told.map { $0["type"] as? String } == ["in", "in", "void", "void", "reset"])
        #expect(told.map { $0["position"] as? Int } == [2, 3, 4, 5, 6])
        #expect(told[2]["target"] as? Int == 3)
        #expect(told[4]["value"] as? Int == 7)
        // A row has the level if no row followed it.
        #expect(told[1]["count"] as? Int == 3)
        #expect(told[0]["count"] == nil)
        #expect(Set(told.compactMap { $0["journal"] as? String }).count == 1)
    }

    @Test func `It begins after the position that is named, and a pipe that is not read leaves nothing out`()
        throws
    {
        try place.run("add", "5000")
        let listener = try place.listen(["--json", "--after", "3"])
        // More than a pipe buffers; the program goes on counting meanwhile.
        try place.run("add")
        #expect(try place.show() == "5001")
        // One of them names the journal.
        for position in 4...5002 {
            let line = try #require(try listener.readLine())
            try #require(line.contains("\"position\":\(position)"), "\(line)")
        }
        try place.run("sub")
        #expect(try #require(try listener.readLine()).contains("\"position\":5003,\"count\":5000"))
    }

    @Test func `A journal is named when its rows are first sent, and History says where they were made`()
        throws
    {
        let (door, office) = (try Workplace.deaf(), try Workplace.deaf())
        func names(_ place: Workplace) throws -> [String?] {
            try place.objects("journal", "--json").map { $0["name"] as? String }
        }
        try door.run("add", "--reason", "by hand")
        #expect(try names(door) == [nil])
        #expect(try door.run("journal").output.contains(" (this one)  1  "))
        for _ in 1...2 {
            let listener = try door.listen(["--json", "--after", "0"])
            #expect(try #require(try listener.readLine()).contains("by hand"))
            let name = try jsonObject(try #require(try listener.readLine()))
            #expect(try name["type"] as? String == "journal" && name["name"] as? String == names(door)[0])
        }
        #expect(try door.run("journal", "rename", "door-3").status == .exited(0))
        #expect(try names(door) == ["door-3"])
        try office.run("import", "-", input: door.run("export", "--format", "jsonl", "--all").output)
        #expect(try office.run("history", "--entries").output.contains(" on door-3  by hand"))
        #expect(try names(office) == [nil, "door-3"])
        #expect(try office.verify().status == .exited(0))
    }

    @Test func `A position that cannot be is refused`() throws {
        try place.run("add")
        expectFailure(try place.run("listen", "--after", "0"), 64, "--after is for --json")
        expectFailure(
            try place.run("listen", "--json", "--after", "2"), 65, "--after 2: the journal ends at 1",
            "--after 0")
    }

    @Test func `A pipe into another journal that is cut and begun again leaves nothing out, nor repeats it`()
        throws
    {
        let other = try Workplace.deaf()
        for (after, count) in [(0, "3"), (2, "6"), (0, "9")] {
            let script =
                "\"$0\" listen --json --after \(after) | COUNTER_DATA_DIR=\(other.directory) \"$0\" ingest"
            let pipe = try place.start([], by: ["sh", "-c", script])
            try place.run("add", "3")
            try eventually("the other journal to have them") { try other.show() == count }
            pipe.process.children.forEach { try? $0.signal(SIGKILL) }
            pipe.end()
        }
        #expect(try other.exported().count == 9)
        for place in [place, other] { #expect(try place.verify().status == .exited(0)) }
    }
}
