import Counting
import Linux
import Reports

/// One check of everything that counting needs.
struct Checkup {
    /// The problems found.
    let findings: [Finding]
    /// Which server reads the keys; `nil` where none does.
    let server: ServerNote?

    /// Runs the checks, and intercepts the devices for that moment.
    init(_ settings: Settings) {
        let journal = JournalCheck(settings: settings)
        let devices = DeviceCheck(settings: settings, ignored: journal.inactiveDevices)
        findings =
            devices.findings + TerminalCheck(settings: settings).findings + journal.findings
            + RingerCheck(settings: settings).findings
        server = devices.server
    }

    /// The commands of all findings, each once.
    var commands: [RemedyCommand] {
        findings.flatMap(\.commands).reduce(into: []) { all, command in
            if !all.contains(command) { all.append(command) }
        }
    }

    /// Prints each problem with its remedy.
    func tell() throws(ProgramError) {
        for finding in findings { try Output.line("\(finding.problem)\n  \(finding.remedy)") }
    }
}

extension Finding {
    /// The error of a failed operation.
    init(_ error: any Error, remedy: String) {
        let failure = ProgramError(error)
        self.init(failure.message, remedy: failure.remedy ?? remedy)
    }
}
