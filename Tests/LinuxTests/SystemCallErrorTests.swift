import Glibc
import Linux
import Testing

@Suite struct SystemCallErrorTests {
    @Test func aMessageNamesTheThingTheCallAndTheReason() {
        let error = SystemCallError(call: "open", subject: "/dev/input/event3", errno: EACCES)
        #expect("\(error)" == "/dev/input/event3: open: Permission denied")
        #expect("\(SystemCallError(call: "poll", errno: EINVAL))" == "poll: Invalid argument")
    }

    @Test func whatTheCallReturnsIsPassedOn() throws {
        #expect(try systemCall("x") { CInt(0) } == 0)
        #expect(try systemCall("x") { 42 } == 42)
    }

    @Test func aFailureCarriesItsErrno() {
        #expect(throws: SystemCallError(call: "close", subject: "it", errno: EBADF)) {
            try systemCall("close", "it") { close(-1) }
        }
    }

    @Test func anInterruptedCallIsMadeAgain() throws {
        var calls = 0
        let result = try systemCall("x") { () -> CInt in
            calls += 1
            errno = EINTR
            return calls < 4 ? -1 : 7
        }
        #expect(result == 7)
        #expect(calls == 4)
    }

    /// The message's parts are computed only for an error: the hot path does not pay for them.
    @Test func theNameIsOnlyAskedForWhereTheCallFails() throws {
        func name() -> String {
            Issue.record("asked for")
            return ""
        }
        _ = try systemCall(name(), name()) { 0 }
    }
}
