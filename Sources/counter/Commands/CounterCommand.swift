import ArgumentParser
import CounterModel
import CounterTUI
import Counting
import Glibc
import Linux
import Transfer
import VolumeInput

/// `counter` without a subcommand: the screens.
struct CounterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counter",
        abstract: "Counts with the volume keys of any keyboard, headset, shutter or remote.",
        discussion: """
            Volume up counts up, volume down counts down, both together reset. Every press is kept in a journal. On the screen + and - count too, r resets, u undoes, ? shows all keys, \
            q leaves.

            A screen reader reads what is drawn again and again. With --plain there is no screen: each change is one line, such \
            as 'Count 12', and nothing else is written, no control sequence and no cursor movement. The keys are the same; ? \
            lists them. In a window the volume keys then stay shared, unless --always is given.

            Options may also stand in ~/.config/counter/config.toml and in variables such as COUNTER_DEBOUNCE.
            """,
        version: Version.current,
        subcommands: [
            ListenCommand.self, ShowCommand.self, StatusCommand.self, HistoryCommand.self, AddCommand.self,
            SubtractCommand.self, CorrectCommand.self, ResetCommand.self, UndoCommand.self, DayCommand.self,
            LocationCommand.self, TimerCommand.self, WatchCommand.self, JournalCommand.self,
            DevicesCommand.self, DeviceCommand.self, ClockCommand.self, ExportCommand.self,
            ImportCommand.self, IngestCommand.self, SyncCommand.self,
            PracticeCommand.self, DoctorCommand.self, VerifyCommand.self,
        ])

    @OptionGroup var listening: ListeningOptions
    @Option(help: Setting.screen.help, completion: .list(Screens.Tab.allCases.map(\.word)))
    var screen: String?
    @Flag(help: Setting.plain.help) var plain = false

    func run() throws {
        try Self.show(
            Settings(listening.layer, .options([.plain: plain ? "true" : nil, .screen: screen])),
            start: listening.preset)
    }

    /// Shows the screens, or the lines of `--plain`, until the user leaves.
    static func show(_ settings: @autoclosure () throws -> Settings, start preset: String? = nil) throws {
        // Block the signals before any library may start a thread: a thread inherits the signal mask at its start.
        let signals = try SignalDescriptor(MainLoop.signals)
        let settings = try settings()
        // Without a terminal the screens cannot be shown, so no device is opened or intercepted either.
        try GuardedTerminal.require(STDIN_FILENO, STDOUT_FILENO)
        let session = try CountingSession(settings)
        if let preset { try session.timers.prepare(preset) }
        let (front, terminal) = try frontend(session, settings)
        let result = Result { try MainLoop(session, front, signals: signals).run() }
        terminal.close()
        try session.finish()
        if let alarm = session.timers.goesOn { Output.complain(alarm) }
        try result.get()
    }

    private static func frontend(
        _ session: CountingSession, _ settings: Settings
    ) throws -> (any Frontend, any FrontendTerminal) {
        func focusTracker(_ terminal: some FrontendTerminal, reportsFocus: Bool) -> FocusTracker {
            FocusTracker(
                terminal: terminal.outputDescriptor, reportsFocus: reportsFocus,
                intercept: settings.intercept, always: settings.always)
        }
        if settings.isPlain {
            let terminal = try PlainTerminal()
            // Focus reports would have to be asked for by a control sequence.
            let tracker = focusTracker(terminal, reportsFocus: false)
            return (PlainFrontend(session, terminal: terminal, focusTracker: tracker), terminal)
        }
        let terminal = try Terminal()
        let tracker = focusTracker(terminal, reportsFocus: terminal.reportsFocus)
        let front = try ScreenFrontend(
            session, terminal: terminal, focusTracker: tracker, screen: settings.screen)
        return (front, terminal)
    }
}

struct ListenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Counts with the keys, without a screen: one line per press on standard output.",
        discussion: """
            Each line is the count after a press. With --json each is an object that tells of a row of the journal, \
            whichever program appended it: counter ingest takes such lines. It goes on until SIGTERM or SIGINT (Ctrl-C), \
            and intercepts the keys all that time; while another user is at the machine they are shared.
            """)

    @OptionGroup var listening: ListeningOptions

    @Flag(help: "Writes each row of the journal as a JSON object.") var json = false

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
        let settings = try Settings(listening.layer)
        try Output.require()
        let session = try CountingSession(settings)
        if let preset = listening.preset { try session.timers.prepare(preset) }
        let policy = CapturePolicy(intercept: settings.intercept, always: true, focusSource: .nothing)
        var feed = try json ? JournalFeed(session.journal, after: after.map { Position($0) }) : nil
        if after != nil {
            session.journal.nameForOthers()
            feed?.isBehind = true
        }
        let front = LineFrontend(session, feed: feed, focusTracker: FocusTracker(policy))
        let result = Result {
            try MainLoop(session, front, signals: signals).run()
            try front.finish()
        }
        try session.finish()
        try result.get()
    }
}
