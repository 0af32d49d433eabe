import Alarms
import Sound
import TestSupport
import Testing

extension Workplace {
    /// A workplace whose programs listen to no device, and reach no sound or speech server of the machine.
    static func silent(_ environment: [String: String?] = [:]) throws -> Workplace {
        try Workplace(
            environment: [
                "COUNTER_DEVICE": "/dev/input/none", "COUNTER_KEYS_SOCKET": "", "SPEECHD_ADDRESS": nil,
                "PULSE_SERVER": nil, "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent",
            ].merging(environment) { $1 })
    }

    /// A workplace whose programs find servers in a folder: `bus`, `sound`, `speech`, and programs in its `bin`.
    static func among(serversIn folder: ScratchFolder) throws -> Workplace {
        try silent([
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/bus",
            "PULSE_SERVER": "unix:\(folder.path)/sound",
            "SPEECHD_ADDRESS": "unix_socket:\(folder.path)/speech", "XDG_RUNTIME_DIR": folder.path,
            "XDG_STATE_HOME": folder.path(of: "state"), "PATH": "\(folder.path)/bin:/usr/bin:/bin",
            "DISPLAY": ":0",
        ])
    }

    /// The screens, once they show the count.
    func opened(_ options: [String]) throws -> TerminalSession {
        let terminal = try open(options)
        try terminal.waitForText("Count 0")
        return terminal
    }

    /// Starts a timer of a second, and waits for its end.
    func endTimer(_ words: [String]) throws {
        #expect(try run(["timer", "start", "1s"] + words).status == .exited(0))
        try eventually("the timer to end") {
            try run("timer", "list").output.split(separator: "\n").contains {
                $0.contains(words[words.count - 1]) && $0.contains("ended")
            }
        }
    }

    /// Has a timer end, and the ringer ring for it.
    func ring(_ words: String...) throws -> RunningProcess {
        try endTimer(words)
        return try ring()
    }

    /// The ringer that rings: one that is started, or one that rings already.
    func ring() throws -> RunningProcess {
        try startRinger()
        return try eventualValue("the ringer") { try ringer }
    }

    /// A ringer as systemd starts it, whose end can be awaited.
    func startedRinger() throws -> ChildProcess {
        try ChildProcess([BuiltProducts.counterRinger, "--data-dir", directory], environment: environment)
    }

    func startRinger() throws {
        let start = "\"$0\" --data-dir \"$1\" </dev/null >/dev/null 2>&1 &"
        _ = try ChildProcess.run(
            ["sh", "-c", start, BuiltProducts.counterRinger, directory], environment: environment)
    }
}

extension SoundSink.Heard {
    /// The cue whose first note it begins with.
    var cue: Cue? {
        let notes: [(Cue, Double)] = [
            (.up, 880), (.down, 440), (.reset, 660), (.target, 523.25), (.error, 165),
        ]
        return notes.first { abs($0.1 - frequency) < $0.1 * 0.08 }?.0
    }
}
