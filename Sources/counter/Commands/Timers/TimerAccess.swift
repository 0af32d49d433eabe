import Alarms
import CounterModel
import CounterStore
import Counting
import Glibc
import Linux
import Reports

/// The timers of a journal, for one command.
struct TimerAccess {
    let journal: SQLiteJournal
    let service: TimerService<SQLiteJournal>
    let locations: [Location]
    /// The time of the command.
    let moment: TimerMoment

    /// Reads the timers.
    ///
    /// - Throws: `JournalError`
    init(_ journal: SQLiteJournal, _ settings: TimerSettings = TimerSettings()) throws {
        self.journal = journal
        service = TimerService(journal, userId: LoginName.current, settings: settings)
        moment = TimerMoment(present: WallClock().now)
        locations = try journal.locations()
        try service.update()
    }

    /// Opens the journal of the options to read.
    init(reading options: JournalOptions) throws {
        try self.init(SQLiteJournal.existing(try Settings(options.layer)))
    }

    /// Opens the journal of the options for a change of a timer that is there.
    init(changing options: JournalOptions) throws {
        let settings = try Settings(options.layer)
        try self.init(SQLiteJournal.openedToChange(settings, creating: false), settings.timers)
    }

    /// The timers and presets.
    var board: TimerBoard { service.board(at: moment) }

    /// The numbers of the timers in the list.
    var numbers: [String] { board.timers(at: moment.now).map { String($0.number) } }

    /// The timer in the list with a number or a label.
    ///
    /// - Throws: `ProgramError` (66)
    func timer(named name: String) throws -> TimerData {
        try board.timer(named: name, at: moment.now).orFailure()
    }

    /// A timer with what it has counted.
    ///
    /// - Throws: `JournalError`
    func report(_ timer: TimerData) throws -> TimerReport {
        TimerReport(
            timer, try journal.result(of: timer, at: moment.now), at: moment.now, locations: locations)
    }

    /// Prints what became of a timer that the command has changed. Its alarm comes though no `counter` runs.
    func tell(_ timer: TimerData, json: Bool) throws {
        RingerClient(executable: Paths.ringer, journal: journal.directory).lookAtTimers()
        let report = try report(timer)
        try Output.line(json ? TimerReport.table.json(report) : report.sentence.sanitised)
    }

    /// Prints a timer that the command has started, and on standard error why its alarm may need a running `counter`.
    func tellStart(_ timer: TimerData, json: Bool) throws {
        try tell(timer, json: json)
        if timer.setup.mode == .silent { return }
        let parts: [RingerPart] = [.manager] + (DesktopSession.isRemote ? [.lingering] : [])
        if let missing = RingerCheck.diagnoses(of: parts).first {
            Output.complain(ProgramError(missing.problem, remedy: missing.remedy, status: EX_OK))
        }
    }

    /// Prints a preset.
    func tell(_ preset: TimerPreset, json: Bool) throws {
        try PresetReport.table.print([PresetReport(preset, locations: locations)], json: json)
    }
}
