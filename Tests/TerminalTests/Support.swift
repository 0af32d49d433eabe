import Foundation
import Glibc
import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
    /// Runs a test only as root, who may become another user, and whom a service always serves.
    static var asRoot: Self { .enabled(if: getuid() == 0, "only root may become another user") }
}

/// What most suites work in: a new place for each test, whose programs listen to no device.
class NewPlace {
    let place: Workplace

    init() throws { place = try Workplace.deaf() }
}

extension Workplace {
    /// A workplace whose programs listen to no device, even if this machine has some.
    static func deaf(environment: [String: String?] = [:]) throws -> Workplace {
        try Workplace(environment: ["COUNTER_DEVICE": "/dev/input/none"].merging(environment) { $1 })
    }

    /// The screens, once they show this count.
    func opened(
        showing count: Int = 0, columns: Int = 80, rows: Int = 24, environment: [String: String?] = [:]
    ) throws -> TerminalSession {
        let terminal = try open([], columns: columns, rows: rows, environment: environment)
        // The key line is the last line, which is drawn last.
        try terminal.waitForScreen("'Count \(count)' and the keys") {
            $0.count == count && $0.lines.last?.contains("[Q") == true
        }
        return terminal
    }

    /// The JSON objects that a command prints, a line each.
    func objects(_ command: String..., input: String = "") throws -> [[String: Any]] {
        try run(command, input: input).output.split(separator: "\n").map { try jsonObject(String($0)) }
    }

    /// The Admin screen, once it is shown.
    func openedAdmin() throws -> TerminalSession {
        let terminal = try opened()
        try terminal.clickText("Admin")
        try terminal.waitForText("Ended days")
        return terminal
    }

    /// A time zone in which it is noon, or an hour later, far from both ends of the day.
    static var zoneAtNoon: String {
        let ahead = 12 - Int(Date.now.timeIntervalSince1970) / 3600 % 24
        // The sign of these names is POSIX's: positive to the west.
        return ahead == 0 ? "Etc/GMT" : "Etc/GMT\(ahead > 0 ? "-" : "+")\(ahead.magnitude)"
    }

    /// What a command says on a terminal, up to its question and after the answer.
    func asked(
        _ words: String..., answering answer: String
    ) throws -> (question: String, verdict: String, status: TestSupport.ExitStatus) {
        let program = try start(words, streams: .terminal(columns: 200, rows: 24))
        let question = try program.skipOutput(past: "[y/N] ")
        try program.write(answer + "\n")
        let outcome = try program.outcome()
        return (question, outcome.output, outcome.status)
    }

    /// A connection to the journal beside the program's.
    func database() throws -> RawDatabase { try RawDatabase(directory + "/journal.sqlite") }

    /// The bytes of a file of the directory; nil if there is none.
    func bytes(of name: String) -> [UInt8]? { fileBytes("\(directory)/\(name)") }

    /// The names in the directory.
    func files() throws -> [String] {
        try ChildProcess.run(["ls", "-A", directory]).output.split(separator: "\n").map(String.init)
    }
}

extension TerminalSession {
    /// Waits until the screen shows this count and no other.
    @discardableResult
    func waitForCount(_ count: Int, timeout: Duration = testTimeout) throws -> Screen {
        try waitForScreen("'Count \(count)'", timeout: timeout) { $0.count == count }
    }

    /// Types a timer on the screen Timers, and waits until it is there.
    func typeTimer(_ duration: String, _ label: String) throws {
        try type("n\(duration) \(label)\r")
        try waitForText("at its end")
        try type("\r")
        try waitForText("1 \(label)")
    }

    /// Clicks on a text once it is shown.
    func clickText(_ text: String) throws {
        let (column, row) = try waitForText(text).place(of: text)
        try click(column: column, row: row)
    }
}

extension SocketClient {
    /// What a line is answered with.
    @discardableResult
    func answer(to line: String) throws -> String {
        try send(line + "\n")
        return try #require(try readLine())
    }
}

extension RunningProcess {
    /// Below the numbers of descriptors that are in use, so that none is left whatever the program is about.
    static let fewerThanInUse = 8

    func limitDescriptors(to count: Int) throws {
        try ChildProcess.success(of: ["prlimit", "--pid", "\(pid)", "--nofile=\(count):1024"])
    }
}

extension Screen {
    /// The count, if all lines with a count show the same; else nil, as while it is drawn.
    var count: Int? { counts.count == 1 ? counts.first : nil }

    /// All counts that are shown.
    var counts: Set<Int> {
        let numbers = lines.flatMap { line in
            line.ranges(of: "Count ").map { line[$0.upperBound...].prefix { $0 == "-" || $0.isNumber } }
        }
        return Set(numbers.compactMap { Int($0) })
    }

    /// The column and row where a text begins.
    func place(of text: String) throws -> (column: Int, row: Int) {
        for (row, line) in lines.enumerated() {
            if let range = line.firstRange(of: text) {
                return (line.distance(from: line.startIndex, to: range.lowerBound), row)
            }
        }
        throw SupportError.refused(by: "the screen", why: "it does not hold '\(text)':\n\(self)")
    }
}

/// The words before a command that has mounts of its own, in which a user other than root becomes root.
let inOwnMounts = ["unshare", "--mount"] + (getuid() == 0 ? [] : ["--map-root-user"])

/// Expects that a command ended with this status and these words on standard error.
func expectFailure(
    _ outcome: ChildProcess.Outcome, _ status: Int32, _ words: String...,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(outcome.status == .exited(status), sourceLocation: sourceLocation)
    for word in words {
        #expect(outcome.errors.contains(word), "in: \(outcome.errors)", sourceLocation: sourceLocation)
    }
    #expect(outcome.errors.hasPrefix("counter: "), "\(outcome.errors)", sourceLocation: sourceLocation)
}

/// A command, as `counter --experimental-dump-help` describes it.
struct CommandDescription: Decodable {
    struct Argument: Decodable {
        struct Name: Decodable { let kind, name: String }
        let kind: String
        let isOptional: Bool
        let names: [Name]?
    }
    let commandName: String
    let arguments: [Argument]?
    let subcommands: [CommandDescription]?

    /// The names of its options, without hyphens.
    var options: [String] { (arguments ?? []).flatMap { $0.names ?? [] }.map(\.name) }

    static func program() throws -> CommandDescription {
        struct Answer: Decodable { let command: CommandDescription }
        let text = try ChildProcess.run([BuiltProducts.counter, "--experimental-dump-help"]).output
        return try JSONDecoder().decode(Answer.self, from: Data(text.utf8)).command
    }

    /// It and all below it, each with its words.
    func all(after words: [String] = []) -> [(words: [String], command: CommandDescription)] {
        let words = words + [commandName]
        let below = (subcommands ?? []).filter { $0.commandName != "help" }
        return [(words, self)] + below.flatMap { $0.all(after: words) }
    }
}

/// A library that sets the realtime clock of a process to any second, and says that it is kept right.
struct StrangeClock {
    private let library: [String: String]

    init(_ place: Workplace) throws {
        let source = """
            #define _GNU_SOURCE
            #include <stdlib.h>
            #include <sys/syscall.h>
            #include <sys/timex.h>
            #include <time.h>
            #include <unistd.h>
            int adjtimex(struct timex *state) {
                state->status = 0;
                return TIME_OK;
            }
            int clock_gettime(clockid_t clock, struct timespec *time) {
                if (clock != CLOCK_REALTIME) return (int)syscall(SYS_clock_gettime, clock, time);
                *time = (struct timespec){.tv_sec = strtoll(getenv("STRANGE_SECONDS"), NULL, 10)};
                return 0;
            }
            """
        library = try place.library("clock", source)
    }

    func showing(_ seconds: Int64) -> [String: String] {
        library.merging(["STRANGE_SECONDS": "\(seconds)"]) { $1 }
    }
}
