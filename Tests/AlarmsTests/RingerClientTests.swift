import Alarms
import Glibc
import Linux
import TestSupport
import Testing

/// The client with ringers that misbehave. Its time is data.
@Suite struct RingerClientTests {
    /// A ringer that is a shell script, for a journal of its own.
    private struct Place {
        let folder: ScratchFolder
        let client: RingerClient

        init(_ script: String) throws {
            folder = try ScratchFolder()
            try folder.write("journal/counter.sqlite")
            try folder.script("ringer", script)
            client = RingerClient(executable: folder.path(of: "ringer"), journal: folder.path(of: "journal"))
        }

        /// Lets the client handle what has arrived until it tells of something; its clock does not move.
        func events(at now: MonotonicTime) throws -> [RingerClient.Event] {
            try eventualValue("an event") {
                let events = client.receive(at: now)
                return events.isEmpty ? nil : events
            }
        }

        /// How often the script was started.
        var starts: Int {
            (try? ChildProcess.run(["cat", folder.path(of: "starts")]).output.count { $0.isNewline }) ?? 0
        }
    }

    private static let start = MonotonicTime(microseconds: 1_000_000)
    private static let sound = RingerRequest.sound(.up, volume: 80)
    private static let greeting = "echo \"counter-ringer 1\" >&3; "

    private static func isTrouble(_ event: RingerClient.Event) -> Bool {
        guard case .trouble(let text) = event else { return false }
        return text.hasPrefix("counter-ringer ")
    }

    @Test func `Nothing is started before something is to be said`() throws {
        let place = try Place("echo >>\"$0.started\"")
        #expect(place.client.receive(at: Self.start).isEmpty)
        #expect(place.client.deadline == nil)
        var polled = PollSet()
        place.client.watch(&polled)
        #expect(access(place.folder.path(of: "ringer.started"), F_OK) != 0)
    }

    @Test func `What is said reaches the ringer, after its greeting`() throws {
        let place = try Place(Self.greeting + "cat <&3 >\"${0%ringer}heard\"")
        place.client.send([Self.sound, .speak("1"), .timers, .speak("2"), .timers], at: Self.start)
        try eventually("the requests to arrive") {
            #expect(place.client.receive(at: Self.start).isEmpty)
            return try ChildProcess.run(["cat", place.folder.path(of: "heard")]).output
                == "counter-ringer 1\nsound up 80\nspeak 2\ntimers\n"
        }
    }

    @Test func `A ringer that has ended wakes the loop and leaves the process table`() throws {
        let place = try Place("echo $$ >\"${0%ringer}pid\"")
        place.client.lookAtTimers()
        var polled = PollSet()
        place.client.watch(&polled)
        try polled.wait(until: .now + .seconds(180))
        #expect(polled.result(at: 0).isReadable)
        #expect(place.client.receive(at: Self.start).isEmpty)
        let pid = try ChildProcess.run(["cat", place.folder.path(of: "pid")]).output.dropLast()
        #expect(access("/proc/\(pid)", F_OK) != 0)
        var after = PollSet()
        place.client.watch(&after)
        #expect(after.add(-1) == 0, "it waits for nothing any more")
    }

    @Test(arguments: ["exec sleep 1000", greeting + "exec sleep 1000"])
    func `One that hangs is told of once, and killed`(script: String) throws {
        let place = try Place("echo $$ >\"${0%ringer}pid\"; " + script)
        place.client.send([Self.sound], at: Self.start)
        let pid = try eventualValue("the ringer to run") {
            try Int32(ChildProcess.run(["cat", place.folder.path(of: "pid")]).output.dropLast())
        }
        if script != "exec sleep 1000" {
            // The greeting first, so that the sound is sent: from then on another answer is awaited.
            let former = place.client.deadline
            try eventually("the greeting to be read") {
                #expect(place.client.receive(at: Self.start + .seconds(1)).isEmpty)
                return place.client.deadline != former
            }
        }
        let late = Self.start + .seconds(12)
        #expect(place.client.receive(at: late).count(where: Self.isTrouble) == 1)
        try eventually("it to end") {
            // The pause: it is not started again, and not told of again.
            place.client.send([Self.sound], at: late + .seconds(1))
            #expect(!place.client.receive(at: late + .seconds(1)).contains(where: Self.isTrouble))
            return !RunningProcess(pid: pid).isAlive
        }
    }

    @Test func `One that ends at once is looked for some times, then told of once`() throws {
        let place = try Place("echo >>\"${0%ringer}starts\"; exit 75")
        var now = Self.start
        place.client.send([Self.sound], at: now)
        var events: [RingerClient.Event] = []
        try eventually("it to be told") {
            now = now + .milliseconds(60)
            events += place.client.receive(at: now)
            return !events.isEmpty
        }
        #expect(events.count(where: Self.isTrouble) == 1 && events.contains(.bell))
        #expect(place.starts == 4)
        // After a pause it is tried again, and not told of.
        now = now + .seconds(31)
        place.client.send([Self.sound], at: now)
        events = []
        try eventually("the sound to be given up") {
            now = now + .milliseconds(60)
            events += place.client.receive(at: now)
            return events == [.bell]
        }
    }

    @Test func `One that is not installed is told of`() throws {
        let place = try Place("")
        unlink(place.folder.path(of: "ringer"))
        place.client.send([Self.sound], at: Self.start)
        let events = place.client.receive(at: Self.start)
        #expect(events.count == 3 && events.contains(.bell) && events.contains(where: Self.isTrouble))
    }

    @Test func `One of another version is told of`() throws {
        let place = try Place("echo \"counter-ringer 2\" >&3; exec sleep 1000")
        place.client.send([Self.sound], at: Self.start)
        #expect(try place.events(at: Self.start).contains { "\($0)".contains("another version") })
    }

    @Test func `One that is left ends, and not before it has answered`() throws {
        let place = try Place(
            Self.greeting
                + "read line <&3; read line <&3; echo taken >&3; cat <&3; echo >>\"${0%ringer}left\"")
        let left = { try ChildProcess.run(["cat", place.folder.path(of: "left")]).output }
        place.client.send([.timers], at: Self.start)
        place.client.leave()
        try eventually("the answer to be read") {
            #expect(place.client.receive(at: Self.start).isEmpty)
            return place.client.deadline == nil
        }
        #expect(try left() == "")
        place.client.leave()
        try eventually("it to end") { try left() == "\n" }
    }

    /// `yes` writes far faster than it is read, so that there is always more.
    @Test func `One that floods is served in pieces, and left`() throws {
        let place = try Place("cat <&3 >/dev/null & " + Self.greeting + "exec yes 'missing speech none' >&3")
        place.client.send([Self.sound], at: Self.start)
        try eventually("it to be left") {
            let events = place.client.receive(at: Self.start)
            #expect(events.count <= 4096 / 20 + 2)
            return events.contains(where: Self.isTrouble)
        }
    }

    @Test func `A part that is missing is told`() throws {
        let place = try Place(Self.greeting + "echo 'missing sound Connection refused' >&3; exec sleep 1000")
        place.client.send([Self.sound], at: Self.start)
        #expect(
            try place.events(at: Self.start) == [
                .bell, .trouble("no sound: Connection refused; counter doctor tells more"),
            ])
    }
}
