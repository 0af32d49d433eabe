import CounterModel
import Glibc
import Linux
import TestSupport

/// `make bench`: measurements of the program, each beside one of a well-known program in the same run.
@main
enum Bench {
    static func main() {
        do {
            switch CommandLine.arguments.dropFirst().first {
            case "host": try host()
            case "guest": try guest()
            case "heard": try heard()
            case "journal": try journal()
            case "journal-part": try JournalPart.run(CommandLine.arguments.dropFirst(2))
            default: fail("counter-bench host|heard|journal|journal-part|guest", status: EX_USAGE)
            }
        } catch { fail("\(error)", status: EX_SOFTWARE) }
    }

    /// Measurements that need no device.
    private static func host() throws {
        Table.header()
        let shell = try Cost.start(20) { try Subject.shell() }
        let directory = Subject.newDirectory()
        try Subject.screens(in: directory, readyAt: "Count ").program.end()
        Table.row(
            "start to first paint", "ms",
            try Cost.start(20) { try Subject.screens(in: directory, readyAt: "Count ") },
            beside: "bash to its prompt", shell, goal: "< 6 ms")
        Table.row(
            "first start, with a new journal", "ms",
            try Cost.start(20) { try Subject.screens(readyAt: "Count ") },
            beside: "bash to its prompt", shell)
        Table.row(
            "memory of both processes, counting", "MB", try Cost.memoryOfCounting(), beside: "one bash",
            try Cost.memoryOfShell(), goal: "≤ 18 MB")
        Table.row(
            "instructions of a press", "k", try Press.instructions(),
            beside: "its transaction by SQLite in C",
            try Press.instructionsOfTwin(), goal: "≤ 500 k")
        let (frame, press) = try Press.bytes()
        Table.row(
            "bytes to the terminal for a press", "B", press, beside: "for the first frame", frame)
        let clock = RecognizerRate.clockReads()
        for (name, rate) in [
            ("taps", RecognizerRate.taps()), ("chords", RecognizerRate.chords()),
            ("holds of 2 s", RecognizerRate.holds()),
        ] {
            Table.row(
                "the recogniser alone, \(name)", "M/s", rate, beside: "reads of the clock", clock,
                goal: "≥ 20 M/s")
        }
    }

    /// Measurements of what is heard, played into nothing; p95 in milliseconds.
    private static func heard() throws {
        let sink = try SoundSink()
        Table.row(
            "a key to its tone, p95", "ms", try Heard.keyToTone(60, sink).quantile(0.95),
            beside: "paplay's start to its tone", try Heard.paplayToTone(20, sink).quantile(0.95),
            goal: "≤ 60 ms")
        Table.row(
            "a key to the first word, p95", "ms", try Heard.keyToWord(30, sink).quantile(0.95),
            beside: "spd-say's start to its word", try Heard.spdSayToWord(10, sink).quantile(0.95),
            goal: "≤ 150 ms")
        let desktop = try TestDesktop(["notifications"])
        defer { desktop.end() }
        let acknowledged = try Heard.acknowledgement(20, desktop)
        let call = try Heard.busCall(20, desktop).quantile(0.95)
        Table.row(
            "acknowledged to another program's line, p95", "ms", acknowledged.line.quantile(0.95),
            beside: "dbus-send's start to its call", call, goal: "≤ 500 ms")
        Table.row(
            "acknowledged to notification closed, p95", "ms", acknowledged.notification.quantile(0.95),
            beside: "dbus-send's start to its call", call, goal: "≤ 500 ms")
    }

    /// Measurements of the journal.
    private static func journal() throws {
        let appends = try Samples.inTurns(
            15, { try JournalCost.appends(1_000) }, { try JournalCost.appendsByTwin(1_000) })
        Table.row(
            "durable appends of one entry", "/s", appends.one, beside: "the same by SQLite in C",
            appends.other,
            goal: "≥ 0.95 ×")
        Table.row(
            "import of a million entries", "k/s", try JournalCost.imported(1_000_000) / 1000,
            beside: "the same by SQLite in C", try JournalCost.importedByTwin(1_000_000) / 1000,
            goal: "≥ 0.8 ×")
        let long = try LongJournal()
        Table.row(
            "rebuild of 20 M entries", "M/s", try long.rebuilt(), beside: "C reads and adds the rows",
            try long.replayedByTwin(), goal: "≥ 0.8 ×")
        for (name, hours, goal) in [("7 days", Int64(168), "< 10 ms"), ("today", 24, "< 2 ms")] {
            Table.row(
                "KPIs of \(name) in 20 M entries", "ms", try long.kpis(ofLastHours: hours),
                beside: "C reads and adds the minutes", try long.minutesByTwin(ofLastHours: hours), goal: goal
            )
        }
        for (name, selection) in [("a day", HistorySelection.today), ("30 days", .lastDays(30))] {
            Table.row(
                "History of \(name) in 20 M entries", "ms", try long.firstPaint(of: selection),
                beside: "C reads and adds the minutes",
                try long.minutesByTwin(ofLastHours: selection == .today ? 24 : 720), goal: "< 50 ms")
        }
        Table.row(
            "disk for an entry, all told", "B", try long.bytesPerEntry(), beside: "two 8-byte times", 16)
    }

    /// Measurements that need a kernel device.
    private static func guest() throws {
        let presses = 300
        Table.rows(
            "press to VolumeEvent", try Latency.pressToVolumeEvent(presses),
            beside: "a byte from 20 lines of C",
            try Latency.pressToByte(presses), goals: ("≤ 1.3 ×", "≤ 2 ×"))
        let line = try Latency.pressToLine(presses)
        Table.rows(
            "press to committed entry, told", try Latency.pressToCommit(presses), beside: "evtest's line",
            line,
            goals: ("≤ 3 ×", ""))
        Table.rows(
            "press to the number on the terminal", try Latency.pressToPaint(presses), beside: "evtest's line",
            line, goals: ("≤ 3 ×", ""))
        Table.rows(
            "focus lost to keys given back", try Latency.focusOutToGivenBack(200),
            beside: "cat's echo of a line", try Latency.lineToEcho(200), goals: ("", "≤ 50 ms"))
        try typing()
        try rest()
    }

    private static func typing() throws {
        let swapped = try Typing.whileSwapped(200)
        Table.rows(
            "typing to another reader, swapped", swapped.latency, beside: "the same without counter",
            try Typing.alone(200), goals: ("= 1 ×", ""))
        Table.row(
            "wake-ups by 200 keys typed, swapped", "", swapped.wakeUps, beside: "without counter", 0,
            goal: "0")
    }

    private static func rest() throws {
        Table.row(
            "processor time of 6 counts a second", "ms/s", try Cost.processorTimeOfCounting(for: 20),
            beside: "evtest, same presses", try Cost.processorTimeOfEvtest(for: 20))
        let rest = try Cost.wakeUpsAtRest(for: .seconds(60))
        Table.row(
            "wake-ups at rest in 60 s", "", rest.counter, beside: "bash at its prompt", rest.shell, goal: "0")
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        try? Output.write("counter-bench: \(message)\n", to: STDERR_FILENO)
        exit(status)
    }
}
