import ArgumentParser
import CounterModel
import Counting
import Linux
import Transfer
import VolumeInput

/// `counter listen`: the same counting without a screen.
struct ListenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Counts without a screen: one line per change on standard output.",
        discussion: """
            Each line is the count after the change. With --json each is an object that tells of a row of the journal, \
            whichever program appended it: counter ingest takes such lines. It goes on until SIGTERM or SIGINT (Ctrl-C), \
            and intercepts the keys all that time; while another user is at the machine they are shared.
            """)

    @OptionGroup var journal: JournalOptions
    @OptionGroup var locationOption: LocationOptions
    @OptionGroup var listening: ListeningOptions
    @OptionGroup var start: StartOptions
    @OptionGroup var step: StepOptions

    @Flag(help: "Writes each row of the journal as a JSON object.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "With --json: first the rows after this position, 0 for all.",
            discussion: "Default: the last one",
            valueName: "position"))
    var after: Int64?

    func validate() throws {
        guard let after else { return }
        if !json { throw ValidationError("--after is for --json") }
        if after < 0 { throw ValidationError("a position is 0 or more") }
    }

    func run() throws {
        let signals = try SignalDescriptor(MainLoop.signals)
        let settings = try Settings(journal.layer, locationOption.layer, listening.layer, step.layer)
        try Output.require()
        let session = try CountingSession(settings)
        if let preset = start.preset { try session.timers.prepare(preset) }
        let policy = CapturePolicy(intercept: settings.intercept, always: true, focusSource: .nothing)
        let front = try LineFrontend(
            session, feed: json ? JournalFeed(session.journal, after: after.map { Position($0) }) : nil,
            focusTracker: FocusTracker(policy))
        let result = Result {
            try MainLoop(session, front, signals: signals).run()
            try front.finish()
        }
        try session.finish()
        try result.get()
    }
}
