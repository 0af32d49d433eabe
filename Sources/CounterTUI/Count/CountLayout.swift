/// Distributes the rows of the Count screen. The number takes what is left, and less important lines are added only once
/// it is large enough.
struct CountLayout {
    /// The lines directly below the number.
    private(set) var caption: [Line]
    /// The number of caption lines that were asked for.
    private let captionLines: Int
    /// The lines at the bottom.
    let footer: [Line]
    /// Empty rows between the number and its caption.
    let air: Int
    /// Empty rows between the top line and the number.
    let margin: Int

    /// `rows` are all rows but the top line. The caption, the first alert and the key line are always shown.
    init(
        rows: Int, caption: [Line], alerts: [Line], keyed: [Line] = [], timers: [Line] = [],
        inputDevices: [Line], keys: [Line]
    ) {
        var budget = RowBudget(rows: rows - 1 - keys.count - min(1, alerts.count))
        var shownAlerts = min(1, alerts.count)
        var shownDevices = 0
        while shownAlerts < alerts.count, budget.take(keeping: 3) { shownAlerts += 1 }
        var shownKeyed = 0
        while shownKeyed < keyed.count, budget.take(keeping: 3) { shownKeyed += 1 }
        if inputDevices.count > 0, budget.take(keeping: 3) { shownDevices = 1 }
        let shownTimers = !timers.isEmpty && budget.take(keeping: 3) ? timers : []
        captionLines = caption.count
        var shownCaption = min(1, caption.count)
        while shownCaption < caption.count, budget.take(keeping: 3) { shownCaption += 1 }
        self.caption = Array(caption.prefix(shownCaption))
        while shownDevices < inputDevices.count, budget.take(keeping: 7) { shownDevices += 1 }
        air = budget.take(keeping: 8) ? 1 : 0
        margin = budget.take(keeping: 9) ? 1 : 0
        let aboveAll: [Line] = budget.take(keeping: 10) ? [.blank] : []
        let aboveKeys: [Line] = shownDevices > 0 && budget.take(keeping: 10) ? [.blank] : []
        let belowAlerts: [Line] = shownAlerts > 0 && budget.take(keeping: 10) ? [.blank] : []
        var lines = aboveAll
        lines += alerts.prefix(shownAlerts) + belowAlerts
        lines += keyed.prefix(shownKeyed) + shownTimers
        lines += inputDevices.prefix(shownDevices) + aboveKeys
        footer = lines + keys
    }

    /// The same layout with another caption; nil where that needs a different number of lines.
    func with(caption: [Line]) -> CountLayout? {
        guard caption.count == captionLines else { return nil }
        var layout = self
        layout.caption = Array(caption.prefix(layout.caption.count))
        return layout
    }
}
