import System

/// One look at everything that counting needs.
struct Checkup {
    /// What stands in the way.
    let findings: [Finding]
    /// Who hears the keys; `nil` where nobody does.
    let server: ServerNote?

    /// Looks, and holds the devices for that moment.
    init(_ settings: Settings) {
        let journal = JournalCheck(settings: settings)
        let devices = DeviceCheck(settings: settings, ignored: journal.inactiveDevices)
        findings = devices.findings + TerminalCheck(settings: settings).findings + journal.findings
        server = devices.server
    }

    /// All commands against what stands in the way, each once.
    var commands: [RemedyCommand] {
        findings.flatMap(\.commands).reduce(into: []) { all, command in
            if !all.contains(command) { all.append(command) }
        }
    }

    /// Says what stands in the way, each with its remedy.
    func tell() throws(Failure) {
        for finding in findings { try Output.line("\(finding.problem)\n  \(finding.remedy)") }
    }
}
