import Glibc
import TestSupport
import Testing

/// Alarms with a real service manager of a user: systemd's, on a bus of its own.
@Suite(.serialized, .enabled(if: getuid() == 0, "systemd as a user's manager needs control groups"))
struct AlarmUnitTests {
    private let home: UserSession.Home
    private var place: Workplace { home.place }

    init() throws { home = try UserSession.Home() }

    /// Waits for the alarm, acknowledges it, and returns when it was heard first.
    private func expectAlarm(_ timer: String) throws -> Double {
        let heard = try eventualValue("the alarm") { try home.heard().first }
        #expect(try place.run("timer", "acknowledge", timer).status == .exited(0))
        try eventually("the ringer to end") { try place.ringer == nil }
        home.forgetHeard()
        return heard
    }

    /// One session for all of it: on an emulated machine a service manager takes long to start. No other program looks at
    /// the journal meanwhile: what notices is the unit.
    @Test
    func `A timer rings though no counter runs, its path is odd, its clock is set, or the session ended`()
        throws
    {
        let first = try UserSession(home)
        try place.run("timer", "start", "3s", "Left")
        _ = try expectAlarm("Left")
        try inJournal(ScratchFolder.oddName) { try expectAlarm(of: "Robins", in: first) }
        for (name, shift) in Self.isGuest ? [("ahead", 3600.0), ("behind", -3600)] : [] {
            try inJournal(name) { try expectAlarm(of: "Robins", in: first, settingTheClockBy: shift) }
        }
        // Those that are paused, stopped or removed never ring; they would before the last one does.
        for (label, actions) in [
            ("Paused", ["pause"]), ("Stopped", ["stop"]), ("Removed", ["stop", "remove"]),
        ] {
            try place.run("timer", "start", "20s", label)
            for action in actions { #expect(try place.run("timer", action, label).status == .exited(0)) }
        }
        try eventually("no unit to wait") { try !first.armed().contains("counter-alarm") }
        try place.run("timer", "start", "20s", "Boot")
        first.end()
        let second = try UserSession(home)
        defer { second.end() }
        // What counter-alarms.service calls.
        let login = try ChildProcess([BuiltProducts.counterRinger, "login"], environment: place.environment)
        _ = try expectAlarm("Boot")
        #expect(try login.wait() == .exited(0))
        #expect(try place.run("timer", "list").output.contains("paused"))
    }

    private func inJournal(_ name: String, _ body: () throws -> Void) throws {
        let usual = place.environment
        defer { place.environment = usual }
        place.environment["COUNTER_DATA_DIR"] = "\(place.directory)/\(name)"
        try body()
    }

    /// A timer of 10 s rings after them, though the clock is set meanwhile.
    private func expectAlarm(
        of timer: String, in session: UserSession, settingTheClockBy shift: Double = 0
    ) throws {
        try eventually("no unit to wait") { try !session.armed().contains("counter-alarm") }
        let start = uptime
        #expect(try place.run("timer", "start", "10s", timer).status == .exited(0))
        try eventually("the unit to wait") { try session.armed().contains("counter-alarm") }
        if shift != 0 { setClock(by: shift) }
        defer { if shift != 0 { setClock(by: -shift) } }
        // Two readings of two clocks may be a second apart.
        #expect(try expectAlarm(timer) > start + 9)
        // Whatever its command line looks like.
        try eventually("the ringer to end") {
            try ChildProcess.run(["pgrep", "-x", "counter-ringer"]).status != .exited(0)
        }
    }

    /// The clock of the developer's machine is not for tests to set.
    private static var isGuest: Bool {
        (try? ChildProcess.run(["grep", "-q", "guest_run=", "/proc/cmdline"]).status) == .exited(0)
    }

    private var uptime: Double {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec)
    }

    private func setClock(by seconds: Double) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        time.tv_sec += Int(seconds)
        clock_settime(CLOCK_REALTIME, &time)
    }
}

/// A user's login session: a message bus, systemd as the user's service manager, and a sound card that notes when it plays.
/// Its end is as sudden as that of a machine.
final class UserSession {
    /// What outlives sessions: the user's files.
    final class Home {
        let place: Workplace
        fileprivate let folder: ScratchFolder
        fileprivate var runtime: String { folder.path(of: "run") }

        init() throws {
            folder = try ScratchFolder()
            try folder.script("bin/aplay", "cat /proc/uptime >>\(folder.path)/heard\nexec cat")
            place = try Workplace(environment: [
                "XDG_RUNTIME_DIR": folder.path(of: "run"), "XDG_STATE_HOME": folder.path(of: "state"),
                "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/run/bus", "COUNTER_KEYS_SOCKET": "",
                "PULSE_SERVER": "unix:\(folder.path)/none", "SPEECHD_ADDRESS": "unix_socket:/nonexistent",
                "PATH": "\(folder.path)/bin:/usr/bin:/bin",
            ])
            // The service manager passes everything on but PATH.
            _ = try ChildProcess.run(["mkdir", "-p", place.directory + "/.config/environment.d"])
            try place.write(
                ".config/environment.d/path.conf", Array("PATH=\(folder.path)/bin:/usr/bin:/bin\n".utf8))
        }

        /// When the tone of an alarm was played since `forgetHeard`, in seconds since the boot.
        func heard() throws -> [Double] {
            let played = try ChildProcess.run(["cat", folder.path(of: "heard")]).output
            return played.split(separator: "\n").compactMap { $0.split(separator: " ").first }
                .compactMap { Double($0) }
        }

        func forgetHeard() { unlink(folder.path(of: "heard")) }
    }

    private let home: Home
    private let bus: ChildProcess
    private let manager: ChildProcess
    private let machineIsBooted: Bool

    /// Logs in. Needs root, because the service manager needs control groups.
    init(_ home: Home) throws {
        self.home = home
        machineIsBooted = try Self.prepareMachine()
        mkdir(home.runtime, 0o700)
        bus = try messageBus(at: home.runtime + "/bus", environment: home.place.environment)
        manager = try ChildProcess(
            ["/usr/lib/systemd/systemd", "--user"], environment: home.place.environment)
        try eventually("the service manager to answer") {
            try ChildProcess.run(
                [BuiltProducts.counterRinger, "check", "manager"], environment: home.place.environment)
                == ChildProcess.Outcome(status: .exited(0), output: "", errors: "")
        }
    }

    /// What systemd as a user's manager needs of a machine that it has not booted.
    private static func prepareMachine() throws -> Bool {
        let isBooted = access("/run/systemd/system", F_OK) == 0
        _ = try ChildProcess.run(["mkdir", "-p", "/run/systemd/system", "/sys/fs/cgroup"])
        let isMounted = try ChildProcess.run(["mountpoint", "-q", "/sys/fs/cgroup"]).status == .exited(0)
        if !isMounted { _ = try ChildProcess.run(["mount", "-t", "cgroup2", "none", "/sys/fs/cgroup"]) }
        return isBooted
    }

    /// The units of alarms that wait, as the service manager lists them.
    func armed() throws -> String {
        // The guest's init has changed the root directory, and systemctl does nothing then unless it is told.
        let environment = home.place.environment.merging(["SYSTEMD_IGNORE_CHROOT": "1"]) { $1 }
        return try ChildProcess.run(
            ["systemctl", "--user", "--no-legend", "list-timers"], environment: environment
        ).output
    }

    /// Ends everything at once, and removes the runtime directory, as a boot does.
    func end() {
        manager.end()
        bus.end()
        _ = try? ChildProcess.run(["rm", "-rf", home.runtime])
        // Other programs take the directory for a sign that systemd has booted the machine.
        if !machineIsBooted { rmdir("/run/systemd/system") }
    }
}
