import TestSupport
import Testing

/// Several locations: which one is shown and counted, and which are hidden.
@Suite struct LocationSelectionTests {
    private func birds() throws -> Workplace {
        let place = try Workplace.deaf()
        try place.run("location", "add", "robin", "--name", "Robin")
        try place.run("location", "add", "wren", "--name", "Wren", "--capacity", "50")
        return place
    }

    @Test func `What a key on a device counts into is shown, and a hidden one is warned of`() throws {
        let place = try birds()
        try place.run("device", "assign", "terminal-volume-keys", "robin")
        let terminal = try place.opened()
        try terminal.type(VolumeKey.reportsReleases + VolumeKey.raised)
        try terminal.waitForText("terminal keys exclusive → Robin")
        #expect(try terminal.screen().count == 0)
        try eventually("it in Robin") { try place.run("show", "--location", "robin").output == "1\n" }
        try place.run("location", "hide", "robin", "--yes")
        try terminal.waitForText("terminal keys exclusive → Robin (hidden)")
        // The other key: the same one might still be debounced.
        try terminal.type(VolumeKey.lowered)
        try terminal.waitForText("terminal keys counts into 'Robin', which is hidden")
        try terminal.waitForText("To show it again: counter location unhide Robin")
    }

    @Test func `A device that was never seen is changed, and said to be so`() throws {
        let place = try birds()
        let first = try place.run("device", "assign", "usb-door-1", "robin")
        #expect(first.status == .exited(0))
        #expect(
            first.errors == """
                counter: 'usb-door-1' has not been seen yet
                  If that is a mistake: counter device forget usb-door-1

                """)
        let second = try place.run("device", "disable", "usb-door-l")
        #expect(second.status == .exited(0))
        #expect(second.errors.contains("'usb-door-l' has not been seen yet"))
        #expect(second.errors.contains("Did you mean 'usb-door-1'?"))
        #expect(try place.run("device", "enable", "usb-door-1").errors.isEmpty)
        #expect(try place.run("device", "forget", "usb-door-l").status == .exited(0))
        #expect(try !place.run("devices").output.contains("usb-door-l"))
    }

    @Test
    func `What is not empty is hidden after a question, and nothing is counted into it by hand or ingest`()
        throws
    {
        let place = try birds()
        try place.run("add", "3", "--location", "robin")
        expectFailure(
            try place.run("location", "hide", "robin", input: "y\n"), 64, "confirmation needed: use --yes",
            "counter location hide robin --yes")
        expectFailure(
            try place.run("location", "set", "robin", "--hidden", "true"), 64,
            "confirmation needed: use --yes")
        let hidden = try place.asked("location", "remove", "robin", answering: "y")
        #expect(hidden.question.contains("'Robin' has the count 3. Hide it?"))
        #expect(hidden.verdict.contains("'Robin' is hidden"))
        for command in [
            ["add"], ["sub"], ["reset"], ["correct", "+1", "--reason", "x"], ["listen"], ["ingest"],
        ] {
            expectFailure(
                try place.run(command + ["--location", "robin"]), 69,
                "'Robin' is hidden; nothing was counted",
                "counter location unhide Robin")
        }
        let ingested = try place.run("ingest", input: event(1, location: "robin"))
        #expect(ingested.output.contains("the location 'Robin' is hidden"))
        #expect(try place.run("show", "--location", "robin").output == "3\n")
        #expect(
            try place.run("location", "unhide", "robin").errors
                == "counter: 'Robin' is shown again, with its count 3\n")
        #expect(try place.run("add", "--location", "robin").output == "4\n")
    }

    @Test func `One word of a name is enough for the question whether it was meant`() throws {
        let place = try Workplace.deaf()
        try place.run("location", "add", "Main hall")
        expectFailure(try place.run("add", "--location", "hall"), 66, "Did you mean 'Main hall'?")
        try place.run("location", "add", "South hall")
        #expect(!(try place.run("add", "--location", "hall").errors.contains("Did you mean")))
    }
}
