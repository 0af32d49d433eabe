import CounterModel
import CounterStore
import CounterTUI
import Linux
import Reports

/// Behind the History screen: reads a range of the selected location's history when it is shown and has changed.
final class HistoryTab: TabFeed {
    private let session: CountingSession
    private var choice = HistoryChoice()
    private var reading: HistoryReading?
    private var isOutOfDate = true
    private var pace = ReadingPace(at: .now)
    private(set) var deadline: MonotonicTime?
    private(set) var wallDeadline: Timestamp?

    init(_ session: CountingSession) { self.session = session }

    func journalChanged() { isOutOfDate = true }

    func update(_ model: inout ScreensViewModel, at now: Timestamp, isInForeground: Bool) throws {
        (deadline, wallDeadline) = (nil, nil)
        model.history.mayChange = session.role == .admin
        guard let location = location(of: model) else { return }
        if reading?.span.location != location { turn(to: location, &model.history) }
        if isOutOfDate || isInForeground && reading?.isOver(at: now) ?? true {
            guard MonotonicTime.now >= pace.next else {
                deadline = pace.next
                return
            }
            try read(location, at: now)
        }
        if let reading { (model.history.summary, model.history.list) = (reading.summary, reading.list) }
        if isInForeground, let end = reading?.end, end > now { wallDeadline = end }
    }

    private func location(of model: ScreensViewModel) -> Location? {
        session.locations.first { $0.id == model.locations.selected }
    }

    /// Another location has other days, so it starts at the chosen range.
    private func turn(to location: Location, _ model: inout HistoryViewModel) {
        forget()
        guard reading?.span.location.id != location.id else { return }
        choice.leaveNeighbours()
        (reading, model.summary, model.list) = (nil, nil, HistoryList())
    }

    private func read(_ location: Location, at now: Timestamp) throws {
        let start = MonotonicTime.now
        let span = try choice.span(of: location, now: now)
        reading = try HistoryReading(
            of: span, in: session.journal, silentAfter: session.settings.silentAfter, at: now, after: reading,
            timers: session.timers.board,
            deviceName: { [session] in session.devices.name(of: $0, own: $0.text) })
        isOutOfDate = false
        pace.note(from: start, to: .now)
    }

    /// Discards the reading; the next update reads again.
    private func forget() {
        (isOutOfDate, pace) = (true, ReadingPace(at: .now))
    }
}

// MARK: - Intents

extension HistoryTab {
    /// Carries out the intents of this screen. `update` reads what it shows then.
    ///
    /// - Returns: The events to show.
    /// - Throws: `JournalError`, `ZoneError`
    func carryOut(_ intent: HistoryIntent, on model: inout ScreensViewModel, at now: Timestamp) throws
        -> [SessionEvent]
    {
        switch intent {
        case .askToTakeBack(let position): return askToTakeBack(position, &model)
        case .takeBack(let position, let id): return try takeBack(position, at: id)
        case .choose, .step, .show, .move, .select, .scroll, .showLatest, .showEarliest, .askRange,
            .toggleAnomalies:
            try turn(intent, on: &model, at: now)
            return []
        }
    }

    /// Chooses the range and the rows that are shown.
    private func turn(_ intent: HistoryIntent, on model: inout ScreensViewModel, at now: Timestamp) throws {
        switch intent {
        case .choose(let range):
            choice = HistoryChoice(range)
            forget()
        case .step(let step):
            guard let span = reading?.span, choice.move(step, from: span, now: now) else { return }
            forget()
        case .show(let text): show(text, on: &model, at: now)
        case .move(let rows, let visible):
            try reading?.select(by: rows, visible: visible, in: session.journal)
        case .select(let position): reading?.select(position)
        case .scroll(let rows, let visible):
            try reading?.scroll(by: rows, visible: visible, in: session.journal)
        case .showLatest: try reading?.showLatest(in: session.journal)
        case .showEarliest(let visible): try reading?.showEarliest(visible: visible, in: session.journal)
        // The view model has handled these.
        case .askRange, .toggleAnomalies, .askToTakeBack, .takeBack: break
        }
    }

    private func show(_ text: String, on model: inout ScreensViewModel, at now: Timestamp) {
        guard let location = location(of: model) else { return }
        do {
            let typed = try HistoryChoice(typed: text)
            _ = try typed.span(of: location, now: now)
            choice = typed
            forget()
            model.closeField()
        } catch {
            model.refuseField(ProgramError(error).sentence)
        }
    }
}

// MARK: - Taking back a row, whoever made it

extension HistoryTab {
    /// Asks for confirmation, or says why the row cannot be taken back.
    private func askToTakeBack(_ position: Position, _ model: inout ScreensViewModel) -> [SessionEvent] {
        if session.role == .viewer { return [.refused(CountingSession.viewerNotice)] }
        guard let reading, let (row, line) = reading.row(at: position) else { return [] }
        if let void = line.void { return [.refused("\(line.what) at \(line.time) was taken back \(void)")] }
        if case .setting = row.kind { return [.refused("a setting is changed in Admin, not taken back")] }
        let location = reading.span.location
        model.ask(
            Question(
                title: "Take this row back?", subject: location.name, gist: "\(line.what) at \(line.time)",
                paragraphs: [
                    "\(location.name): \(line.what) at \(line.time), \(line.origin)",
                    "It stays in the history, marked with your name and the time, and counts no more.",
                ],
                yes: .history(.takeBack(position, at: location.id))))
        return []
    }

    private func takeBack(_ position: Position, at id: Identifier) throws(JournalError) -> [SessionEvent] {
        let receipts = try session.append([.void(position)], at: id)
        let level = receipts.last?.level ?? 0
        return session.answered(receipts, done: "taken back; the count is \(level)")
    }
}
