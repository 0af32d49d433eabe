import CounterModel
import CounterTUI
import Descriptors
import Glibc
import VolumeInput

/// The screens: draws what the session has committed, turns keys and clicks into changes.
final class ScreenFront: Front {
    private static let flashDuration = Duration.milliseconds(150)

    private(set) var isDone = false
    private let session: CountingSession
    private let terminal: Terminal
    private var model = ScreensViewModel()
    private var screen: Screen
    private var policy: AttentionPolicy
    private var flashEnds: MonotonicTime?
    /// The terminal took no output: draw again once it does.
    private var isStalled = false
    private var shownTitle = ""
    private var inputPlace: Int?
    private var outputPlace: Int?

    init(_ session: CountingSession, terminal: Terminal, policy: AttentionPolicy) throws {
        self.session = session
        self.terminal = terminal
        self.policy = policy
        screen = Screen(size: terminal.size)
        if session.location.id != Location.defaultId { model.count.location = session.location.name }
        try show(session.attend(policy.attention))
        try draw()
    }

    var deadline: MonotonicTime? { flashEnds }

    func watch(_ polled: inout PollSet) {
        inputPlace = polled.add(terminal.inputDescriptor)
        outputPlace = isStalled ? polled.add(terminal.outputDescriptor, CInt(POLLOUT)) : nil
    }

    func handle(_ polled: PollSet, at now: MonotonicTime) throws {
        if let inputPlace, !polled.result(at: inputPlace).isEmpty {
            for event in try terminal.events() { try handle(event) }
            try show(session.commitTyped())
        }
        if let flashEnds, now >= flashEnds {
            self.flashEnds = nil
            model.count.flash = false
            try draw()
        }
        if let outputPlace, !polled.result(at: outputPlace).isEmpty { try draw() }
    }

    func handle(signal: CInt) throws {
        switch signal {
        case SIGWINCH: try handle(.resize(terminal.resize()))
        case SIGTSTP: try stop()
        case SIGCONT:
            terminal.repaint()
            try draw()
        default: isDone = true
        }
    }

    func show(_ events: [SessionEvent]) throws {
        if events.isEmpty { return }
        for event in events { show(event) }
        try draw()
    }

    /// Gives the terminal back.
    func close() { terminal.close() }

    /// Gives keys and terminal back, stops as Ctrl-Z asks, and takes both again when continued.
    private func stop() throws {
        let events = session.attend(.away)
        terminal.suspend()
        SignalDescriptor.stopProcess()
        terminal.resume()
        try show(events + session.attend(policy.attention))
        try draw()
    }
}

// MARK: - Input

extension ScreenFront {
    private func handle(_ event: TerminalEvent) throws {
        switch event {
        case .focusGained: try focus(.gained)
        case .focusLost: try focus(.lost)
        case .key, .character, .click, .resize:
            if let intent = model.intent(for: event, on: screen) { try carryOut(intent) }
        }
    }

    private func focus(_ focus: AttentionPolicy.Focus) throws {
        policy.focus = focus
        try show(session.attend(policy.attention))
        try draw()
    }

    private func carryOut(_ intent: Intent) throws {
        switch intent {
        case .countUp: session.count(.in)
        case .countDown: session.count(.out)
        case .reset: session.reset()
        case .undo: session.undo()
        case .toggleHold:
            policy.isGivenBack.toggle()
            try show(session.attend(policy.attention))
            try draw()
        case .repaint:
            terminal.repaint()
            try draw()
        case .quit: isDone = true
        case .toggleHelp, .toggleDetails, .nextPage, .closeOverlay, .selectTab, .redraw: try draw()
        }
    }
}

// MARK: - Output

extension ScreenFront {
    private func show(_ event: SessionEvent) {
        switch event {
        case .stored(let receipts):
            model.count.notice = nil
            for receipt in receipts where receipt.request.locationId == session.location.id { show(receipt) }
        case .notice(let text): refuse(text)
        case .changedElsewhere, .sourcesChanged, .waits: break
        }
    }

    private func show(_ receipt: Receipt) {
        switch (receipt.outcome, receipt.request.change) {
        case (.accepted, .reset): flash()
        case (.nothingToUndo, _): refuse("there is nothing to undo")
        case (.refused(.overflow), _): refuse("the count can go no further; nothing was counted")
        case (.refused(.lateReset), _), (.refused(.unknownLocation), _):
            refuse("its location is gone; nothing was counted")
        case (.accepted, _), (.acceptedInNewEpoch, _), (.duplicate, _), (.undone, _), (.nothingToVoid, _):
            break
        }
    }

    /// The bell tells of something new only: what is tried again and again does not ring each time.
    private func refuse(_ notice: String) {
        let isNews = model.count.notice != notice
        model.count.notice = notice
        if isNews { terminal.bell() }
    }

    private func flash() {
        terminal.bell()
        model.count.flash = true
        flashEnds = .now + Self.flashDuration
    }

    /// Shows what is committed now.
    private func draw() throws {
        update(&model.count)
        screen = ScreensView(model, look: terminal.look).draw(size: terminal.size)
        isStalled = try !terminal.present(screen.grid)
        guard !isStalled, model.count.title != shownTitle else { return }
        if try terminal.title(model.count.title) { shownTitle = model.count.title } else { isStalled = true }
    }

    private func update(_ count: inout CountViewModel) {
        count.level = session.state.currentCount
        count.lastChange = session.recent.last.map { LastChange($0.kind.shown, time: $0.at.localTime) }
        count.ratePerMinute = session.recent.perMinute
        count.notStored = session.waiting
        count.sources = session.sources.map { status(of: $0) }
        count.problem = problem
    }

    private func status(of source: Source) -> SourceStatus {
        let name = session.devices.name(of: source.stableID, own: source.name)
        let present = source.present
        let explanation = present.state == .shared ? policy.explanation : nil
        return SourceStatus(
            name: name, state: present.state.shown, reason: explanation?.reason ?? present.reason,
            remedy: explanation?.remedy ?? present.remedy)
    }

    private var problem: SourceProblem? {
        guard session.sources.isEmpty, let environment = session.environment else { return nil }
        if let problem = environment.problem {
            return SourceProblem(reason: problem.reason, remedy: problem.remedy)
        }
        return SourceProblem(reason: "no device with volume keys", remedy: "plug one in; + and - count too")
    }
}

extension SourceState {
    fileprivate var shown: SourceStatus.State {
        switch self {
        case .held: .held
        case .shared: .shared
        case .noAccess: .noAccess
        }
    }
}

extension RecentChanges.Kind {
    fileprivate var shown: LastChange.Kind {
        switch self {
        case .up: .up
        case .down: .down
        case .reset: .reset
        case .undone: .undone
        }
    }
}
