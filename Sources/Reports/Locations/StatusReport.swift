package import CounterModel
package import CounterStore
import Linux

/// The row that `counter status` prints for a location.
package struct StatusReport {
    let location: Location
    let state: CounterState
    let day: OperationalDay
    let totalIn, totalOut: Int
    let lastSeenAt: Timestamp?
    let staleDevices, neverSeen: [Device]
    /// That a day before today was not ended, without a full stop; nil where there is no such day.
    var overdue: String?
    let now: Timestamp

    /// The table of these rows: where all are tallies, its columns are of counts up and down.
    package static func table(of reports: [StatusReport]) -> Table<StatusReport> {
        let isOfTallies = reports.allSatisfy { $0.words == .tally }
        func flow(_ number: Int, _ report: StatusReport, _ sign: String) -> String {
            let isSigned = report.words == .tally && !isOfTallies && !report.isTotal && number > 0
            return isSigned ? "\(sign)\(number)" : "\(number)"
        }
        return Table([
            .init("locationId") { .text($0.location.id.text) },
            .init("name", "NAME") { .text($0.location.name) },
            .init("count", "COUNT") { .number($0.state.currentCount) },
            .init("level") { .number($0.state.level) },
            .init("moreLeftThanEntered") { .number($0.state.moreLeftThanEntered) },
            .init("maxCapacity", "CAPACITY") { .number($0.state.maxCapacity) },
            .init("percentage", "FULL", words: { $0.state.percentage.map { "\($0)%" } ?? "-" }) {
                .number($0.state.percentage)
            },
            .init("placesLeft", "LEFT") { .number($0.state.placesLeft) },
            .init("status", "STATUS", words: { $0.state.statusWord ?? "-" }) {
                .text($0.state.status?.rawValue)
            },
            .init("isOvercrowded") { .flag($0.words == .tally ? nil : $0.state.isOvercrowded) },
            .init("targetCount") { .number($0.state.target) },
            .init("leftToTarget") { .number($0.state.leftToTarget) },
            .init("lastUpdated") { .time($0.state.lastUpdated) },
            .init("lastEventAt") { .time($0.state.lastEventAt) },
            .init("lastSeenAt", "SEEN", words: \.age) { .time($0.lastSeenAt) },
            .init("day") { .text("\($0.day.date)") },
            .init("totalIn", isOfTallies ? "UP" : "IN", words: { flow($0.totalIn, $0, "+") }) {
                .number($0.totalIn)
            },
            .init("totalOut", isOfTallies ? "DOWN" : "OUT", words: { flow($0.totalOut, $0, "-") }) {
                .number($0.totalOut)
            },
            .init("anomalies") { .list($0.anomalies) },
            .init("staleDevices") { .list($0.staleDevices.map(\.id.text)) },
            .init(title: "NOTES") { $0.notes.joined(separator: "; ") },
        ])
    }

    private var words: FlowWords { FlowWords(capacity: state.maxCapacity) }

    private var isTotal: Bool { state.locationId == CounterState.sumId }

    private var age: String {
        guard let lastSeenAt else { return "never" }
        let age = max(.zero, now - lastSeenAt).components.seconds
        return "\(DurationText.age(seconds: Int(age), .card)) ago"
    }

    private var anomalies: [String] {
        (state.isOvercrowded ? ["overcrowding"] : []) + (state.hasNegativeDrift ? ["negativeDrift"] : [])
            + (staleDevices.isEmpty ? [] : ["staleDevice"])
            + (location.zoneNote == nil ? [] : ["unknownZone"])
    }

    private var notes: [String] {
        var notes: [String] = []
        if location.isHidden { notes.append("hidden") }
        if let note = location.zoneNote { notes.append(note) }
        if let overdue { notes.append(overdue) }
        if state.hasNegativeDrift { notes.append(state.driftNote) }
        if let target = state.target, let left = state.leftToTarget {
            notes.append(left == 0 ? "target \(target) reached" : "\(left) left to \(target)")
        }
        for (word, devices) in [("stale", staleDevices), ("never seen", neverSeen)] where !devices.isEmpty {
            notes.append("\(word): \(devices.map(\.name).joined(separator: ", "))")
        }
        return notes
    }
}

extension StatusReport {
    package init(
        _ location: Location, in journal: SQLiteJournal, staleAfter: Duration, silentAfter: Duration,
        now: Timestamp
    ) throws {
        let devices = try LocationDevices(of: location.id, in: journal)
        (self.location, self.now) = (location, now)
        state = try journal.stateOrZero(of: location.id)
        let (day, kpis) = try journal.today(of: location, silentAfter: silentAfter, now: now)
        (self.day, totalIn, totalOut) = (day, kpis.totalIn, kpis.totalOut)
        let silent = devices.expected(on: day).filter { $0.isStale(after: staleAfter, now: now) }
        if silent.isEmpty {
            staleDevices = []
        } else {
            let hours = try ReportingHours(of: location, in: journal, at: now)
            staleDevices = silent.filter { hours.isStale($0, after: staleAfter, now: now) }
        }
        neverSeen = devices.neverSeen
        let sentences = try? OverdueDayOffer.sentence(of: location, state, in: journal, at: now)
        // The first sentence is the problem; what follows is for screens.
        overdue = sentences.map { String($0.prefix { $0 != "." }) }
        let signs = [devices.isConnected ? now : devices.lastSeenAt, state.lastEventAt]
        lastSeenAt = signs.compactMap(\.self).max()
    }
}

extension [StatusReport] {
    /// The totals of the groups and of all, for people.
    package var totals: [StatusReport] {
        totals(by: \.location.group).map { name, members in
            let state = CounterState(sumOf: members.map(\.state))
            return StatusReport(
                location: Location(
                    id: state.locationId, name: name, timezone: "UTC", maxCapacity: state.maxCapacity),
                state: state, day: members[0].day, totalIn: members.reduce(0) { $0 + $1.totalIn },
                totalOut: members.reduce(0) { $0 + $1.totalOut },
                lastSeenAt: members.compactMap(\.lastSeenAt).max(), staleDevices: [], neverSeen: [],
                now: members[0].now)
        }
    }
}

extension StatusReport {
    /// What applies, as a sum for the exit code of `counter status --exit-code`; 0 for nothing. Errors have codes from 64 on.
    package var exitCode: CInt {
        var code: CInt = 0
        if !staleDevices.isEmpty { code |= 1 }
        if state.status == .warning { code |= 2 }
        if state.status == .full { code |= 4 }
        if state.isOvercrowded { code |= 8 }
        if state.hasNegativeDrift { code |= 16 }
        return code
    }
}
