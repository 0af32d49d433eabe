import ArgumentParser
import CounterModel
import CounterStore
import Counting
import Linux
import Reports

struct TimerPresetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preset", abstract: "Keeps timers to be started again and again.",
        discussion: """
            A preset is named by its number in the list, or by its label. At most twenty are in the list. A timer of a \
            preset stays in the list after its end, ready to start again, unless the preset was added with --discard.
            """,
        subcommands: [List.self, Add.self, Edit.self, Start.self, Remove.self, Restore.self],
        defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Prints the presets, one a line.")

        @OptionGroup var journal: JournalOptions
        @Flag(help: "Removed ones too.") var all = false
        @Flag(help: "Prints a JSON object for each.") var json = false

        func run() throws {
            let access = try TimerAccess(reading: journal)
            let board = access.board
            let presets = board.presets + (all ? board.allPresets.filter(\.isHiddenInList) : [])
            let reports = presets.map { PresetReport($0, locations: access.locations) }
            try PresetReport.table.print(reports, json: json)
        }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add", abstract: "Adds a preset.")

        @OptionGroup var new: NewTimerArguments

        func run() throws {
            let (access, setup) = try new.setup(endAction: .preserve)
            try access.tell(access.service.addPreset(setup, at: access.moment), json: new.json)
        }
    }

    struct Edit: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "edit",
            abstract: "Changes a preset; timers that run keep what they were started with.")

        @OptionGroup var place: LocationOptions
        @OptionGroup var options: TimerOptions
        @Option(help: "What it is called.") var label: String?
        @Option(
            help: ArgumentHelp(
                "How long it lasts: 5m, or 3 x 5m, 1m for three rounds with pauses.", valueName: "time"),
            transform: TimerPhrase.length)
        var duration: TimerPhrase?
        @Flag(help: "Prints it as a JSON object.") var json = false
        @Argument(help: "Its number in the list, or its label.", completion: .presets) var preset: String

        func validate() throws { try options.validate(place) }

        func run() throws {
            let access = try TimerAccess(changing: place.journal)
            let preset = try access.board.preset(named: preset)
            var setup = preset.setup
            if let label { setup.label = LabelSanitizer.label(label) }
            if let duration { duration.apply(to: &setup) }
            try options.apply(to: &setup, location: place.location, in: access.journal)
            try access.tell(
                access.service.editPreset(preset.id, to: setup, at: access.moment), json: json)
        }
    }

    struct Start: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "start", abstract: "Starts a timer of a preset.")

        @OptionGroup var arguments: PresetArguments

        func run() throws {
            let (access, preset) = try arguments.find()
            let timer = try access.service.start(preset.setup, presetId: preset.id, at: access.moment)
            try access.tellStart(timer, json: arguments.json)
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Takes a preset off the list; it can be restored.")

        @OptionGroup var arguments: PresetArguments

        func run() throws {
            let (access, preset) = try arguments.find()
            let hidden = try access.service.hidePreset(preset.id, at: access.moment)
            try access.tell(hidden, json: arguments.json)
        }
    }

    struct Restore: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore", abstract: "Brings a preset back that was removed, by its label.")

        @OptionGroup var arguments: PresetArguments

        func run() throws {
            let (access, preset) = try arguments.find(hidden: true)
            let restored = try access.service.restorePreset(preset.id, at: access.moment)
            try access.tell(restored, json: arguments.json)
        }
    }
}

/// The preset that a command is about.
struct PresetArguments: ParsableArguments {
    @OptionGroup var journal: JournalOptions
    @Flag(help: "Prints it as a JSON object.") var json = false
    @Argument(help: "Its number in the list, or its label.", completion: .presets) var preset: String

    func find(hidden: Bool = false) throws -> (TimerAccess, TimerPreset) {
        let access = try TimerAccess(changing: journal)
        return (access, try access.board.preset(named: preset, hidden: hidden))
    }
}
