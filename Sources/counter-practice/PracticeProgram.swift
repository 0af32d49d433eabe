import CounterModel
import CounterTUI
import Glibc
import Linux
import Practice
import Sound
import VolumeInput

/// The program: one thread around one `poll(2)`. At rest it sleeps; while somebody plays, the time is written every 15 s.
final class PracticeProgram {
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]

    private let signals: SignalDescriptor
    private let timer: TimerDescriptor
    let terminal: Terminal
    let focusTracker: FocusTracker
    let keys: VolumeListener
    let storage: PracticeStorage
    /// Whether it speaks whatever the settings say.
    let speaks: Bool
    var speech: Speech?
    /// The volume that `speech` was told.
    var spokenPercent = 100
    var browsers: [DetachedProcess] = []
    var clock = PracticeClock()
    var model: PracticeModel
    var lastPress: KeyPress?
    /// The last press could not be taken back: what it began then does nothing else.
    var isTooLate = false
    var lastWrite = Duration.zero
    var isDone = false
    var isOutOfDate = true
    var isInForeground = true
    /// What was drawn last, for clicks.
    var page: Page?
    /// The terminal has not taken the last frame yet.
    private var isStalled = false
    private var polled = PollSet()

    /// `signals`: blocked before any thread started.
    init(_ folder: PracticeFolder, speaks: Bool, signals: SignalDescriptor) throws {
        self.signals = signals
        timer = try TimerDescriptor()
        storage = try PracticeStorage(folder)
        self.speaks = speaks
        keys = try VolumeListener.ofPractice()
        model = try storage.model(at: clock.now, version: Version.current)
        terminal = try Terminal()
        focusTracker = FocusTracker(
            terminal: terminal.outputDescriptor, reportsFocus: terminal.reportsFocus, intercept: .auto,
            always: false)
        carryOut([.saveSettings] + model.greeting())
        take(keys.capture(focusTracker.captureMode, at: .now))
    }

    /// Runs until the end is chosen or a signal comes; by then everything is stored. Throws `ProgramError` (74) where something
    /// could not be.
    func run() throws {
        let result = Result { while !isDone { try turn() } }
        _ = keys.capture(.off, at: .now)
        carryOut(model.endSession(clock.now))
        terminal.close()
        try result.get()
        if let problem = storage.problem { throw ProgramError(problem, status: EX_IOERR) }
    }

    private func turn() throws {
        try draw()
        polled.removeAll()
        let signal = polled.add(signals.number)
        let due = polled.add(timer.number)
        keys.watch(&polled)
        focusTracker.watch(&polled)
        speech?.watch(&polled)
        polled.add(terminal.inputDescriptor)
        if isStalled { polled.add(terminal.outputDescriptor, CInt(POLLOUT)) }
        try timer.arm(deadline)
        try polled.wait()
        if !polled.result(at: due).isEmpty { timer.acknowledge() }
        if !polled.result(at: signal).isEmpty { while let signal = signals.next() { handle(signal: signal) } }
        if focusTracker.handle(polled) { followFocus() }
        let now = MonotonicTime.now
        take(keys.receive(at: now))
        try readTerminal(at: now)
        if let problem = speech?.handle(polled, at: now) { note("No voice: \(problem).") }
        if isStalled, polled.isReady(terminal.outputDescriptor) {
            (isStalled, isOutOfDate) = (false, true)
        }
        writeIfDue()
        moveIfDue()
    }

    private var deadline: MonotonicTime? {
        let model = [model.nextWrite(after: lastWrite), model.nextFrame].map { due in
            due.map { MonotonicTime(microseconds: 0) + $0 }
        }
        return ([keys.deadline, terminal.deadline, speech?.deadline] + model).compactMap(\.self).min()
    }

    private func readTerminal(at now: MonotonicTime) throws {
        let isDue = terminal.deadline.map { now >= $0 } ?? false
        guard isDue || polled.isReady(terminal.inputDescriptor) else { return }
        for event in try terminal.events(at: now) where !isDone { handle(event, at: now) }
    }

    /// Draws if the terminal can take it; otherwise draws once it can.
    private func draw() throws {
        guard isOutOfDate, !isStalled else { return }
        let page = PracticeView(model, look: terminal.capabilities).draw(size: terminal.size)
        self.page = page
        isOutOfDate = false
        isStalled = try !terminal.present(page.grid, title: "practice")
    }

    // MARK: - Signals

    private func handle(signal: CInt) {
        switch signal {
        case SIGWINCH:
            terminal.resize()
            isOutOfDate = true
        case SIGTSTP: stop()
        case SIGCONT:
            terminal.continued()
            isOutOfDate = true
        default: isDone = true
        }
    }

    /// Gives the keys back, stores what was played, and stops, as Ctrl-Z asks.
    private func stop() {
        _ = keys.capture(.off, at: .now)
        leaveForeground()
        terminal.suspend()
        SignalDescriptor.stopProcess()
        terminal.resume()
        focusTracker.resume()
        (isStalled, isOutOfDate) = (false, true)
        followFocus()
    }
}

// MARK: - Foreground and background

extension PracticeProgram {
    func followFocus() {
        let mode = focusTracker.captureMode
        take(keys.capture(mode, at: .now))
        let isInForeground = mode != .off
        if isInForeground == self.isInForeground { return }
        self.isInForeground = isInForeground
        if isInForeground { model.resume(clock.now) } else { leaveForeground() }
    }

    func leaveForeground() {
        isInForeground = false
        // Presses from before now cannot be taken back.
        lastPress?.before = nil
        carryOut(model.pause(clock.now))
        save()
    }

    func writeIfDue() {
        let now = clock.now
        guard let due = model.nextWrite(after: lastWrite), now.steady >= due else { return }
        carryOut(model.pass(now))
        save()
        isOutOfDate = true
    }

    func moveIfDue() {
        let now = clock.now.steady
        guard let due = model.nextFrame, now >= due else { return }
        model.move(to: now)
        isOutOfDate = true
    }

    /// Has the player told whether the presses are this program's alone.
    func followOwnership() {
        let warning = keys.warning
        let sharing = focusTracker.captureMode == .shared && warning != .noKeys ? .shared : warning
        carryOut(model.warn(sharing, at: clock.now))
        isOutOfDate = true
    }
}

/// Reads the clocks, and the local days around now.
struct PracticeClock {
    private var known: (calendar: OperationalCalendar, times: Range<Timestamp>)?

    var now: Moment {
        mutating get {
            let time = Timestamp(microseconds: Clock.realtime.microseconds)
            return Moment(
                time: time, steady: .microseconds(Clock.monotonic.microseconds),
                calendar: calendar(about: time),
                seed: UInt64.random(in: .min ... .max))
        }
    }

    /// The zone is read again after a day, and when the clock was set back.
    private mutating func calendar(about time: Timestamp) -> OperationalCalendar {
        if let known, known.times.contains(time) { return known.calendar }
        func times(from before: Int, to after: Int) -> Range<Timestamp> {
            Timestamp(seconds: time.seconds - before)..<Timestamp(seconds: time.seconds + after)
        }
        let range = times(from: 400 * 86_400, to: 4 * 86_400)
        let zone = (try? ZoneOffsets(of: ZoneDatabase().localZone, in: range)) ?? .utc
        let calendar = OperationalCalendar(zone: zone)
        known = (calendar, times(from: 3600, to: 86_400))
        return calendar
    }
}
