import CounterModel
import CounterTUI
import Reports

/// Takes back a row that the user has chosen in the history, whoever made it.
struct RowUndo {
    let session: CountingSession

    /// Asks for confirmation, or says why the row cannot be taken back.
    ///
    /// - Parameters:
    ///   - position: The row.
    ///   - reading: What the screen shows.
    ///   - model: Gets the question.
    /// - Returns: The events to show.
    func ask(_ position: Position, _ reading: HistoryReading?, _ model: inout ScreensViewModel)
        -> [SessionEvent]
    {
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

    /// Takes the row back.
    ///
    /// - Returns: The events to show.
    /// - Throws: `JournalError`; then nothing has changed.
    func takeBack(_ position: Position, at id: String) throws -> [SessionEvent] {
        let receipts = try session.append([.void(position)], at: id)
        let isRefused = receipts.contains { $0.refusal != nil }
        let level = receipts.last?.level ?? 0
        let done = isRefused ? [] : [SessionEvent.done("taken back; the count is \(level)")]
        return done + session.answered(receipts)
    }
}
