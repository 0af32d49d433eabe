import Glibc
import TestSupport
import Testing

/// The alarms of timers on a desktop, while no `counter` runs.
@Suite struct AlarmTests {
    /// A timer that has ended, and nobody has acknowledged.
    private static func ended(_ options: [String], _ environment: [String: String?]) throws -> Workplace {
        let place = try Workplace.silent(environment)
        try place.endTimer(options)
        return place
    }

    @Test func `Each change arms one unit for the next end, and stops the one before`() throws {
        let desktop = try TestDesktop()
        let place = try Workplace.silent(desktop.environment)
        try place.run("timer", "start", "1h", "First")
        let first = try desktop.call().split(separator: " ").map(String.init)
        #expect(first[0] == "start" && first[1].hasPrefix("counter-alarm-") && first[1].hasSuffix(".timer"))
        #expect(first[4] == "UTC" && first[2].count == 10 && first[3].count == 15)
        #expect(Array(first.suffix(3)) == [BuiltProducts.counterRinger, "--data-dir", place.directory])
        try eventually("the registry to be written") { try desktop.registry.count == 4 }
        #expect(try desktop.registry[0] == place.directory && desktop.registry[1] + ".timer" == first[1])
        // A later end changes nothing; an earlier one is armed instead.
        try place.run("timer", "start", "2h", "Second")
        try place.run("timer", "start", "30m", "Third")
        #expect(try desktop.call() == "stop \(first[1])")
        let third = try desktop.call().split(separator: " ").map(String.init)
        #expect(third[0] == "start" && third[1] != first[1])
        try place.run("timer", "pause", "Third")
        #expect(try desktop.call() == "stop \(third[1])")
        #expect(try desktop.call().hasPrefix("start "))
        try place.run("timer", "stop", "First")
        #expect(try desktop.call().hasPrefix("stop "))
        #expect(try desktop.call().hasPrefix("start "))
        try place.run("timer", "stop", "Second")
        #expect(try desktop.call().hasPrefix("stop "))
        try eventually("the registry to be empty") { try desktop.registry == [""] }
    }

    /// libpulse's loop needs a pipe.
    @Test(arguments: 9...15) func `Without a free descriptor it does not crash`(limit: Int) throws {
        let place = try Self.ended(["Robins"], [:])
        let ringer = try ChildProcess(
            [
                "prlimit", "--nofile=\(limit):\(limit)", BuiltProducts.counterRinger, "--data-dir",
                place.directory,
            ], environment: place.environment)
        pause(.milliseconds(300))
        try place.run("timer", "acknowledge", "Robins")
        let status = try ringer.wait()
        guard case .exited = status else {
            Issue.record("\(status)")
            return
        }
    }

    /// systemd expands `${…}`, `%` and quotes, and takes a line feed for an end.
    @Test
    func `A unit has no character that systemd interprets, and calls the ringer with the journal's path`()
        throws
    {
        let desktop = try TestDesktop()
        let place = try Workplace.silent(desktop.environment)
        place.environment["COUNTER_DATA_DIR"] = place.directory + "/" + ScratchFolder.oddName
        try place.run("timer", "start", "1h", "Later")
        let call = try desktop.call()
        #expect(call.hasPrefix("start counter-alarm-"))
        let words = call.split(separator: " ").map(String.init).suffix(3)
        #expect(words.contains("--data-dir"))
        #expect(
            words.allSatisfy {
                $0.utf8.allSatisfy { UInt8(ascii: "-")...UInt8(ascii: "z") ~= $0 && $0 != 92 }
            })
        // The registry has it too: nothing is armed again.
        try eventually("the registry to be written") { try desktop.registry.count == 4 }
        try place.endTimer(["Robins"])
        let ringer = try ChildProcess(Array(words), environment: place.environment)
        while case let call = try desktop.call(), !call.hasPrefix("notify 1 urgency 1 ⏰ Robins") {
            #expect(!call.hasPrefix("start ") || call.contains(" UTC "))
        }
        try place.run("timer", "acknowledge", "Robins")
        #expect(try ringer.wait() == .exited(0))
        #expect(try desktop.registry.count == 4)
    }

    @Test func `At login records of journals that are gone are removed, and all others are armed`() throws {
        let desktop = try TestDesktop(["manager"])
        let places = try (0..<3).map { _ in try Workplace.silent(desktop.environment) }
        for place in places {
            try place.run("timer", "start", "1h", "Later")
            #expect(try desktop.call().hasPrefix("start "))
            try eventually("the ringer to end") { try place.ringer == nil }
        }
        let folder = try #require(desktop.environment["XDG_STATE_HOME"] ?? nil) + "/counter/alarms"
        let gone = "/tmp/counter-test-gone"
        _ = try ChildProcess.run([
            "sh", "-c", "for i in $(seq 200); do printf '%s/%s\\n\\n0\\n' \"$1\" $i >\"$0/1-$i\"; done",
            folder, gone,
        ])
        // A directory without its journal.
        try places[2].run("timer", "stop", "Later")
        #expect(try desktop.call().hasPrefix("stop "))
        try places[2].run("timer", "start", "2h", "Later")
        #expect(try desktop.call().hasPrefix("start "))
        try eventually("the ringer to end") { try places[2].ringer == nil }
        _ = try ChildProcess.run(["sh", "-c", "rm \"$0\"/journal.sqlite*", places[2].directory])
        let login = try ChildProcess.run(
            [BuiltProducts.counterRinger, "login"], environment: places[0].environment)
        #expect(login.status == .exited(0))
        let armed = try [desktop.call(), desktop.call()].map { String($0.split(separator: " ").last ?? "") }
        #expect(Set(armed) == Set(places.prefix(2).map(\.directory)))
        let left = try desktop.registry
        #expect(
            left.count == 7 && !left.contains { $0.hasPrefix(gone) || $0 == places[2].directory }, "\(left)")
    }

    @Test func `A timer that was started on the screen is armed too`() throws {
        let desktop = try TestDesktop(["manager"])
        let place = try Workplace.silent(desktop.environment)
        let terminal = try place.opened([])
        try terminal.type("5n1h Robins")
        try terminal.waitForText("1h Robins")
        try terminal.sendKey("Enter")
        try terminal.waitForText("at its end")
        try terminal.sendKey("Enter")
        #expect(try desktop.call().hasPrefix("start counter-alarm-"))
        try terminal.type("q")
        #expect(try terminal.waitForExit() == .exited(0))
    }

    @Test func `On a disk that takes no registry, an end is armed once and no more`() throws {
        let desktop = try TestDesktop(["manager"])
        let place = try Workplace.silent(desktop.environment)
        try place.write("full", [])
        place.environment["XDG_STATE_HOME"] = place.directory + "/full"
        var times: [String] = []
        for duration in ["3h", "2h", "1h"] {
            #expect(try place.run("timer", "start", duration, "Robins").status == .exited(0))
            let words = try desktop.call().split(separator: " ").map(String.init)
            #expect(words[0] == "start")
            times.append("\(words[2]) \(words[3])")
            // One that is just ending may arm the next end too, which the one after it cannot know without a registry.
            try eventually("the ringer to end") { try place.ringer == nil }
        }
        #expect(times == times.sorted(by: >) && Set(times).count == 3)
    }

    @Test func `One notification is replaced, and closed when another program acknowledges`() throws {
        let desktop = try TestDesktop(["notifications"])
        let place = try Self.ended(["--urgent", "Robins", "&", "wrens"], desktop.environment)
        let ringer = try place.startedRinger()
        let call = try desktop.call()
        #expect(call.hasPrefix("notify 1 urgency 2 ⏰ Robins & wrens | ended at "), "\(call)")
        #expect(try desktop.call().hasPrefix("notify 1 urgency 2 ⏰⏰ Robins"))
        try place.run("timer", "acknowledge", "1")
        #expect(try desktop.call() == "close 1")
        #expect(try ringer.wait() == .exited(0))
    }

    @Test(arguments: [("action acknowledge", "ended"), ("dismiss", "ended"), ("action again", "running")])
    func `The user's answer on the desktop is one in the journal`(answer: String, status: String) throws {
        let desktop = try TestDesktop(["notifications"])
        let place = try Self.ended(["--keep", "Robins"], desktop.environment)
        let ringer = try place.startedRinger()
        #expect(try desktop.call().hasPrefix("notify 1 urgency 1 ⏰ Robins"))
        try desktop.answer(answer)
        if answer != "dismiss" { #expect(try desktop.call() == "close 1") }
        if status == "ended" {
            #expect(try ringer.wait() == .exited(0))
            // Nothing rings any more.
            #expect(try place.startedRinger().wait() == .exited(0))
        } else {
            try eventually("it to run again") {
                try place.run("timer", "results").output.ranges(of: "Robins").count == 2
            }
        }
    }

    @Test func `A second ringer leaves the alarm to the first`() throws {
        let desktop = try TestDesktop(["notifications"])
        let place = try Self.ended(["Robins"], desktop.environment)
        let ringer = try place.startedRinger()
        #expect(try desktop.call().hasPrefix("notify 1"))
        // On a slow machine the one that armed the timer is still there, and is the first.
        let first = try eventualValue("one to be left") {
            let ringers = try place.ringers
            return ringers.count == 1 ? ringers[0] : nil
        }
        #expect(try place.startedRinger().wait() == .exited(0))
        #expect(first.isAlive)
        try place.run("timer", "acknowledge", "1")
        while case let call = try desktop.call(), call != "close 1" { #expect(call.hasPrefix("notify 1")) }
        #expect(try ringer.wait() == .exited(0))
        try eventually("the first to end") { !first.isAlive }
    }

    @Test func `A silent, a paused and a stopped timer show nothing`() throws {
        let desktop = try TestDesktop(["notifications"])
        let place = try Self.ended(["--mode", "silent", "Quiet"], desktop.environment)
        for (label, action) in [("Paused", "pause"), ("Stopped", "stop")] {
            try place.run("timer", "start", "1h", label)
            try place.run("timer", action, label)
        }
        #expect(try place.startedRinger().wait() == .exited(0))
        // The first call is that of a timer that does ring.
        try place.endTimer(["Loud"])
        let ringer = try place.startedRinger()
        defer { ringer.end() }
        #expect(try desktop.call().hasPrefix("notify 1 urgency 1 ⏰ Loud"))
    }

    @Test func `The alarm is heard, and not one of a timer that only shows`() throws {
        let sink = try SoundSink()
        let desktop = try TestDesktop(["notifications"])
        let environment = desktop.environment.merging(["PULSE_SERVER": sink.server]) { $1 }
        let shown = try Self.ended(["--mode", "vibration", "Shown"], environment)
        let quiet = try shown.startedRinger()
        defer { quiet.end() }
        #expect(try desktop.call().hasPrefix("notify "))
        #expect(try sink.heard().isEmpty)
        let place = try Self.ended(["Heard"], environment)
        let ringer = try place.startedRinger()
        defer { ringer.end() }
        try eventually("the tone") { try sink.heard().contains { abs($0.frequency - 1000) < 80 } }
    }

    @Test(arguments: [false, true])
    func `At login what was armed is armed again, also where the kernel has no pidfd_open`(isOld: Bool) throws
    {
        let desktop = try TestDesktop()
        let place = try Workplace.silent(desktop.environment)
        try place.run("timer", "start", "1h", "Later")
        let first = try desktop.call()
        try eventually("the registry to be written") { try desktop.registry.count == 4 }
        let kernel = try isOld ? place.oldKernel() : [:]
        let login = try ChildProcess(
            [BuiltProducts.counterRinger, "login"], environment: place.environment.merging(kernel) { $1 })
        let second = try desktop.call()
        #expect(second.hasPrefix("start ") && second != first)
        #expect(try login.wait() == .exited(0))
    }

    @Test func `What nobody has acknowledged rings again at the next login, until somebody does`() throws {
        let desktop = try TestDesktop()
        let place = try Self.ended(["Robins"], desktop.environment)
        let ringer = try place.startedRinger()
        while try !desktop.call().hasPrefix("notify 1 urgency 1 ⏰ Robins") {}
        try eventually("the registry to be written") {
            try desktop.registry == [place.directory, "", "0", ""]
        }
        ringer.end()
        let login = try ChildProcess([BuiltProducts.counterRinger, "login"], environment: place.environment)
        while try !desktop.call().hasPrefix("notify 2 urgency 1 ⏰ Robins") {}
        try place.run("timer", "acknowledge", "1")
        #expect(try login.wait() == .exited(0))
        try eventually("the registry to be empty") { try desktop.registry == [""] }
    }

    @Test
    func `Without a bus or a desktop the timer is started all the same, and doctor names what is missing`()
        throws
    {
        let place = try Workplace.silent()
        let outcome = try place.run("timer", "start", "1h", "Robins")
        #expect(outcome.status == .exited(0) && outcome.errors.contains("an alarm needs a running counter"))
        #expect(try place.run("doctor").output.contains("no user's message bus is reached"))
        let desktop = try TestDesktop([])
        let output = try place.run(
            ["doctor"],
            environment: desktop.environment.merging(["DISPLAY": ":0", "SSH_CONNECTION": "x"]) { $1 }
        ).output
        for problem in [
            "no service manager of this user", "no notification server answers", "your service manager ends",
        ] { #expect(output.contains(problem), "\(output)") }
        let whole = try TestDesktop()
        let well = try place.run(["doctor"], environment: whole.environment.merging(["DISPLAY": ":0"]) { $1 })
            .output
        #expect(!well.contains("an alarm"), "\(well)")
    }
}
