import TestSupport
import Testing

/// Programs that may have few files open say so, with what to do about it.
@Suite struct FewDescriptorsTests {
    /// A command line of a shell that sets the limit, then becomes the program.
    private static func limited(_ limit: Int, _ words: [String]) -> [String] {
        ["sh", "-c", "ulimit -n \(limit) && exec \"$@\"", "sh"] + words
    }

    private static let what = "Too many open files"
    private static let remedy = "raise its limit with ulimit -n"

    @Test(arguments: [
        ["show"], ["add"], ["listen"], ["ingest"], ["ingest", "--socket", "SOCKET"], ["timer", "list"],
        ["export"], ["history"],
    ])
    func `A command that cannot open a file names the limit, whichever file it is`(words: [String]) throws {
        let place = try Workplace.deaf()
        try place.run("add")
        let command =
            [BuiltProducts.counter] + words.map { $0 == "SOCKET" ? place.directory + "/socket" : $0 }
        for limit in 5...7 {
            let outcome = try ChildProcess.run(Self.limited(limit, command), environment: place.environment)
            if limit > 5, outcome.status == .exited(0) { continue }
            #expect(outcome.status == .exited(71), "\(limit): \(outcome)")
            for text in [Self.what, Self.remedy] {
                #expect(outcome.errors.contains(text), "\(limit): \(outcome.errors)")
            }
        }
    }

    @Test func `A watch that cannot open its record names the limit too`() throws {
        let place = try Workplace.deaf()
        try place.run("add")
        let watch = [BuiltProducts.counter, "watch", "--when", "change", "--", "true"]
        var refused = 0
        for limit in 7...12 {
            let outcome = try ChildProcess.run(
                Self.limited(limit, ["timeout", "5"] + watch), environment: place.environment)
            guard outcome.errors.contains(Self.what) else { continue }
            refused += 1
            #expect(outcome.errors.contains(Self.remedy), "\(limit): \(outcome.errors)")
        }
        #expect(refused > 3)
    }

    @Test(arguments: [[], ["practice"]])
    func `A screen does not blame the terminal or the disk`(words: [String]) throws {
        let place = try Workplace.deaf()
        var refused = 0
        for limit in 6...10 {
            let terminal = try ChildProcess(
                Self.limited(limit, [BuiltProducts.counter] + words),
                environment: place.environment.merging(["TERM": "xterm-256color"]) { $1 },
                streams: .terminal(columns: 200, rows: 24))
            defer { terminal.end() }
            // It ends with the reason, or shows a screen.
            var shown = ""
            try eventually("the reason, or a screen", last: { shown }) {
                shown += try terminal.takeOutput()
                return shown.contains(Self.remedy) || shown.contains("Quit]") || shown.contains("Esc")
            }
            for wrong in ["is unknown here", "cannot be written", "max_user_instances"] {
                #expect(!shown.contains(wrong), "\(limit): \(shown)")
            }
            refused += shown.contains(Self.remedy) ? 1 : 0
        }
        #expect(refused > 0)
    }

    @Test func `What fails each second is told of once`() throws {
        let place = try Workplace.deaf(environment: ["COUNTER_KEYS_SOCKET": ""])
        // The program ends at the third attempt to start a key server.
        let library = try place.library(
            "full",
            """
            #include <errno.h>
            #include <signal.h>
            #include <unistd.h>
            extern "C" int socketpair(int, int, int, int *) {
                static int attempts;
                if (++attempts == 3) kill(getpid(), SIGTERM);
                errno = EMFILE;
                return -1;
            }
            """)
        let outcome = try ChildProcess.run(
            [BuiltProducts.counter, "listen"],
            environment: place.environment.merging(library.mapValues { $0 }) { $1 })
        #expect(outcome.status == .exited(0))
        #expect(outcome.errors.ranges(of: Self.what).count == 1, "\(outcome.errors)")
        #expect(outcome.errors.contains(Self.remedy))
    }
}
