package import CounterModel
import CounterTUI
import Glibc
package import Linux
package import VolumeInput

/// `counter --plain`: a line for each change, for screen readers and braille displays. Nothing is ever drawn again.
package final class PlainFrontend: Frontend {
    package private(set) var isDone = false
    private let session: CountingSession
    private let terminal: any LineTerminal
    private let focusTracker: FocusTracker
    private var tabs: Tabs
    private let screens = Screens()
    private var deviceLines = DeviceLines()
    /// What was written last and nothing has happened since: an attempt that fails each second is told of once.
    private var lastNotice: String?
    private var typed: [TerminalEvent] = []
    private var told: (location: Identifier, count: Int)?
    private var isStalled = false

    package init(_ session: CountingSession, terminal: any LineTerminal, focusTracker: FocusTracker) {
        (self.session, self.terminal, self.focusTracker) = (session, terminal, focusTracker)
        tabs = Tabs(session, screens, focusTracker)
        screens.context.program = self
        capture()
        tellCount()
        for timer in session.timers.board.ringing(at: WallClock().now) { tellEnd(of: timer) }
    }

    package var deadline: MonotonicTime? { terminal.deadline }
    package let wallDeadline: Timestamp? = nil

    package func watch(_ polled: inout PollSet) {
        polled.add(terminal.inputDescriptor)
        if isStalled { polled.add(terminal.outputDescriptor, CInt(POLLOUT)) }
        focusTracker.watch(&polled)
    }

    package func readInput(_ polled: PollSet) throws {
        if focusTracker.handle(polled) { capture() }
        let now = MonotonicTime.now
        if terminal.isDue(polled, at: now) { typed += try terminal.events(at: now) }
    }

    package func handle(_ polled: PollSet, at now: MonotonicTime) throws {
        for event in typed where !isDone { try handle(event) }
        typed = []
        show(session.commitTyped())
        tellCount()
        isStalled = try !terminal.flush()
    }

    package func handle(signal: CInt) {
        switch signal {
        case SIGTSTP: stop()
        case SIGCONT: terminal.continued()
        case SIGWINCH: break
        default: isDone = true
        }
    }

    private func stop() {
        show(session.capture(.off))
        // Where the terminal takes nothing now, or is gone, that is handled when the program goes on.
        _ = try? terminal.flush()
        terminal.suspend()
        SignalDescriptor.stopProcess()
        terminal.resume()
        focusTracker.resume()
        capture()
    }

    private func capture() { show(session.capture(focusTracker.captureMode)) }

    // MARK: - Input

    private func handle(_ event: TerminalEvent) throws {
        if event == .pasteCutOff { refuse(TerminalEvent.pasteNotice) }
        try tabs.update()
        let help = KeyBinding("?") { [unowned self] in
            show(session.commitTyped())
            screens.plainHelp.forEach(tell)
        }
        guard let action = [help].action(for: event) ?? screens.plainAction(for: event) else { return }
        let selected = screens.context.locations.selected
        action()
        let chosen = screens.context.locations.selected
        if chosen != selected, chosen != session.location.id { try select(chosen) }
    }

    /// What was typed before counts where it was meant.
    private func select(_ id: Identifier) throws {
        show(session.commitTyped())
        try session.select(id)
        tellCount()
    }

    // MARK: - Output

    private func tell(_ line: String) { terminal.write(line: line) }

    /// Writes the count of the location that is shown, if it is another than was written last.
    private func tellCount() {
        let (id, count) = (session.location.id, session.state.currentCount)
        if told.map({ $0 == (id, count) }) != true { tell(count, of: session.location) }
    }

    private func tell(_ count: Int, of location: Location) {
        tell(session.locations.count == 1 ? "Count \(count)" : "\(location.name): Count \(count)")
        if location.id == session.location.id { told = (location.id, count) }
    }

    package func show(_ events: [SessionEvent]) {
        for event in events {
            switch event {
            case .answered(let receipts):
                lastNotice = nil
                tell(receipts)
            case .changedElsewhere: tellCount()
            case .targetReached(let target): tell(target.text)
            case .notice(let text):
                if text != lastNotice { refuse(text) }
                lastNotice = text
            case .refused(let text, let remedy):
                refuse([text, remedy].compactMap(\.self).joined(separator: "; "))
            case .done(let text): tell(text)
            case .isHidden: if let problem = session.locationProblem { tell(problem.sentence) }
            case .inputDevicesChanged:
                lastNotice = nil
                tabs.count.inputDevicesChanged()
                deviceLines.changes(session, focusTracker.policy).forEach(tell)
            case .unheard: terminal.bell()
            case .alarm(let alert): if alert.timer.isSoundOn { terminal.bell() }
            case .timerSignal(let signal, let timer): tell(signal.kind, of: timer)
            case .waits, .notShown, .timersChanged: break
            }
        }
    }

    private func refuse(_ text: String) {
        session.announcer.note(.error)
        tell(text)
    }

    private func tell(_ receipts: [Receipt]) {
        for receipt in receipts {
            if let refusal = receipt.refusal { tell(refusal) }
            guard let location = session.locations.first(where: { $0.id == receipt.request.row.locationId }),
                let count = receipt.newCount(of: location)
            else { continue }
            guard let undone = receipt.undone(at: location, now: WallClock().now) else {
                tell(count, of: location)
                continue
            }
            tell(undone)
            if location.id == session.location.id { told = (location.id, count) }
        }
        tellCount()
    }

    private func tell(_ signal: TimerSignal.Kind, of timer: TimerData) {
        switch signal {
        case .roundBegan(let round): tell("\(timer.setup.title): round \(round) begins")
        case .roundEnded(let round): tell("\(timer.setup.title): round \(round) is over")
        case .lastMinute: tell(timer.lastMinuteText)
        case .ended: tellEnd(of: timer)
        }
    }

    private func tellEnd(of timer: TimerData) {
        let end = "\(timer.setup.title) has ended: \(tabs.timers.result(of: timer))"
        tell(timer.state(at: WallClock().now) == .ringing ? end + ". Enter acknowledges" : end)
    }
}

// MARK: - What keys do

// Counts wait, so that those typed together are stored together. What was typed before anything else is counted and told before.
extension PlainFrontend: ScreenActions {
    package func count(_ type: EntryType, at location: Identifier?) {
        if let location, location != session.location.id {
            show(session.commitTyped())
            // Where that fails, it fails again as soon as this has been counted. Its count is told then.
            try? session.select(location)
        }
        session.count(type, at: location)
    }

    package func reset() { session.reset() }
    package func undo(at location: Identifier?) { session.undo(at: location) }
    package func redo(at location: Identifier?) { session.redo(at: location) }

    package func say() {
        show(session.commitTyped())
        session.announcer.say(String(session.state.currentCount))
    }

    package func toggleCapture() {
        show(session.commitTyped())
        focusTracker.toggle()
        capture()
    }

    package func acknowledge() {
        show(session.commitTyped() + session.acknowledgeAlarms())
        if !session.timers.isRinging { tell("acknowledged") }
    }

    package func suspend() {
        show(session.commitTyped())
        kill(0, SIGTSTP)
    }

    package func quit() {
        show(session.commitTyped())
        isDone = true
    }

    // These need a screen.
    package func refuseChange() {}
    package func ring() {}
    package func repaint() {}
}
