import Glibc
import TestSupport
import Testing

/// `counter listen` as a service and in pipes. Its counting is tested where there are keys: in KernelTests.
@Suite final class ListenTests: NewPlace {
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP], [[], ["--json"]])
    func `It ends well when it is asked to, and its key server with it`(signal: Int32, options: [String])
        throws
    {
        let listener = try place.listen(options)
        let keyServer = try eventualValue("a key server") { listener.process.children.first }
        try listener.signal(signal)
        #expect(try listener.wait() == .exited(0))
        #expect(try listener.readLine() == nil)
        try eventually("the key server to end") { !keyServer.isAlive }
    }

    @Test func `It says when no device can count`() throws {
        let listener = try place.listen()
        #expect(try listener.readErrorLine()?.hasPrefix("counter: no device can count: ") == true)
        #expect(try listener.readErrorLine() == "  To see what helps: counter doctor")
        try listener.terminate()
    }

    @Test func `A reader that goes away ends it quietly, as SIGPIPE would`() throws {
        // The reader reads nothing and ends; what follows is the fate of the listener.
        let outcome = try place.run(
            script: "set -o pipefail; \"$0\" listen | true; exit ${PIPESTATUS[0]}", by: "bash")
        #expect(outcome.status == .exited(141))
        #expect(!outcome.errors.contains("standard output"), "\(outcome.errors)")
    }

    @Test func `Standard output that is closed is an error, with 74`() throws {
        expectFailure(try place.run(script: "exec \"$0\" listen >&-"), 74, "standard output")
    }

    @Test func `Without counter-keys it says where that should be`() throws {
        _ = try ChildProcess.run(["cp", BuiltProducts.counter, place.directory + "/counter"])
        for command in [["listen"], ["devices"]] {
            let outcome = try ChildProcess.run(
                [place.directory + "/counter"] + command, environment: place.environment)
            expectFailure(
                outcome, 69,
                "counter-keys is neither beside \(place.directory)/counter nor in ../libexec/counter",
                "make install")
        }
        let doctor = try ChildProcess.run(
            [place.directory + "/counter", "doctor"], environment: place.environment)
        #expect(doctor.status == .exited(69))
        #expect(doctor.output.contains("counter-keys is neither beside \(place.directory)/counter"))
        #expect(doctor.output.contains("\n  Install them together with make install."))
        // Commands that need no keys go on working.
        let added = try ChildProcess.run(
            [place.directory + "/counter", "add"], environment: place.environment)
        #expect(added.output == "1\n")
        let terminal = try ChildProcess(
            [place.directory + "/counter"], environment: place.environment,
            streams: .terminal(columns: 80, rows: 24))
        #expect(try terminal.readLine()?.hasPrefix("counter: counter-keys is neither beside") == true)
        #expect(try terminal.wait() == .exited(69))
    }
}
