import CounterModel
import CounterTUI
import Glibc
import Practice
import PracticeScreens
import PracticeStore
import Ringer
import System
import VolumeInput

/// The program: one thread around one `poll(2)`. At rest it sleeps; while somebody plays, the time is written every 15 s.
final class PracticeProgram {
    static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]

    private let signals: SignalDescriptor
    private let timer: TimerDescriptor
    private let terminal: Terminal
    private let focusTracker: FocusTracker
    private let keys: PracticeKeys
    private let files: PlayerFiles
    private let settings: SettingsStore
    private let opener = LinkOpener()
    private let speaks: Bool
    private var speech: Speech?
    private var spokenLines = 0
    private var clock = PracticeClock()
    private var model: PracticeModel
    private var page: Page?
    private var lastWrite = Duration.zero
    private var isDone = false
    private var isStalled = false
    private var isOutOfDate = true
    private var isInForeground = true
    /// The model before the last press, which a chord takes back.
    private var beforePress: (id: CountID, model: PracticeModel)?
    /// The press that a chord took back could not be taken back, because it is stored: the chord does nothing else.
    private var ignoresChord = false
    private var polled = PollSet()
    private var inputIndex: Int?
    private var outputIndex: Int?

    /// - Parameters:
    ///   - folder: the directory, which no other program uses.
    ///   - speaks: speak, whatever the settings say.
    ///   - signals: blocked before any thread started.
    /// - Throws: `StoreError`, `TerminalError`, `Failure`, `SystemCallError`.
    init(_ folder: PracticeFolder, speaks: Bool, signals: SignalDescriptor) throws {
        self.signals = signals
        self.speaks = speaks
        timer = try TimerDescriptor()
        settings = try SettingsStore(folder.settingsPath, makes: true)
        files = PlayerFiles(folder)
        keys = try PracticeKeys()
        let (players, troubles) = files.load()
        var stored = try settings.settings() ?? .first
        stored.totalLaunches += 1
        stored.lastLaunchDate = clock.now.time
        stored.currentSessionStartTime = nil
        stored.appVersion = PracticeVersion.current
        model = PracticeModel(
            settings: stored, hasPIN: try settings.pin() != nil, players: players, troubles: troubles)
        terminal = try Terminal()
        focusTracker = FocusTracker(
            terminal: terminal.outputDescriptor, reportsFocus: terminal.reportsFocus, intercept: .auto,
            always: false)
        carryOut([.saveSettings] + model.greeting())
        take(keys.capture(focusTracker.captureMode))
    }

    /// Runs until the end is chosen or a signal comes; by then everything is stored.
    func run() throws {
        let result = Result { while !isDone { try turn() } }
        _ = keys.capture(.off)
        carryOut(model.endSession(clock.now))
        terminal.close()
        try result.get()
        if files.hasUnsaved, let notice = model.notice { throw Failure(notice, status: EX_IOERR) }
    }

    private func turn() throws {
        try draw()
        polled.removeAll()
        let signal = polled.add(signals.number)
        let due = polled.add(timer.number)
        keys.watch(&polled)
        focusTracker.watch(&polled)
        speech?.watch(&polled)
        inputIndex = polled.add(terminal.inputDescriptor)
        outputIndex = isStalled ? polled.add(terminal.outputDescriptor, CInt(POLLOUT)) : nil
        try timer.arm(deadline)
        try polled.wait()
        if !polled.result(at: due).isEmpty { timer.acknowledge() }
        if !polled.result(at: signal).isEmpty { while let signal = signals.next() { handle(signal: signal) } }
        if focusTracker.handle(polled) { followFocus() }
        let now = MonotonicTime.now
        take(keys.receive(at: now))
        try readTerminal(at: now)
        if let problem = speech?.handle(polled, at: now) { note(problem) }
        if let outputIndex, !polled.result(at: outputIndex).isEmpty {
            (isStalled, isOutOfDate) = (false, true)
        }
        writeIfDue()
    }

    private var deadline: MonotonicTime? {
        let write = model.nextWrite(after: lastWrite).map { MonotonicTime(microseconds: 0) + $0 }
        return [keys.deadline, terminal.deadline, speech?.deadline, write].compactMap(\.self).min()
    }

    private func handle(signal: CInt) {
        switch signal {
        case SIGWINCH:
            terminal.resize()
            isOutOfDate = true
        case SIGTSTP: stop()
        case SIGCONT:
            terminal.repaint()
            isOutOfDate = true
        default: isDone = true
        }
    }

    /// Gives the keys back, stores what was played, and stops, as Ctrl-Z asks.
    private func stop() {
        _ = keys.capture(.off)
        leaveForeground()
        terminal.suspend()
        SignalDescriptor.stopProcess()
        terminal.resume()
        focusTracker.resume()
        (isStalled, isOutOfDate) = (false, true)
        followFocus()
    }
}

// MARK: - Foreground

extension PracticeProgram {
    private func followFocus() {
        let mode = focusTracker.captureMode
        take(keys.capture(mode))
        let isInForeground = mode != .off
        if isInForeground == self.isInForeground { return }
        self.isInForeground = isInForeground
        if isInForeground { model.resume(clock.now) } else { leaveForeground() }
    }

    private func leaveForeground() {
        isInForeground = false
        beforePress = nil
        carryOut(model.pause(clock.now))
        save()
    }

    private func writeIfDue() {
        let now = clock.now
        guard let due = model.nextWrite(after: lastWrite), now.steady >= due else { return }
        carryOut(model.pass(now))
        save()
        isOutOfDate = true
    }

    /// Says before a player begins whether the presses are this program's alone.
    private func followOwnership() {
        let ownership = focusTracker.captureMode == .shared ? .shared : keys.ownership
        model.warning =
            switch ownership {
            case .unknown, .own: []
            case .none: KeySharing.none.lines
            case .shared: KeySharing.shared.lines
            case .taken(let devices): KeySharing.taken(by: devices).lines
            }
    }
}

// MARK: - Input

extension PracticeProgram {
    private func take(_ events: [PracticeKeys.Event]) {
        for event in events {
            switch event {
            case .press(let id, let input): press(input, id)
            case .takenBack(let ids): takeBack(ids)
            case .input(let input):
                if !ignoresChord { take(input) }
                ignoresChord = false
            case .devicesChanged: followOwnership()
            case .trouble(let reason): note(reason)
            }
        }
    }

    private func press(_ input: PracticeInput, _ id: CountID) {
        let before = model
        let isStored = take(input)
        beforePress = isStored ? nil : (id, before)
    }

    private func takeBack(_ ids: [CountID]) {
        if let beforePress, ids.contains(beforePress.id) {
            model = beforePress.model
            isOutOfDate = true
        } else {
            ignoresChord = true
        }
        beforePress = nil
    }

    /// - Returns: whether it had an effect that cannot be taken back.
    @discardableResult
    private func take(_ input: PracticeInput) -> Bool {
        let effects = model.take(input, at: clock.now)
        isOutOfDate = true
        return carryOut(effects)
    }

    private func readTerminal(at now: MonotonicTime) throws {
        let hasInput = inputIndex.map { !polled.result(at: $0).isEmpty } ?? false
        guard hasInput || terminal.deadline.map({ now >= $0 }) ?? false else { return }
        for event in try terminal.events(at: now) where !isDone { handle(event, at: now) }
    }

    private func handle(_ event: TerminalEvent, at now: MonotonicTime) {
        switch event {
        case .focusGained: focus(.gained)
        case .focusLost:
            take(keys.releaseTerminalKeys())
            focus(.lost)
        case .volumeKey(let key, let stroke):
            if focusTracker.captureMode != .off { take(keys.receive(key, stroke, at: now)) }
        case .resize: isOutOfDate = true
        case .click(let point): if let input = page?.input(at: point) { take(input) }
        case .character("\u{3}"), .character("\u{1C}"): isDone = true
        case .character("\u{C}"):
            terminal.repaint()
            isOutOfDate = true
        case .character("\u{1A}"): kill(0, SIGTSTP)
        case .scroll: break
        case .key, .character, .pasted: type(event)
        }
    }

    private func type(_ event: TerminalEvent) {
        switch event {
        case .key(.enter): take(.both)
        case .key(.escape): take(.home)
        case _ where model.isTyping:
            carryOut(model.edit(event))
            isOutOfDate = true
        case .key(.up), .key(.right), .character("+"): take(.up)
        case .key(.down), .key(.left), .character("-"): take(.down)
        case .character(" "): take(.both)
        default: break
        }
    }

    private func focus(_ focus: CapturePolicy.Focus) {
        focusTracker.focus(focus)
        followFocus()
    }
}

// MARK: - Effects

extension PracticeProgram {
    /// - Returns: whether one of them cannot be taken back.
    @discardableResult
    private func carryOut(_ effects: [Effect]) -> Bool {
        var isStored = false
        for effect in effects {
            switch effect {
            case .say(let text): say(text)
            case .ring: terminal.bell()
            default:
                isStored = true
                store(effect)
            }
        }
        return isStored
    }

    private func store(_ effect: Effect) {
        switch effect {
        case .say, .ring: break
        case .save(let coins, let videos): save(coins, videos)
        case .endSession:
            save(hasEnded: true)
            model.forgetSession()
        case .saveSettings: attempt { () throws(StoreError) in try settings.save(model.settings) }
        case .make(let player): attempt { () throws(StoreError) in try files.make(player) }
        case .erase(let id): attempt { () throws(StoreError) in try files.erase(id) }
        case .set(let pin):
            guard let pin = PIN(pin) else { return note("crypt(3) fails: there is no PIN") }
            attempt { () throws(StoreError) in try settings.set(pin) }
        case .check(let pin): carryOut(model.take(PINCheck(store: settings).check(pin)))
        case .open(let link): if let problem = opener.open(link) { note(problem) }
        case .leave: isDone = true
        }
    }

    private func save(_ coins: [CoinEntry] = [], _ videos: [VideoRecord] = [], hasEnded: Bool = false) {
        lastWrite = clock.now.steady
        guard let player = model.player else { return }
        model.noteSpoken(lines: (speech?.completed ?? 0) - spokenLines)
        spokenLines = speech?.completed ?? 0
        attempt { () throws(StoreError) in
            try files.save(player, session: model.session, coins: coins, videos: videos, hasEnded: hasEnded)
        }
        opener.reap()
    }

    /// Stores something. A failure stays on the screen until storing succeeds again.
    private func attempt(_ body: () throws(StoreError) -> Void) {
        do throws(StoreError) {
            try body()
            if !files.hasUnsaved { model.notice = nil }
        } catch {
            note("Not saved: \(error). \(error.remedy)")
        }
    }

    private func note(_ text: String) {
        model.notice = text
        isOutOfDate = true
    }

    private func say(_ text: String) {
        guard speaks || model.settings.audioEnabled else { return }
        let volume = Int(model.settings.voiceVolume * 200) - 100
        let speech = self.speech ?? Speech(language: "en", volume: volume)
        self.speech = speech
        if let problem = speech.say(text, at: .now) { note("No voice: \(problem).") }
    }

    /// Draws if the terminal can take it; otherwise draws once it can.
    private func draw() throws {
        guard isOutOfDate, !isStalled else { return }
        let page = PracticeView(model, look: terminal.look).draw(size: terminal.size)
        self.page = page
        isOutOfDate = false
        isStalled = try !terminal.present(page.grid, title: "practice")
    }
}

extension AppSettings {
    /// Before the first start. Nothing is heard before somebody asks for it.
    fileprivate static var first: AppSettings {
        var settings = AppSettings(appVersion: PracticeVersion.current)
        settings.audioEnabled = false
        return settings
    }
}
