import Alarms
package import CounterModel
import CounterStore
package import CounterTUI
import Glibc
package import Linux
import Reports
package import VolumeInput

/// The screens: draws the committed state, and turns keys and clicks into changes.
package final class ScreenFrontend: Frontend {
    private static let flashDuration = Duration.milliseconds(150)

    package private(set) var isDone = false
    private let session: CountingSession
    private let terminal: any ScreenTerminal
    private let screens = Screens()
    private let view: ScreensView
    private var frame: Frame
    private let focusTracker: FocusTracker
    private var tabs: Tabs
    private var typed: [TerminalEvent] = []
    /// When they were read; handling them may take as long as a disk write.
    private var typedAt = MonotonicTime.now
    private var flashEnds: MonotonicTime?
    /// The terminal has not taken the whole last frame: draw again when it has.
    private var isStalled = false
    private var isOutOfDate = true
    /// The view model has to be updated from the tabs first.
    private var isModelOutOfDate = true
    /// A notice that later counts do not replace; the next key removes it.
    private var standingNotice: String?
    /// The timers whose ends the terminal was asked to show itself.
    private var notified: Set<UniqueId> = []

    /// Shows `screen` first where it is named; to a viewer then as on a wall.
    package init(
        _ session: CountingSession, terminal: any ScreenTerminal, focusTracker: FocusTracker,
        screen: Screens.Tab? = nil
    ) throws {
        (self.session, self.terminal, self.focusTracker) = (session, terminal, focusTracker)
        tabs = Tabs(session, screens, focusTracker)
        view = ScreensView(terminal.capabilities)
        frame = Frame(size: terminal.size)
        screens.context.program = self
        if let screen {
            screens.select(screen)
            screens.isOnWall = session.role == .viewer
        }
        tabs.context.show = { [unowned self] in show($0) }
        capture()
        try draw()
    }

    package var deadline: MonotonicTime? {
        [flashEnds, terminal.deadline, tabDeadline].compactMap(\.self).min()
    }

    package var wallDeadline: Timestamp? { isStalled ? nil : tabs.wallDeadline }

    /// The tab's deadline; none while a frame could not be drawn.
    private var tabDeadline: MonotonicTime? { isStalled ? nil : tabs.deadline }

    package func watch(_ polled: inout PollSet) {
        polled.add(terminal.inputDescriptor)
        if isStalled { polled.add(terminal.outputDescriptor, CInt(POLLOUT)) }
        focusTracker.watch(&polled)
        if let number = tabs.count.machines.number { polled.add(number) }
    }

    package func readInput(_ polled: PollSet) throws {
        let before = focusTracker.policy.focus
        if focusTracker.handle(polled) { capture() }
        if focusTracker.policy.focus != before { redraw() }
        let now = MonotonicTime.now
        guard terminal.isDue(polled, at: now) else { return }
        typed += try terminal.events(at: now)
        typedAt = now
        guard let last = typed.last(where: { [.focusGained, .focusLost].contains($0) }) else { return }
        focusTracker.focus(last == .focusGained ? .gained : .lost)
        capture()
        redraw()
    }

    package func handle(_ polled: PollSet, at now: MonotonicTime) throws {
        for event in typed where !isDone { handle(event) }
        typed = []
        show(session.commitTyped())
        if let flashEnds, now >= flashEnds {
            self.flashEnds = nil
            screens.count.flash = nil
            redraw()
        }
        if let tabDeadline, now >= tabDeadline { redraw() }
        if let wallDeadline, WallClock().now >= wallDeadline { redraw() }
        if tabs.count.machines.hasChanged() { redraw() }
        if isStalled, polled.isReady(terminal.outputDescriptor) {
            isStalled = false
            redraw()
        }
        try draw()
    }

    package func handle(signal: CInt) {
        switch signal {
        case SIGWINCH:
            _ = terminal.resize()
            dismissStandingNotice()
            redraw()
        case SIGTSTP: stop()
        case SIGCONT:
            terminal.continued()
            redraw()
        default: isDone = true
        }
    }

    /// Marks the events for drawing at the end of this turn of the loop.
    package func show(_ events: [SessionEvent]) {
        if events.isEmpty { return }
        for event in events { note(event) }
        if events.contains(where: \.concernsJournal) { tabs.journalChanged() }
        redraw()
    }

    /// Ends interception, restores the terminal and stops, as Ctrl-Z asks; takes both back when continued.
    private func stop() {
        let events = session.capture(.off)
        terminal.suspend()
        SignalDescriptor.stopProcess()
        terminal.resume()
        isStalled = false
        focusTracker.resume()
        show(events + session.capture(focusTracker.captureMode))
        redraw()
    }

    private func capture() { show(session.capture(focusTracker.captureMode)) }
}

// MARK: - Input

extension ScreenFrontend {
    private func handle(_ event: TerminalEvent) {
        switch event {
        case .volumeKey(let changes):
            // A release belongs to its earlier press.
            if changes.contains(where: \.isDown) { dismissStandingNotice() }
            if focusTracker.captureMode != .off { show(session.receive(terminal: changes, at: typedAt)) }
        case .focusLost: show(session.releaseTerminalKeys())
        case .focusGained: break
        case .pasteCutOff:
            if !screens.context.refuseField(TerminalEvent.pasteNotice) {
                refuseUntilNextKey(TerminalEvent.pasteNotice)
            }
            redraw()
        case .key, .character, .pasted, .click, .scroll:
            bringUpToDate(for: event)
            let action = screens.action(for: event, on: frame)
            // Later than that: a click means what was drawn there, and without the notice the rows are elsewhere.
            dismissStandingNotice()
            if let action { perform(action) }
        }
    }

    private func perform(_ action: Action) {
        let selected = screens.context.locations.selected
        action()
        if screens.context.locations.selected != selected { select(screens.context.locations.selected) }
        if !isDone { redraw() }
    }

    /// Updates the model first: a key's meaning depends on the tabs and the size, and a click's on what is drawn where.
    private func bringUpToDate(for event: TerminalEvent) {
        if isModelOutOfDate, screens.context.field == nil { updateModel() }
        guard isOutOfDate else { return }
        if case .click = event { drawScreen() }
        if frame.grid.size != terminal.size { drawScreen() }
    }

    private func select(_ location: Identifier) {
        do throws(JournalError) { try session.select(location) } catch { refuse("\(error)") }
    }

    private func dismissStandingNotice() {
        if standingNotice == nil { return }
        standingNotice = nil
        screens.count.notice = nil
        redraw()
    }
}

// MARK: - What keys do

extension ScreenFrontend: ScreenActions {
    package func count(_ type: EntryType, at location: Identifier?) { session.count(type, at: location) }
    package func reset() { session.reset() }
    package func undo(at location: Identifier?) { session.undo(at: location) }
    package func redo(at location: Identifier?) { session.redo(at: location) }
    package func say() { session.announcer.say(String(session.state.currentCount)) }
    package func acknowledge() { show(session.acknowledgeAlarms()) }
    package func refuseChange() { show([.refused(CountingSession.viewerNotice)]) }
    package func ring() { terminal.bell() }
    package func repaint() { terminal.repaint() }
    // Like the kernel for Ctrl-Z, send the signal to the whole job.
    package func suspend() { kill(0, SIGTSTP) }
    package func quit() { isDone = true }

    package func toggleCapture() {
        focusTracker.toggle()
        capture()
    }
}

// MARK: - Output

extension ScreenFrontend {
    private func note(_ event: SessionEvent) {
        switch event {
        case .answered(let receipts):
            screens.count.notice = standingNotice
            for receipt in receipts where isSeen(receipt.request.row) { report(receipt) }
        case .notice(let text): refuse(text)
        case .done(let text): tell(text)
        case .targetReached(let target): tell(target.text)
        case .refused(let text, let remedy):
            refuseUntilNextKey([text, remedy].compactMap(\.self).joined(separator: "\n"))
        // The notice stays as long as the location is hidden.
        case .isHidden: flash(.notice)
        case .inputDevicesChanged: tabs.count.inputDevicesChanged()
        case .unheard: terminal.bell()
        case .timersChanged: tabs.timers.journalChanged()
        case .alarm(let alert):
            screens.count.insistence = alert.insistence
            if alert.timer.isSoundOn { terminal.bell() }
            if alert.timer.isVibrationOn { flash(.alarm, withBell: false) }
            if !DesktopSession.isHere { notify(of: alert.timer) }
        case .notShown:
            for timer in session.timers.board.ringing(at: WallClock().now) { notify(of: timer) }
        case .timerSignal(let signal, let timer):
            if signal.kind != .ended, timer.isSoundOn { terminal.bell() }
        case .changedElsewhere: tabs.count.machines.look()
        case .waits: break
        }
    }

    private func notify(of timer: TimerData) {
        guard timer.isVibrationOn, notified.insert(timer.id).inserted else { return }
        terminal.notify(title: timer.setup.title, text: tabs.timers.result(of: timer), at: .now)
        redraw()
    }

    private func tell(_ text: String) {
        standingNotice = text
        screens.count.notice = text
        terminal.bell()
    }

    /// Whether a result is shown: counts of other locations' devices are not, requests of the user always are.
    private func isSeen(_ row: JournalRow) -> Bool {
        row.locationId == session.location.id || row.userId != nil
    }

    private func report(_ receipt: Receipt) {
        if let refusal = receipt.refusal { return refuse(refusal) }
        switch (receipt.outcome, receipt.request.row.content) {
        case (.accepted, .reset), (.accepted, .endOfDay): flash(.number)
        // On Count a change by hand is frequent and needs no message; on other tabs it is an exception, so the bell rings.
        case (.accepted, .entry) where isByHand(receipt),
            (.corrected, _) where isByHand(receipt):
            terminal.bell()
        case (.undone, _), (.redone, _):
            let location = session.locations.first { $0.id == receipt.request.row.locationId }
            standingNotice = location.flatMap { receipt.undone(at: $0, now: WallClock().now) }
            screens.count.notice = standingNotice
            if isByHand(receipt) { terminal.bell() }
        case (.accepted, _), (.acceptedInNewEpoch, _), (.corrected, _), (.duplicate, _), (.nothingToVoid, _),
            (.nothingToUndo, _), (.nothingToRedo, _), (.refused, _):
            break
        }
    }

    private func isByHand(_ receipt: Receipt) -> Bool {
        receipt.request.row.userId != nil && screens.tab != .count
    }

    private func refuseUntilNextKey(_ notice: String) {
        standingNotice = notice
        refuse(notice)
    }

    /// Shows a refusal. The bell rings only for a new one, not for each retry.
    private func refuse(_ notice: String) {
        let isNews = screens.count.notice != notice
        screens.count.notice = notice
        guard isNews else { return }
        flash(.notice)
        session.announcer.note(.error)
    }

    private func flash(_ flash: CountViewModel.Flash, withBell: Bool = true) {
        if withBell { terminal.bell() }
        screens.count.flash = flash
        flashEnds = .now + Self.flashDuration
    }

    private func redraw() { (isOutOfDate, isModelOutOfDate) = (true, true) }

    /// Draws the committed state if the terminal can take it; otherwise draws once it can.
    private func draw() throws {
        if isStalled || !isOutOfDate { return }
        updateModel()
        drawScreen()
        isOutOfDate = false
        isStalled = try !terminal.present(frame.grid, title: screens.count.title)
    }

    private func updateModel() {
        do { try tabs.update() } catch { screens.count.notice = "\(error)" }
        isModelOutOfDate = false
    }

    private func drawScreen() { frame = view.draw(screens, size: terminal.size) }
}
