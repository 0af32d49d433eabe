import ArgumentParser
import Glibc
import System

/// Where the process begins and ends: one command, and an exit code of `<sysexits.h>` for whatever became of it.
@main
enum Program {
    static func main() {
        Output.reserveStandardStreams()
        // A reader that has gone away is an error of write(2), not a death.
        signal(SIGPIPE, SIG_IGN)
        setlocale(LC_ALL, "")
        do {
            var command = try CounterCommand.parseAsRoot()
            try WallClock.requireCredible()
            try command.run()
        } catch {
            exit(report(error))
        }
    }

    /// Tells the user, and says how the process is to end.
    private static func report(_ error: any Error) -> CInt {
        // A command that has said all it had to say.
        if let code = error as? ExitCode { return code.rawValue }
        let status = CounterCommand.exitCode(for: error).rawValue
        if status == EX_OK { return print(help: CounterCommand.fullMessage(for: error)) }
        // What the argument parser finds wrong comes with the usage of the command that it was about.
        guard status == EX_USAGE, !(error is Failure) else {
            let failure = Failure(error)
            Output.complain(failure)
            return failure.status
        }
        let usage = CounterCommand.fullMessage(for: error).split(separator: "\n").dropFirst()
        Output.complain(
            Failure(
                CounterCommand.message(for: error), remedy: usage.joined(separator: "\n  "), status: EX_USAGE)
        )
        return EX_USAGE
    }

    private static func print(help: String) -> CInt {
        do throws(Failure) {
            try Output.line(help)
            return EX_OK
        } catch {
            Output.complain(error)
            return error.status
        }
    }
}
