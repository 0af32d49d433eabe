import Glibc
import TestSupport
import Testing

/// Alarms with a real service manager of a user: systemd's, on a bus of its own.
@Suite struct AlarmUnitTests {
    /// A user's session: a bus and a service manager. Its end is as sudden as that of a machine.
    private final class Session {
        private let bus: ChildProcess
        let manager: ChildProcess

        init(_ environment: [String: String?], runtime: String) throws {
            mkdir(runtime, 0o700)
            bus = try ChildProcess(
                [
                    "dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address",
                    "--address=unix:path=\(runtime)/bus",
                ], environment: environment)
            _ = try bus.readLine()
            manager = try ChildProcess(["/usr/lib/systemd/systemd", "--user"], environment: environment)
            try eventually("the service manager to answer") {
                try ChildProcess.run(
                    [BuiltProducts.counterRinger, "check", "manager"], environment: environment)
                    == ChildProcess.Outcome(status: .exited(0), output: "", errors: "")
            }
        }

        /// Ends everything at once, and removes the runtime directory, as a boot does.
        func end(removing runtime: String) throws {
            manager.end()
            bus.end()
            _ = try ChildProcess.run(["rm", "-rf", runtime])
        }
    }

    /// What systemd as a user's manager needs of a machine that it has not booted. Returns what takes it back.
    private static func prepareMachine() throws -> () -> Void {
        let isBooted = access("/run/systemd/system", F_OK) == 0
        _ = try ChildProcess.run(["mkdir", "-p", "/run/systemd/system", "/sys/fs/cgroup"])
        let isMounted = try ChildProcess.run(["mountpoint", "-q", "/sys/fs/cgroup"]).status == .exited(0)
        if !isMounted { _ = try ChildProcess.run(["mount", "-t", "cgroup2", "none", "/sys/fs/cgroup"]) }
        return {
            // Other programs take the directory for a sign that systemd has booted the machine.
            if !isBooted { rmdir("/run/systemd/system") }
        }
    }

    /// The ringer that rings for a journal.
    private static func ringer(of place: Workplace) throws -> RunningProcess? {
        try ChildProcess.run(["pgrep", "-f", "counter-ringer --data-dir \(place.directory)"]).output
            .split(separator: "\n").compactMap { Int32($0) }.map { RunningProcess(pid: $0) }.first {
                $0.isAlive
            }
    }

    private static func expectAlarm(_ place: Workplace) throws {
        let ringer = try eventualValue("the alarm") {
            try place.run("timer", "list").output.contains("ended") ? Self.ringer(of: place) : nil
        }
        // It goes on until somebody acknowledges it.
        pause(.seconds(1))
        #expect(ringer.isAlive)
        #expect(try place.run("timer", "acknowledge", "1").status == .exited(0))
        try eventually("the ringer to end") { !ringer.isAlive }
    }

    @Test(.enabled(if: getuid() == 0, "systemd as a user's manager needs control groups"))
    func `A timer rings though no counter runs, and though the machine was switched off and on`() throws {
        let takeBack = try Self.prepareMachine()
        defer { takeBack() }
        let folder = try ScratchFolder()
        let runtime = folder.path(of: "run")
        let place = try Workplace(environment: [
            "XDG_RUNTIME_DIR": runtime, "XDG_STATE_HOME": folder.path(of: "state"),
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(runtime)/bus", "COUNTER_KEYS_SOCKET": "",
        ])
        let first = try Session(place.environment, runtime: runtime)
        try place.run("timer", "start", "3s", "Left")
        try Self.expectAlarm(place)
        try place.run("timer", "remove", "1")
        // Paused and stopped ones never ring.
        try place.run("timer", "start", "5s", "Paused")
        try place.run("timer", "pause", "1")
        try place.run("timer", "start", "20s", "Boot")
        try first.end(removing: runtime)
        let second = try Session(place.environment, runtime: runtime)
        defer { try? second.end(removing: runtime) }
        // What counter-alarms.service calls.
        let login = try ChildProcess([BuiltProducts.counterRinger, "login"], environment: place.environment)
        defer { login.end() }
        let ringer = try eventualValue("the alarm") {
            try place.run("timer", "list").output.contains("ended") ? Self.ringer(of: place) : nil
        }
        #expect(try place.run("timer", "acknowledge", "2").status == .exited(0))
        try eventually("the ringer to end") { !ringer.isAlive }
        #expect(try login.wait() == .exited(0))
        #expect(try place.run("timer", "list").output.contains("paused"))
    }
}
