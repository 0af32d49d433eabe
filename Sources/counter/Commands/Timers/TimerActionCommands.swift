import ArgumentParser
import CounterModel
import Counting
import Reports

/// The timer that a command is about.
struct TimerArguments: ParsableArguments {
    @OptionGroup var journal: JournalOptions
    @Flag(help: "Prints it as a JSON object.") var json = false
    @Argument(help: "Its number in the list, or its label.", completion: .timers) var timer: String

    /// Does something with the timer, and prints it.
    func perform(_ action: TimerAction) throws {
        let access = try TimerAccess(changing: journal)
        let timer = try access.service.perform(
            action, on: access.timer(named: timer).id, called: timer, at: access.moment
        ).orFailure()
        if action == .again { return try access.tellStart(timer, json: json) }
        try access.tell(timer, json: json)
    }
}

extension TimerCommand {
    /// `counter timer pause N`
    struct Pause: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pause", abstract: "Interrupts a timer that runs.")

        @OptionGroup var arguments: TimerArguments

        func run() throws { try arguments.perform(.pause) }
    }

    /// `counter timer resume N`
    struct Resume: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume", abstract: "Lets a paused timer go on.")

        @OptionGroup var arguments: TimerArguments

        func run() throws { try arguments.perform(.resume) }
    }

    /// `counter timer stop N`
    struct Stop: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stop", abstract: "Ends a timer before its time; what it has counted stays.")

        @OptionGroup var arguments: TimerArguments

        func run() throws { try arguments.perform(.stop) }
    }

    /// `counter timer again N`
    struct Again: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "again",
            abstract: "Starts a timer again that has ended or was stopped, with a result of its own.")

        @OptionGroup var arguments: TimerArguments

        func run() throws { try arguments.perform(.again) }
    }

    /// `counter timer acknowledge N`
    struct Acknowledge: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "acknowledge",
            abstract: "Ends the alarm of a timer that has ended, in every program.")

        @OptionGroup var arguments: TimerArguments

        func run() throws { try arguments.perform(.acknowledge) }
    }

    /// `counter timer remove N`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Takes a timer that has ended or was stopped off the list; its result stays.")

        @OptionGroup var arguments: TimerArguments

        func run() throws { try arguments.perform(.remove) }
    }
}
