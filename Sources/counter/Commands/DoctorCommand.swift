import ArgumentParser
import CounterModel
import CounterStore
import CounterTUI
import Foundation
import Glibc
import VolumeInput

/// `counter doctor`: what stands in the way of counting here.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Names what stands in the way of counting here, each with its remedy.",
        discussion: "Says nothing and exits 0 where nothing does; otherwise exits 69.")

    @OptionGroup var journal: JournalOptions
    @OptionGroup var place: LocationOptions
    @OptionGroup var listening: ListeningOptions

    @Flag(help: "Restores key maps that a crash left swapped, and says which.")
    var repair = false

    func run() throws {
        if repair { return try Self.repair() }
        let settings = try Settings(journal.layer, place.layer, listening.layer)
        let findings = devices(settings) + terminal() + locale() + store(settings)
        for finding in findings {
            try Output.line(finding.message)
            if let remedy = finding.remedy { try Output.line("  \(remedy)") }
        }
        if !findings.isEmpty { throw ExitCode(EX_UNAVAILABLE) }
    }

    private static func repair() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try Paths.keyServer())
        process.arguments = ["repair"]
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { throw ExitCode(process.terminationStatus) }
    }

    private func devices(_ settings: Settings) -> [Failure] {
        do {
            let survey = try SourceSurvey(settings)
            if let problem = survey.environment.problem {
                return [Failure(problem.reason, remedy: problem.remedy, status: EX_UNAVAILABLE)]
            }
            if survey.sources.isEmpty {
                return [
                    Failure(
                        "no device with volume keys is there",
                        remedy: "Plug one in, or name other keys under [keys] in config.toml.",
                        status: EX_UNAVAILABLE)
                ]
            }
            return survey.sources.compactMap(finding)
        } catch { return [Failure(error)] }
    }

    private func finding(_ source: Source) -> Failure? {
        let plan = source.planned
        guard plan.state != .held, let reason = plan.reason else { return nil }
        return Failure(
            "\(source.name.harmless): \(plan.state.rawValue): \(reason)", remedy: plan.remedy,
            status: EX_UNAVAILABLE)
    }

    private func terminal() -> [Failure] {
        guard isatty(STDOUT_FILENO) == 1 else { return [] }
        do {
            try Terminal.check()
            return []
        } catch { return [Failure(error)] }
    }

    private func locale() -> [Failure] {
        guard String(cString: nl_langinfo(CInt(CODESET))) != "UTF-8" else { return [] }
        let remedy = "Set LANG to a locale with UTF-8, such as C.UTF-8, for smoother digits."
        return [Failure("the locale has no UTF-8", remedy: remedy, status: EX_UNAVAILABLE)]
    }

    private func store(_ settings: Settings) -> [Failure] {
        do {
            _ = try Location.named(settings.location, in: try SQLiteJournal.existing(settings))
            return []
        } catch let error as JournalError where error.reason == .missing {
            return []
        } catch { return [Failure(error)] }
    }
}
