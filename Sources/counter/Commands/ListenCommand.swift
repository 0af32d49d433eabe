import ArgumentParser
import Descriptors

/// `counter listen`: the same counting without a screen.
struct ListenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen",
        abstract: "Counts without a screen: one line per change on standard output.",
        discussion: """
            Each line is the count after the change; with --json an object that tells of the change too. It goes on
            until SIGTERM or SIGINT (Ctrl-C), and holds the keys all that time.
            """)

    @OptionGroup var journal: JournalOptions
    @OptionGroup var place: LocationOptions
    @OptionGroup var listening: ListeningOptions

    @Flag(help: "Writes each change as a JSON object.")
    var json = false

    func run() throws {
        let signals = try SignalDescriptor(MainLoop.signals)
        let settings = try Settings(journal.layer, place.layer, listening.layer)
        try Output.require()
        let session = try CountingSession(settings)
        let format = LineFormat(isJSON: json, attention: settings.intercept == .never ? .shared : .holding)
        let front = try LineFront(session, format: format)
        let result = Result {
            try front.show(session.attend(format.attention))
            try MainLoop(session, front, signals: signals).run()
            try front.finish()
        }
        try session.finish()
        try result.get()
    }
}
