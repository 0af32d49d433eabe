import Glibc
import TestSupport
import Testing

/// Settings of the file, of variables and of the command line, and the errors of invalid ones.
@Suite final class ConfigurationTests: NewPlace {
    @Test func `The command line goes before variables, and these before the file`() throws {
        for (index, name) in ["File", "Variable", "Option"].enumerated() {
            try place.run("location", "add", name)
            try place.run("add", "\(index + 1)", "--location", name)
        }
        #expect(try place.show() == "0")
        try place.configure("location = \"File\"\n")
        #expect(try place.show() == "1")
        #expect(try place.run("show", environment: ["COUNTER_LOCATION": "Variable"]).output == "2\n")
        #expect(
            try place.run("show", "--location", "Option", environment: ["COUNTER_LOCATION": "Variable"])
                .output
                == "3\n")
        // An empty variable counts as unset.
        #expect(try place.run("show", environment: ["COUNTER_LOCATION": ""]).output == "1\n")
        let terminal = try place.open([])
        #expect(try terminal.waitForCount(1).lines[0].contains("File"))
    }

    @Test func `The file stands where XDG_CONFIG_HOME says, if that is absolute`() throws {
        try place.run("add")
        try place.configure("location = \"nowhere\"\n")
        #expect(try place.run("show").status == .exited(66))
        #expect(try place.run("show", environment: ["XDG_CONFIG_HOME": "relative"]).status == .exited(66))
        #expect(try place.run("show", environment: ["XDG_CONFIG_HOME": place.directory]).output == "1\n")
    }

    @Test func `More nodes than can be asked for are refused wherever they are named`() throws {
        let nodes = (1...257).map { "/dev/input/event\($0)" }
        expectFailure(
            try place.run(["listen"] + nodes.flatMap { ["--device", $0] }), 64,
            "--device: at most 256 nodes may be named")
        expectFailure(
            try place.run("listen", environment: ["COUNTER_DEVICE": nodes.joined(separator: ":")]), 64,
            "COUNTER_DEVICE: at most 256 nodes may be named")
        // The largest number of them is more than the key socket buffers at once.
        let most = try place.run(["devices"] + nodes.dropLast().flatMap { ["--device", $0] })
        #expect(most.status == .exited(0))
        #expect(most.errors.contains("no device with volume keys") || most.errors.contains("/dev/input"))
    }

    @Test func `The journal stands where the data directory says`() throws {
        let place = try Workplace.deaf(environment: ["COUNTER_DATA_DIR": nil])
        #expect(try place.run("add", environment: ["XDG_DATA_HOME": place.directory + "/x"]).output == "1\n")
        #expect(try place.files() == ["x"])
        try place.configure("data-dir = \"\(place.directory)/file\"\n")
        #expect(try place.run("add", "2").output == "2\n")
        try place.configure("data-dir = \"~/file\"\n")
        #expect(try place.run("show", environment: ["HOME": place.directory]).output == "2\n")
        #expect(
            try place.run("add", "3", environment: ["COUNTER_DATA_DIR": place.directory + "/v"]).output
                == "3\n")
        #expect(try place.run("add", "4", "--data-dir", place.directory + "/o").output == "4\n")
        #expect(try place.files() == [".config", "file", "o", "v", "x"])
    }

    @Test func `A file with everything in it is taken`() throws {
        try place.configure(
            """
            # All settings that there are.
            location = "default"
            device = ["/dev/input/event5", "/dev/input/event6"]
            intercept = "never"
            always = true
            debounce = "150ms"
            chord = "80ms"
            hold-delay = "0.4s"
            repeat = "150ms"
            bounce = "25ms"
            hold-limit = "1min"

            [keys]
            up = ["KEY_PAGEUP", "KEY_VOLUMEUP"]
            down = "KEY_PAGEDOWN"
            reset = []

            [devices."Knob of \\"mine\\""]
            debounce = "20ms"

            """.replacing("\n", with: "\r\n"))
        let terminal = try place.opened()
        defer { terminal.close() }
        #expect(try place.run("add").output == "1\n")
    }

    /// A file, the number of the invalid line, and the error, or what was meant.
    static let wrongFiles: [(text: String, line: Int, why: String)] = [
        ("location = \n", 1, "expected value"),
        ("location = \"a\"\nlocation = \"b\"\n", 2, "location"),
        ("\n\nsize = 3\n", 3, "size: there is no such setting"),
        ("always = true\r\nsize = 3\r\n", 2, "size: there is no such setting"),
        (
            "# chord = \"1s\"\nchord = \"7\"\n", 2,
            "chord: '7' is no duration; write one with its unit, such as 100ms"
        ),
        ("always = true\nchord = 7\n", 2, "chord: '7' is no duration"),
        ("chord = 0.1\n", 1, "chord: is a text"), ("device = [3]\n", 1, "device: is a list of texts"),
        ("debounce = \"-5ms\"\n", 1, "debounce: '-5ms' is no duration"),
        ("debounce = \"11s\"\n", 1, "debounce: must be 0 to 10 s"),
        ("repeat = \"0ms\"\n", 1, "repeat: must be 10 ms to 1 min"),
        ("chord = \"400ms\"\n", 1, "chord: must be 0 or more, and less than hold-delay"),
        (
            "always = true\nhold-delay = \"90ms\"\n", 2,
            "hold-delay: chord must be 0 or more, and less than hold-delay"
        ),
        ("hold-limit = \"1s\"\nhold-delay = \"2s\"\n", 1, "hold-limit: must be more than hold-delay"),
        ("always = \"maybe\"\n", 1, "always: is true or false"),
        ("intercept = \"all\"\n", 1, "intercept: must be auto or never"),
        ("location = \"\"\n", 1, "location: must not be empty"),
        ("location = []\n", 1, "location: must not be empty"),
        ("data-dir = \"\"\n", 1, "data-dir: must not be empty"),
        ("data-dir = \"x\"\n", 1, "data-dir: must begin with / or ~/: 'x' is another one in each directory"),
        ("chord = \"\"\n", 1, "chord: must not be empty"),
        ("[keys]\nup = \"KEY_A\"\ndown = \"KEY_NONSENSE\"\n", 3, "'KEY_NONSENSE' is no key"),
        ("[keys]\nsideways = \"KEY_A\"\n", 2, "sideways: there is no such setting"),
        ("always = true\n[keys]\nup = \"KEY_A\"\ndown = \"KEY_A\"\n", 2, "no key may have two meanings"),
        ("keys = 3\n", 1, "keys: is a table"), ("[devices]\nX = 3\n", 2, "X: is a table"),
        (
            "debounce = \"1s\"\n[devices.\"X\"]\ndebounce = \"20\"\n", 3,
            "debounce: is a duration of at most 10s"
        ),
        ("[timers]\nmode = \"loud\"\n", 2, "mode: must be sound, vibration or silent"),
        ("[timers]\nurgent = 3\n", 2, "urgent: is true or false"),
        ("[timers]\nvolume = 101\n", 2, "volume: is 0 to 100, in percent"),
        ("[timers]\nlimit = 0\n", 2, "limit: is a number from 1 to 99"),
        ("[timers]\npresets = \"many\"\n", 2, "presets: is a number from 1 to 99"),
        ("[timers]\nloud = 1\n", 2, "loud: there is no such setting"),
        ("[sound]\ncues = \"loud\"\n", 2, "cues: must be all"),
        ("[speech]\ncount = 10\n", 2, "count: must be one of never"),
        ("sound = \"all\"\n", 1, "sound: is a table"),
        ("[devices.\"X\"]\ndebounce = \"20s\"\n", 2, "debounce: is a duration of at most 10s"),
        ("[devices.\"X\"]\nbounce = \"20ms\"\n", 2, "bounce: there is no such setting"),
        ("debounc = \"150ms\"", 1, "Did you mean 'debounce'?"),
        ("[sond]\ncues = \"all\"", 1, "Did you mean 'sound'?"),
        ("[sound]\ncue = \"all\"", 2, "Did you mean 'cues'?"),
        ("# \"\ndebounce = \"150ms\n", 2, "a closing quote is missing"),
        ("debounce = 'it\nchord = \"1s\"", 1, "a closing quote is missing"),
        ("stale-after = \"2 minutes\"", 1, "such as 2min"), ("hold-limit = \"2 minutes\"", 1, "such as 30s"),
    ]

    @Test(arguments: wrongFiles)
    func `What is wrong in the file is named with its line`(text: String, line: Int, why: String) throws {
        try place.configure(text)
        let outcome = try place.run("listen")
        expectFailure(outcome, 65, "\(place.directory)/.config/counter/config.toml:\(line): ", why)
        #expect(try place.files() == [".config"])
    }

    /// Files whose second line is wrong, and whether what it says may be meant for the journal.
    @Test(arguments: [
        ("\n[sond]\ncues = \"all\"", false), ("[sound]\ncues = [\"upp\"]", false),
        ("[keys]\nup = \"KEY_NONE\"", false), ("[timers]\nloud = 1", false), ("\ndebounce = \"soon\"", false),
        ("\nchord = \"1s\"", false), ("\nlocaton = \"Hall\"", true), ("\nlocation = []", true),
        ("\nlocation = \"Hall", true), ("\ncues = 3", true),
    ])
    func `A mistake stops what it may be meant for; the doctor says what that is, and goes on`(
        text: String, isOfJournal: Bool
    ) throws {
        try place.configure(text)
        let file = place.directory + "/.config/counter/config.toml:2"
        for command in ["add", "show"] {
            let outcome = try place.run(command)
            if isOfJournal { expectFailure(outcome, 65, file) } else { #expect(outcome.output == "1\n") }
        }
        expectFailure(try place.run("listen"), 65, file)
        let doctor = try place.run("doctor")
        #expect(doctor.status == .exited(69) && doctor.output.contains(file) && doctor.errors.isEmpty)
        let stopped = isOfJournal ? "only doctor runs" : "the screens, counter listen and timers do not start"
        #expect(doctor.output.contains("until then \(stopped)"), "\(doctor.output)")
        #expect(doctor.output.split(separator: "\n").count > 2, "the other checks are made")
    }

    @Test(arguments: [
        ("COUNTER_DEBOUNCE", "soon"), ("COUNTER_SCREEN", "walll"), ("COUNTER_HOLD_DELAY", "1ms"),
    ])
    func `A mistake of what counts in a variable stops nothing else`(variable: String, text: String) throws {
        let wrong = [variable: text]
        for command in ["add", "show"] {
            #expect(try place.run(command, environment: wrong).output == "1\n")
        }
        expectFailure(try place.run("listen", environment: wrong), 64, "\(variable): ")
        let doctor = try place.run("doctor", environment: wrong)
        #expect(doctor.status == .exited(69) && doctor.output.contains("\(variable): "), "\(doctor)")
        expectFailure(try place.run("add", environment: ["COUNTER_STEP": "x"]), 64, "COUNTER_STEP: ")
    }

    @Test func `A wrong step stops only what counts by it, unless another one is given`() throws {
        for step in ["0", "1.5"] {
            try place.configure("\nstep = \(step)")
            let file = place.directory + "/.config/counter/config.toml:2: step: "
            for command in ["show", "status", "undo"] {
                #expect(try !place.run(command).errors.contains("step"), "\(command)")
            }
            for command in ["add", "sub", "listen"] { expectFailure(try place.run(command), 65, file) }
            #expect(try place.run("add", "--step", "2").status == .exited(0))
            #expect(try place.run("sub", environment: ["COUNTER_STEP": "2"]).status == .exited(0))
            #expect(
                try place.run("doctor").output.contains(
                    "until then add, sub, the screens, counter listen and timers do not start"))
        }
    }

    @Test func `A location that is not there is named with the line or the variable that names it`() throws {
        try place.run("location", "add", "Hall")
        try place.configure("always = true\nlocation = \"Hal\"")
        let file = place.directory + "/.config/counter/config.toml:2: location: there is no location 'Hal'"
        for command in ["show", "add", "history", "day", "listen", "undo"] {
            expectFailure(try place.run(command), 66, file, "Did you mean 'Hall'?")
        }
        expectFailure(try place.run("timer", "start", "5m"), 66, file)
        let doctor = try place.run("doctor")
        #expect(doctor.output.contains(file), "\(doctor.output)")
        expectFailure(
            try place.run("show", environment: ["COUNTER_LOCATION": "Hill"]), 66,
            "counter: COUNTER_LOCATION: there is no location 'Hill'")
        expectFailure(try place.run("show", "--location", "Hill"), 66, "counter: there is no location 'Hill'")
    }

    @Test(arguments: [
        (["--chord", "400ms"], [:], "--chord: must be 0 or more, and less than hold-delay"),
        (["--hold-delay=1s", "--hold-limit=1s"], [:], "--hold-limit: must be more than hold-delay"),
        (["--repeat", "0"], [:], "--repeat: '0' is no duration; write one with its unit, such as 150ms"),
        (["--intercept", "all"], [:], "--intercept: must be auto or never"),
        (["--sound", "loud"], [:], "--sound: must be all, none, or some of up,down,reset,target,error"),
        (["--sound", "up,,loud"], [:], "--sound: must be all"),
        (["--sound-volume", "101"], [:], "--sound-volume: is 0 to 100"),
        (["--speech", "always"], [:], "--speech: must be one of never, each, tenth, key"),
        ([], ["COUNTER_HOLD_DELAY": "soon"], "COUNTER_HOLD_DELAY: 'soon' is no duration"),
        ([], ["COUNTER_REPEAT": "0ms"], "COUNTER_REPEAT: must be 10 ms to 1 min"),
        ([], ["COUNTER_ALWAYS": "maybe"], "COUNTER_ALWAYS: is true or false"),
        (["--hold-delay", "50ms"], ["COUNTER_CHORD": "80ms"], "--hold-delay: chord must be 0 or more"),
    ])
    func `What is wrong in an option or a variable is named`(
        options: [String], variables: [String: String], why: String
    ) throws {
        let place = try Workplace.deaf(environment: variables)
        expectFailure(try place.run(["listen"] + options), 64, why)
        #expect(try place.files() == [])
    }

    @Test func `A file that cannot be read is an error, for its settings would be passed over`() throws {
        try place.configure("")
        #expect(try place.run("add").output == "1\n")
        let file = place.directory + "/.config/counter/config.toml"
        try place.write(".config/counter/config.toml", [0xFF, 0xFE])
        expectFailure(try place.run("add"), 65, "\(file): is no text in UTF-8")
        unlink(file)
        mkdir(file, 0o700)
        expectFailure(try place.run("add"), 66, "\(file): cannot be read: Is a directory")
        #expect(try place.run("add", environment: ["HOME": "/nowhere"]).output == "2\n")
    }
}
