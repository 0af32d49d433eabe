import Glibc
import TestSupport
import Testing

/// `counter doctor --fix` as an ordinary user who may not open a real node. The guest has neither sudo nor systemd:
/// the test itself runs the commands as root.
@Suite(.serialized) struct FixTests {
    private let place: Workplace
    private let sudo: SudoStandIn
    private let remote: VirtualRemote

    init() throws {
        place = try Workplace()
        sudo = try SudoStandIn()
        remote = try VirtualRemote(.init(name: "Locked Remote"))
        chmod(remote.node, 0o600)
    }

    private func variables(path: String) -> [String: String?] {
        ["LC_ALL": "C.UTF-8"].merging(place.letNobodyIn()) { $1 }.merging(Workplace.window) { $1 }
            .merging(["PATH": path, "XDG_SESSION_ID": nil]) { $1 }
    }

    /// Starts a command of user nobody.
    private func start(
        _ words: [String], on node: String, path: String? = nil, streams: ChildProcess.Streams = .pipes
    ) throws -> ChildProcess {
        try place.start(
            words + ["--device", node], by: asNobody, environment: variables(path: path ?? sudo.path),
            streams: streams)
    }

    private func doctor(
        _ options: String..., path: String? = nil, streams: ChildProcess.Streams = .pipes
    ) throws -> ChildProcess {
        try start(["doctor"] + options, on: remote.node, path: path, streams: streams)
    }

    /// The output of a doctor that asks for nothing.
    private func outcome(_ doctor: ChildProcess) throws -> (
        status: TestSupport.ExitStatus, output: [String], errors: [String]
    ) {
        let outcome = try doctor.outcome(timeout: .seconds(60))
        let (output, errors) = (outcome.output.split(separator: "\n"), outcome.errors.split(separator: "\n"))
        return (outcome.status, output.map(String.init), errors.map(String.init))
    }

    private var own: String { "chown nobody \(remote.node)" }

    @Test func `It asks: anything else than a yes changes nothing, and a yes is enough`() throws {
        let terminal = ChildProcess.Streams.terminal(columns: 160, rows: 24)
        for answer in ["n\n", "\n", "\u{4}"] {
            let doctor = try doctor("--fix", streams: terminal)
            try doctor.skipOutput(past: "[y/N] ")
            try doctor.write(answer)
            try doctor.skipOutput(past: "Nothing was changed.")
            #expect(try doctor.wait() == .exited(69))
        }
        let doctor = try doctor("--fix", streams: terminal)
        let shown = try doctor.skipOutput(past: "Run it now? [y/N] ")
        #expect(shown.contains("To be run:\r\n  sudo \(own)\r\n"))
        try doctor.write("y\n")
        #expect(try sudo.answer() == own)
        try doctor.skipOutput(past: "No problem prevents counting now.")
        #expect(try doctor.wait() == .exited(0))
    }

    @Test func `With --yes it runs the command as root; what keeps it from that is said`() throws {
        // Without a terminal to ask on.
        var (status, output, errors) = try outcome(doctor("--fix"))
        #expect(status == .exited(64))
        #expect(output.contains("  sudo \(own)"))
        #expect(
            errors.first
                == "counter: --fix asks before it changes anything, and there is no terminal to ask on")
        #expect(errors.last?.contains("--yes") == true)
        // Where nothing makes this user root, the command is for root.
        (status, output, errors) = try outcome(doctor("--fix", "--yes", path: place.directory))
        #expect(status == .exited(77))
        #expect(errors.first?.contains("neither sudo nor pkexec") == true)
        #expect(errors.last == "  su -c '\(own)'")
        // A command that fails.
        let failing = try doctor("--fix", "--yes")
        try sudo.answer(isAllowed: false)
        (status, output, errors) = try outcome(failing)
        #expect(status == .exited(69))
        #expect(errors == ["counter: sudo \(own): exited with 1"])

        let doctor = try doctor("--fix", "--yes")
        #expect(try sudo.answer() == own)
        (status, output, errors) = try outcome(doctor)
        #expect(status == .exited(0), "\(output) \(errors)")
        #expect(output.contains("  sudo \(own)"), "it shows what it will run")
        #expect(
            output.suffix(2) == [
                "Mended: Locked Remote: \(remote.node) cannot be opened: Permission denied",
                "No problem prevents counting now.",
            ])
    }

    @Test func `What no command can mend is told again as still in the way`() throws {
        place.environment["LC_ALL"] = "C"
        let doctor = try doctor("--fix", "--yes")
        try sudo.answer()
        let (status, output, _) = try outcome(doctor)
        #expect(status == .exited(69))
        let still = try #require(output.firstIndex(of: "Still not solved:"))
        #expect(output[..<still].contains { $0.hasPrefix("Mended: Locked Remote") })
        #expect(output[still...].contains { $0.hasPrefix("the locale has no UTF-8") })
    }

    @Test func `A key map that a crash left changed is restored by root where its node is closed`() throws {
        remote.destroy()
        let device = try HIDRemote(name: "Crashed Device", layout: .keyboard)
        chmod(device.node, 0o666)
        let original = try KeyMapCopy(node: device.node)
        let listener = try start(["listen"], on: device.node)
        try listener.waitForErrorLine("Crashed Device: exclusive")
        try killBoth(listener)
        #expect(try KeyMapCopy(node: device.node) != original)
        chmod(device.node, 0o600)

        let doctor = try start(["doctor", "--fix", "--yes"], on: device.node)
        #expect(
            try sudo.answer()
                == "\(BuiltProducts.counterKeys) repair \(place.directory)/.local/state/counter/interceptions"
        )
        let (status, output, _) = try outcome(doctor)
        #expect(
            output.contains { $0.hasPrefix("Mended: ") && $0.contains("as a crash left it") }, "\(output)")
        // Its volume keys are restored, so the doctor can tell why they are not received.
        #expect(status == .exited(69))
        #expect(output.contains { $0.hasPrefix("Crashed Device: \(device.node) cannot be opened") })
        #expect(try KeyMapCopy(node: device.node) == original)
    }
}

/// A `sudo` that is first in the PATH of the program under test: it passes the command to the test, which runs it as
/// root, or refuses.
final class SudoStandIn {
    /// The value of PATH, in which this `sudo` is first.
    let path: String
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        chmod(folder.path, 0o777)
        path = "\(folder.path):/usr/bin:/bin"
        try folder.script(
            "sudo",
            """
            cd "$(dirname "$0")" && rm -f answer && printf '%s\\n' "$*" >asking && mv asking asked
            while [ ! -e answer ]; do sleep 0.1; done
            exit "$(cat answer)"
            """)
    }

    /// Waits for the next command, runs it, and passes its result on.
    @discardableResult
    func answer(isAllowed: Bool = true) throws -> String {
        let asked = folder.path(of: "asked")
        try eventually("a command for root") { access(asked, R_OK) == 0 }
        let command = String(try ChildProcess.run(["cat", asked]).output.dropLast())
        unlink(asked)
        let done = isAllowed ? try ChildProcess.run(["sh", "-c", command]).status == .exited(0) : false
        try folder.write("answering", done ? "0" : "1")
        rename(folder.path(of: "answering"), folder.path(of: "answer"))
        return command
    }
}
