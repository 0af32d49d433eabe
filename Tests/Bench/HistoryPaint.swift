import CounterModel
import CounterStore
import CounterTUI
import Linux
import Reports

extension LongJournal {
    /// Milliseconds to compute the cells of the History screen, 200 by 60, at the end of the journal; the median.
    func firstPaint(of selection: HistorySelection) throws -> Double {
        let calendar = OperationalCalendar(zone: .utc)
        let location = Location(id: Location.defaultId, name: "", timezone: "UTC")
        let range = try selection.range(in: calendar, now: end)
        let buckets = range.buckets(in: calendar)
        let hours = calendar.zone.hours(in: range).map(\.start)
        return try median {
            let kpis = try journal.kpis(
                of: location, hours: hours, end: range.end, now: end, bars: buckets.map(\.start),
                silence: 1_800_000_000)
            let texts = HistoryTexts(LocationSpan(location, range), now: end, deviceName: \.text)
            var window = HistoryWindow(range: range)
            try window.showLatest { (page) throws(JournalError) in try journal.history(of: location.id, page)
            }
            let screens = Screens()
            screens.history.summary = texts.summary(kpis)
            screens.history.list = HistoryList(lines: window.rows.map(texts.line), top: window.top)
            let blank = Frame(size: Size(columns: 200, rows: 60))
            screens.action(for: .character("3"), on: blank)?()
            let capabilities = Capabilities(glyphs: .quadrants, palette: .many)
            let frame = ScreensView(capabilities).draw(screens, size: blank.grid.size)
            precondition(frame.grid.lines.contains { $0.contains("up \(kpis.totalIn)") })
        }
    }
}
