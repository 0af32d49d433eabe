import Glibc
import TestSupport
import Testing

/// `counter doctor` names each problem with its remedy. Problems of devices are tested where there are devices: in
/// KernelTests.
@Suite final class DoctorTests: NewPlace {
    /// Its findings, except for the devices, which this machine may or may not have.
    private func findings(
        _ place: Workplace, _ options: [String] = [], environment: [String: String?] = [:]
    ) throws -> [String] {
        let usual: [String: String?] = ["LC_ALL": "C.UTF-8", "TMUX": nil, "STY": nil]
        let outcome = try place.run(["doctor"] + options, environment: usual.merging(environment) { $1 })
        #expect(outcome.status == .exited(69))
        #expect(outcome.errors == "")
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.count.isMultiple(of: 2))
        let pairs = stride(from: 0, to: lines.count - 1, by: 2).map { "\(lines[$0])\n\(lines[$0 + 1])" }
        #expect(pairs.allSatisfy { $0.contains("\n  ") }, "each with its remedy: \(pairs)")
        let others = [
            "no input devices found", "/dev/input", "no device with volume keys",
            "The volume keys are read by",
        ]
        return pairs.filter { pair in !others.contains { pair.contains($0) } }
    }

    @Test func `Without a device it says so, and of what is as it should be it says nothing`() throws {
        #expect(try findings(place) == [])
        // Nor of a tmux that is not to be found.
        #expect(try findings(place, environment: ["TMUX": "x,1,0", "PATH": place.directory]) == [])
        let outcome = try place.run("doctor", environment: ["LC_ALL": "C.UTF-8", "TMUX": nil, "STY": nil])
        #expect(
            outcome.output.contains(access("/dev/input", F_OK) == 0 ? "no device" : "no input devices found"))
    }

    @Test(arguments: [
        ("C", "the locale has no UTF-8, so the digits are plain\n  Set LANG to a locale with UTF-8"),
        (
            "xx_YY.UTF-8",
            "the locale xx_YY.UTF-8 is not installed here, so the digits are plain\n  Install it"
        ),
        ("xx_YY.utf8", "the locale xx_YY.utf8 is not installed here"),
    ])
    func `A locale without UTF-8`(locale: String, finding: String) throws {
        let found = try findings(Workplace.deaf(), environment: ["LC_ALL": locale])
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix(finding) == true, "\(found)")
    }

    @Test(arguments: [("off", true), ("on", false), ("external", false)])
    func `tmux that does not report focus`(answer: String, isInTheWay: Bool) throws {
        try place.write("tmux", "#!/bin/sh\n[ \"$*\" = 'show-options -gv focus-events' ] && echo \(answer)\n")
        chmod(place.directory + "/tmux", 0o755)
        let inside = ["TMUX": "/tmp/tmux-0/default,1,0", "PATH": "\(place.directory):/usr/bin:/bin"]
        let found = try findings(place, environment: inside)
        #expect(found.map { $0.contains("tmux set -g focus-events on") } == (isInTheWay ? [true] : []))
        #expect(try findings(place, ["--always"], environment: inside) == [])
    }

    @Test func `screen never reports focus`() throws {
        let found = try findings(Workplace.deaf(), environment: ["STY": "1.pts-0.here"])
        #expect(found.map { $0.contains("counter --always") } == [true])
    }

    @Test func `A terminal that is too simple`() throws {
        let doctor = try place.start(
            ["doctor"], environment: ["TERM": "dumb", "LC_ALL": "C.UTF-8"],
            streams: .terminal(columns: 160, rows: 24))
        try doctor.skipOutput(past: "Set TERM to what the terminal is, such as xterm-256color.")
        #expect(try doctor.wait() == .exited(69))
    }

    @Test func `A journal that cannot be read, cannot be made, or has no such location`() throws {
        for directory in [place.directory + "/journal.sqlite/x", "not-there"] {
            let found = try findings(place, ["--data-dir", directory])
            #expect(found == [], "there is nothing of it yet, and it can be made")
        }
        try place.write("journal.sqlite", "no journal")
        let broken = try findings(place)
        #expect(broken.count == 1 && broken[0].contains("journal.sqlite: "), "\(broken)")
        let below = try findings(place, ["--data-dir", place.directory + "/journal.sqlite/x"])
        #expect(below.count == 1 && below[0].contains("cannot be created: Not a directory"), "\(below)")
        #expect(below.first?.contains("--data-dir") == true)

        let whole = try Workplace.deaf()
        try whole.run("add")
        let cellar = try findings(whole, ["--location", "Cellar"])
        #expect(cellar.map { $0.contains("counter location add Cellar") } == [true])
    }

    @Test func `--fix that has nothing to run says so, and --yes is nothing without it`() throws {
        let outcome = try place.run("doctor", "--fix", environment: ["LC_ALL": "C", "TMUX": nil, "STY": nil])
        #expect(outcome.status == .exited(69))
        #expect(outcome.output.contains("No command fixes this"))
        #expect(!outcome.output.contains("To be run"))
        expectFailure(try place.run("doctor", "--yes"), 64, "--yes goes with --fix")
        expectFailure(try place.run("doctor", "--fix", "--repair"), 64, "--fix does what --repair does")
    }

    @Test(.asRoot) func `It tells who receives the keys, and what the service would add`() throws {
        let alone = try place.run("doctor").output
        #expect(
            alone.contains(
                "read by your own counter-keys process: the counter-keys service is not installed.\n"))
        #expect(alone.contains("it would receive devices that you may not open too."))
        let service = try KeyService()
        place.environment["COUNTER_KEYS_SOCKET"] = service.path
        #expect(try place.run("doctor").output.contains("read by the counter-keys service.\n"))
        service.end()
    }

    @Test(.asRoot) func `A service that does not serve this user says why`() throws {
        chmod(place.directory, 0o777)
        let service = try KeyService()
        let doctor = try place.run(
            "doctor", by: asNobody, environment: ["COUNTER_KEYS_SOCKET": service.path])
        #expect(
            doctor.output.contains(
                "your own counter-keys process: the counter-keys service does not serve this program: you have no"
            ))
        #expect(doctor.output.contains("Members of the group counter are served in every session."))
    }
}
