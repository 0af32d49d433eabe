import TestSupport
import Testing

/// What a suite would not notice itself: that a wait ends with an error, and that figures are not 0 whatever happens.
@Suite struct ChildProcessTests {
    @Test func `A program's output, errors and exit code are told apart`() throws {
        let outcome = try ChildProcess.run(
            ["sh", "-c", "cat; printenv NOTE; echo why >&2; exit 7"],
            environment: ["NOTE": "a b", "LANG": nil],
            input: "in\n")
        #expect(outcome == .init(status: .exited(7), output: "in\na b\n", errors: "why\n"))
    }

    @Test func `A program that writes more than a pipe holds does not hang`() throws {
        let outcome = try ChildProcess.run(
            ["sh", "-c", "head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2"])
        #expect(outcome.output.utf8.count == 1_000_000)
        #expect(outcome.errors.utf8.count == 1_000_000)
    }

    @Test func `Lines are read one by one, the last even without its end`() throws {
        let child = try ChildProcess(["sh", "-c", "echo one; read x; printf \"$x\""])
        #expect(try child.readLine() == "one")
        #expect(throws: SupportError.self) { try child.readLine(timeout: .milliseconds(20)) }
        try child.write("two\n")
        #expect(try child.readLine() == "two")
        #expect(try child.readLine() == nil)
        #expect(try child.wait() == .exited(0))
    }

    @Test func `A signal ends a program, and it is known which`() throws {
        let child = try ChildProcess(["sleep", "60"])
        #expect(throws: SupportError.self) { try child.wait(timeout: .milliseconds(20)) }
        try child.signal(15)
        #expect(try child.wait() == .killed(15))
        #expect(!child.process.isAlive)
    }

    @Test func `What /proc tells of a program is read`() throws {
        let child = try ChildProcess(["cat"])
        try child.write("x\n")
        #expect(try child.readLine() == "x")
        #expect(child.process.openDescriptors == 3)
        #expect(child.process.residentBytes > 100_000)
        let before = child.process.contextSwitches
        try child.write("y\n")
        #expect(try child.readLine() == "y")
        try eventually("a wake-up to be counted") { child.process.contextSwitches > before }
    }

    @Test func `A program that is not there cannot be started`() throws {
        #expect(throws: SupportError.system(call: "spawn", subject: "no-such-program", errno: 2)) {
            try ChildProcess(["no-such-program"])
        }
    }

    @Test func `A screen that never comes is reported with the last one`() throws {
        let session = try TerminalSession(["sh", "-c", "echo here; sleep 60"])
        try session.waitForText("here")
        #expect {
            try session.waitForText("there", timeout: .milliseconds(50))
        } throws: {
            "\($0)".contains("'there'") && "\($0)".contains("│here│")
        }
    }
}
