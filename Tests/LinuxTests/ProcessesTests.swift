import Glibc
import Linux
import TestSupport
import Testing

@Suite struct CommandProcessTests {
    @Test func `An inherited variable keeps its bytes, whether or not they are text`() throws {
        let bytes = [0x5A, 0xE4, 0].map(CChar.init(truncatingIfNeeded:))
        setenv("COUNTER_BYTES", bytes, 1)
        defer { unsetenv("COUNTER_BYTES") }
        let command = try CommandProcess(
            ["sh", "-c", "test \"$COUNTER_BYTES$ADDED\" = \"$(printf 'Z\\344x')\""], variables: ["ADDED": "x"]
        )
        var ending: CommandProcess.Ending?
        try eventually("it to end") {
            ending = try command.ending()
            return ending != nil
        }
        #expect(ending == .exited(0))
    }
}

@Suite struct ShellOutputTests {
    @Test func `A command's lines are read, the last one also without its end`() {
        #expect(shellOutput(of: "printf 'one\\n\\nthree'") == ["one", "", "three"])
    }

    @Test func `A command that cannot be run has none`() {
        #expect(shellOutput(of: "/nonexistent 2>/dev/null") == [])
    }
}

@Suite struct ProgramPagesTests {
    @Test func `Released pages are no longer resident, and the program runs on`() {
        let process = RunningProcess(pid: getpid())
        let before = process.residentBytes
        releaseProgramPages()
        #expect(process.residentBytes < before)
    }
}
