import CounterModel
import CounterTUI
import Glibc
import System
import VolumeInput

/// The screens: draws what the session has committed, turns keys and clicks into changes.
final class ScreenFront: Front {
    private static let flashDuration = Duration.milliseconds(150)

    private(set) var isDone = false
    private let session: CountingSession
    private let terminal: Terminal
    private var model = ScreensViewModel()
    private var screen: Screen
    private var drawing = ScreenDrawing()
    private let attendance: Attendance
    private var tabs: Tabs
    /// What was typed and clicked, and is not carried out yet.
    private var typed: [TerminalEvent] = []
    /// When that was read. Carrying it out takes as long as the disk does.
    private var typedAt = MonotonicTime.now
    private var flashEnds: MonotonicTime?
    /// The terminal has not taken all of the last frame: draw again once it does.
    private var isStalled = false
    /// What is shown is not what there is any more.
    private var isOutOfDate = true
    /// Nor may the model be what the tabs know by now.
    private var isModelOutOfDate = true
    /// A notice that later counts do not replace; gone with the next key.
    private var standingNotice: String?
    private var inputPlace: Int?
    private var outputPlace: Int?

    init(_ session: CountingSession, _ settings: Settings, terminal: Terminal, attendance: Attendance) throws
    {
        self.session = session
        self.terminal = terminal
        self.attendance = attendance
        tabs = Tabs(session, settings, attendance)
        screen = Screen(size: terminal.size)
        show(attendance.begin())
        try draw()
    }

    var deadline: MonotonicTime? { [flashEnds, terminal.deadline, tabDeadline].compactMap(\.self).min() }

    /// Nothing is due where it could not be drawn.
    private var tabDeadline: MonotonicTime? { isStalled ? nil : tabs.deadline(of: model.tab) }

    func watch(_ polled: inout PollSet) {
        inputPlace = polled.add(terminal.inputDescriptor)
        outputPlace = isStalled ? polled.add(terminal.outputDescriptor, CInt(POLLOUT)) : nil
        attendance.watch(&polled)
    }

    func attend(_ polled: PollSet) throws {
        let before = attendance.policy.focus
        show(attendance.handle(polled))
        if attendance.policy.focus != before { redraw() }
        let now = MonotonicTime.now
        let hasInput = inputPlace.map { !polled.result(at: $0).isEmpty } ?? false
        guard hasInput || terminal.deadline.map({ now >= $0 }) ?? false else { return }
        typed += try terminal.events(at: now)
        typedAt = now
        guard let focus = typed.compactMap(\.focus).last else { return }
        show(attendance.focus(focus))
        redraw()
    }

    /// However much has come, it is drawn once.
    func handle(_ polled: PollSet, at now: MonotonicTime) throws {
        for event in typed where !isDone { handle(event) }
        typed = []
        show(session.commitTyped())
        if let flashEnds, now >= flashEnds {
            self.flashEnds = nil
            model.count.flash = nil
            redraw()
        }
        if let tabDeadline, now >= tabDeadline { redraw() }
        if let outputPlace, !polled.result(at: outputPlace).isEmpty {
            isStalled = false
            redraw()
        }
        try draw()
    }

    func handle(signal: CInt) {
        switch signal {
        case SIGWINCH: handle(.resize(terminal.resize()))
        case SIGTSTP: stop()
        case SIGCONT:
            terminal.repaint()
            redraw()
        default: isDone = true
        }
    }

    /// Draws it with the end of this turn.
    func show(_ events: [SessionEvent]) {
        if events.isEmpty { return }
        for event in events { show(event) }
        if events.contains(where: \.concernsJournal) { tabs.journalChanged() }
        redraw()
    }

    /// Gives the terminal back.
    func close() { terminal.close() }

    /// Gives keys and terminal back, stops as Ctrl-Z asks, and takes both again when continued.
    private func stop() {
        let events = attendance.pause()
        terminal.suspend()
        SignalDescriptor.stopProcess()
        terminal.resume()
        isStalled = false
        show(events + attendance.resume())
        redraw()
    }
}

// MARK: - Input

extension ScreenFront {
    private func handle(_ event: TerminalEvent) {
        if event.isAct { dismissStandingNotice() }
        switch event {
        case .volumeKey(let key, let stroke):
            if attendance.policy.attention != .away {
                show(session.receive(terminal: stroke.changes(of: key.counted), at: typedAt))
            }
        case .focusLost: show(session.releaseTerminalKeys())
        case .focusGained: break
        case .key, .character, .pasted, .click, .scroll, .resize:
            bringUpToDate(for: event)
            if let intent = model.intent(for: event, on: screen) { carryOut(intent) }
        }
    }

    /// What a key means depends on what the tabs know and on the size, and what a click means on what is where.
    private func bringUpToDate(for event: TerminalEvent) {
        if isModelOutOfDate, !model.isTyping { updateModel() }
        guard isOutOfDate else { return }
        if case .click = event { drawScreen() }
        if screen.grid.size != terminal.size { drawScreen() }
    }

    private func dismissStandingNotice() {
        if standingNotice == nil { return }
        standingNotice = nil
        model.count.notice = nil
        redraw()
    }

    private func carryOut(_ intent: Intent) {
        switch intent {
        case .countUp: session.count(.in)
        case .countDown: session.count(.out)
        case .reset: session.reset()
        case .undo: session.undo()
        case .toggleHold:
            show(attendance.toggle())
            redraw()
        case .repaint:
            terminal.repaint()
            redraw()
        case .ring:
            terminal.bell()
            redraw()
        // As the kernel does where Ctrl-Z comes to it: the signal is for the whole job.
        case .suspend: kill(0, SIGTSTP)
        case .quit: isDone = true
        case .live(let intent): tabs.live.carryOut(intent)
        case .history(let intent): carryOut(intent)
        case .admin(let intent):
            show(tabs.admin.carryOut(intent, &model))
            redraw()
        case .toggleHelp, .toggleDetails, .turn, .closeOverlay, .answer, .selectTab, .selectPlace,
            .redraw:
            redraw()
        }
    }
}

extension ScreenFront {
    private func carryOut(_ intent: HistoryIntent) {
        do { try tabs.history.carryOut(intent, on: &model, at: WallClock().now) } catch {
            refuse(Failure(error).sentence)
        }
        redraw()
    }
}

// MARK: - Output

extension ScreenFront {
    private func show(_ event: SessionEvent) {
        switch event {
        case .stored(let receipts):
            model.count.notice = standingNotice
            for receipt in receipts where isSeen(receipt.request) { show(receipt) }
        case .notice(let text): refuse(text)
        case .done(let text):
            standingNotice = text
            model.count.notice = text
            terminal.bell()
        case .knob(let text), .refused(let text):
            standingNotice = text
            refuse(text)
        // It stands there as long as it is so.
        case .isHidden: flash(.notice)
        case .sourcesChanged: tabs.sourcesChanged()
        case .changedElsewhere, .waits: break
        }
    }

    /// What other locations' devices do is not told here; what somebody typed always is.
    private func isSeen(_ request: Request) -> Bool {
        request.locationId == session.location.id || request.userId != nil
    }

    private func show(_ receipt: Receipt) {
        if let refusal = receipt.refusal { return refuse(refusal) }
        switch (receipt.outcome, receipt.request.change) {
        case (.accepted, .reset), (.accepted, .endOfDay): flash(.number)
        // Count is typed into without looking up; elsewhere a change by hand is an exception, and answered.
        case (.accepted, .entry) where isByHand(receipt),
            (.accepted, .correction) where isByHand(receipt), (.undone, _) where isByHand(receipt):
            terminal.bell()
        case (.accepted, _), (.acceptedInNewEpoch, _), (.duplicate, _), (.undone, _), (.nothingToVoid, _),
            (.nothingToUndo, _), (.refused, _):
            break
        }
    }

    private func isByHand(_ receipt: Receipt) -> Bool { receipt.request.userId != nil && model.tab != .count }

    /// The bell tells of something new only: what is tried again and again does not ring each time.
    private func refuse(_ notice: String) {
        let isNews = model.count.notice != notice
        model.count.notice = notice
        if isNews { flash(.notice) }
    }

    private func flash(_ flash: CountViewModel.Flash) {
        terminal.bell()
        model.count.flash = flash
        flashEnds = .now + Self.flashDuration
    }

    /// Something is to be shown with the end of this turn.
    private func redraw() { (isOutOfDate, isModelOutOfDate) = (true, true) }

    /// Shows what is committed now, where the terminal takes it; otherwise what is committed once it does.
    private func draw() throws {
        if isStalled || !isOutOfDate { return }
        updateModel()
        drawScreen()
        isOutOfDate = false
        isStalled = try !terminal.present(screen.grid, title: model.count.title)
    }

    private func updateModel() {
        do { try tabs.update(&model) } catch { model.count.notice = "\(error)" }
        isModelOutOfDate = false
    }

    private func drawScreen() { screen = drawing.draw(model, look: terminal.look, size: terminal.size) }
}

extension TerminalEvent {
    /// What it tells of the terminal's window; `nil` where it tells of something else.
    fileprivate var focus: AttentionPolicy.Focus? {
        switch self {
        case .focusGained: .gained
        case .focusLost: .lost
        case .key, .character, .pasted, .volumeKey, .click, .scroll, .resize: nil
        }
    }

    /// Whether somebody does something anew, having seen what was shown. A key's release still belongs to its press.
    fileprivate var isAct: Bool {
        switch self {
        case .focusGained, .focusLost, .volumeKey(_, .released): false
        case .key, .character, .pasted, .volumeKey, .click, .scroll, .resize: true
        }
    }
}
