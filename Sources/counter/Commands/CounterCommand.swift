import ArgumentParser
import CounterTUI
import Counting
import Glibc
import System
import VolumeInput

/// `counter` without a subcommand: the screens.
struct CounterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "counter",
        abstract: "Counts with the volume keys of any keyboard, headset, shutter or remote.",
        discussion: """
            Volume up counts up, volume down counts down, both together reset. Every press is kept in a journal.
            On the screen + and - count too, r resets, u undoes, ? shows all keys, q leaves.

            Options may also stand in ~/.config/counter/config.toml and in variables such as COUNTER_DEBOUNCE.
            """,
        version: Version.current,
        subcommands: [
            ListenCommand.self, ShowCommand.self, StatusCommand.self, HistoryCommand.self, AddCommand.self,
            SubtractCommand.self, CorrectCommand.self, ResetCommand.self, UndoCommand.self, DayCommand.self,
            LocationCommand.self, TimerCommand.self, WatchCommand.self,
            DevicesCommand.self, DeviceCommand.self, ExportCommand.self, ImportCommand.self,
            IngestCommand.self,
            PracticeCommand.self, DoctorCommand.self, VerifyCommand.self,
        ])

    @OptionGroup var journal: JournalOptions
    @OptionGroup var locationOption: LocationOptions
    @OptionGroup var listening: ListeningOptions
    @OptionGroup var step: StepOptions

    func run() throws {
        try Self.show(
            Settings(journal.layer, locationOption.layer, listening.layer, step.layer), start: listening.start
        )
    }

    /// Shows the screens until the user leaves.
    static func show(_ settings: @autoclosure () throws -> Settings, start preset: String? = nil) throws {
        // Block the signals before any library may start a thread: a thread inherits the signal mask at its start.
        let signals = try SignalDescriptor(MainLoop.signals)
        let settings = try settings()
        try requireTerminal()
        let session = try CountingSession(settings)
        if let preset { try session.timers.prepare(preset) }
        let terminal = try Terminal()
        let focusTracker = FocusTracker(
            terminal: terminal.outputDescriptor, reportsFocus: terminal.reportsFocus,
            intercept: settings.intercept, always: settings.always)
        let front = try ScreenFrontend(session, terminal: terminal, focusTracker: focusTracker)
        let result = Result { try MainLoop(session, front, signals: signals).run() }
        front.close()
        try session.finish()
        try result.get()
    }

    /// Without a terminal the screens cannot be shown, so no device is opened or intercepted either.
    private static func requireTerminal() throws {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO] where isatty(descriptor) == 0 {
            throw TerminalError.noTerminal(descriptor: descriptor)
        }
    }
}

/// The program's version; see semver.org.
enum Version {
    static let current = "0.1.0"
}
