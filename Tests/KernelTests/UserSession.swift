import Glibc
import TestSupport

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
            try folder.write("bin/aplay", "#!/bin/sh\ncat /proc/uptime >>\(folder.path)/heard\nexec cat\n")
            chmod(folder.path(of: "bin/aplay"), 0o755)
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
        bus = try ChildProcess(
            [
                "dbus-daemon", "--session", "--nofork", "--nopidfile", "--print-address",
                "--address=unix:path=\(home.runtime)/bus",
            ], environment: home.place.environment)
        _ = try bus.readLine()
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
