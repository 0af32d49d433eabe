import CounterModel
import CounterStore
import CounterTUI
import Linux
import Reports

/// Behind the History screen: reads a range of the selected location's history when it is shown and has changed.
final class HistoryTab: TabFeed {
    private let context: TabContext
    private var choice = HistoryChoice()
    private var isOutOfDate = true
    private var pace = ReadingPace(at: .now)
    private(set) var nextReading: MonotonicTime?
    private(set) var wallDeadline: Timestamp?

    init(_ context: TabContext) { self.context = context }

    private var session: CountingSession { context.session }
    private var model: HistoryViewModel { context.screens.history }
    private var reading: HistoryReading? { model.reading }

    func journalChanged() { isOutOfDate = true }

    func update(at now: Timestamp, isInForeground: Bool) throws {
        (nextReading, wallDeadline) = (nil, nil)
        model.mayChange = session.role == .admin
        guard let location = context.location else { return }
        if reading?.span.location != location { turn(to: location) }
        if isOutOfDate || isInForeground && reading?.isOver(at: now) ?? true {
            if MonotonicTime.now >= pace.next { try read(location, at: now) } else { nextReading = pace.next }
        }
        if isInForeground, let end = reading?.end, end > now { wallDeadline = end }
    }

    /// Another location has other days, so it starts at the chosen range.
    private func turn(to location: Location) {
        forget()
        guard reading?.span.location.id != location.id else { return }
        choice.leaveNeighbours()
        model.reading = nil
    }

    private func read(_ location: Location, at now: Timestamp) throws {
        let start = MonotonicTime.now
        let span = try choice.span(of: location, now: now)
        model.reading = try HistoryReading(
            of: span, in: session.journal, silentAfter: session.settings.silentAfter, at: now, after: reading,
            timers: session.timers.board,
            deviceName: { [session] in session.devices.name(of: $0, own: $0.text) })
        isOutOfDate = false
        pace.note(from: start, to: .now)
    }

    /// Discards the reading; the next update reads again.
    private func forget() { (isOutOfDate, pace) = (true, ReadingPace(at: .now)) }
}

// MARK: - What keys do; `update` reads what is shown then

extension HistoryTab: HistoryActions {
    func choose(_ selection: HistorySelection) {
        choice = HistoryChoice(selection)
        forget()
    }

    func step(_ step: HistoryChoice.Step) {
        guard let span = reading?.span, choice.move(step, from: span, now: WallClock().now) else { return }
        forget()
    }

    func show(typed text: String) {
        guard let location = context.location else { return }
        do {
            let typed = try HistoryChoice(typed: text)
            _ = try typed.span(of: location, now: WallClock().now)
            choice = typed
            forget()
            context.shared.closeField()
        } catch {
            context.shared.refuseField(ProgramError(error).sentence)
        }
    }

    func select(_ position: Position) { model.reading?.select(position) }

    func move(_ move: HistoryReading.Move, visible: Int) {
        attempt { try model.reading?.move(move, visible: visible, in: session.journal) }
    }

    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch { context.show([.notice(ProgramError(error).sentence)]) }
    }

    /// Asks for confirmation, or says why the row cannot be taken back. Whoever made it does not matter.
    func askToTakeBack(_ position: Position) {
        context.carryOut {
            guard let reading, let (row, line) = reading.row(at: position) else { return [] }
            if let void = line.void {
                return [.refused("\(line.what) at \(line.time) was taken back \(void)")]
            }
            if case .setting = row.row.content {
                return [.refused("a setting is changed in Admin, not taken back")]
            }
            let location = reading.span.location
            let reopened = try session.journal.reopening(position, of: location)
            context.shared.ask(
                Question(
                    title: "Take this row back?", subject: location.name,
                    gist: reopened?.words ?? "\(line.what) at \(line.time)",
                    paragraphs: [
                        "\(location.name): \(line.what) at \(line.time), \(line.origin)", reopened?.words,
                        "It stays in the history, marked with your name and the time, and counts no more.",
                    ].compactMap(\.self)
                ) { self.takeBack(position, at: location.id) })
            return []
        }
    }

    private func takeBack(_ position: Position, at id: Identifier) {
        attempt {
            context.show(session.answered(try session.append(.void(position), at: id)))
        }
    }
}
