import Linux
import Testing

@Suite struct ShellOutputTests {
    @Test func `A command's lines are read, the last one also without its end`() {
        #expect(shellOutput(of: "printf 'one\\n\\nthree'") == ["one", "", "three"])
    }

    @Test func `A command that cannot be run has none`() {
        #expect(shellOutput(of: "/nonexistent 2>/dev/null") == [])
    }
}
