public import CounterModel
public import CounterStore
import System
import Transfer

/// The row that `counter status` prints for a location.
public struct StatusReport {
    /// The columns of a table.
    public static let header = [
        "NAME", "COUNT", "CAPACITY", "FULL", "LEFT", "STATUS", "SEEN", "IN", "OUT", "NOTES",
    ]

    private let location: Location
    private let state: CounterState
    private let day: OperationalDay
    private let kpis: KPIs
    private let lastSeenAt: Timestamp?
    private let staleDevices: [Device]
    private let now: Timestamp

    /// Reads a location's state.
    ///
    /// - Throws: `JournalError`
    public init(
        _ location: Location, in journal: SQLiteJournal, staleAfter: Duration, silentAfter: Duration,
        now: Timestamp
    ) throws {
        let devices = try LocationDevices(of: location.id, in: journal)
        self.location = location
        self.now = now
        state = try journal.existingState(of: location.id)
        let (day, kpis) = try journal.today(of: location, silentAfter: silentAfter, now: now)
        (self.day, self.kpis) = (day, kpis)
        staleDevices = devices.expected(on: day).filter {
            $0.isStale(after: staleAfter.microseconds, now: now)
        }
        let signs = [devices.isConnected ? now : devices.lastSeenAt, state.lastEventAt]
        lastSeenAt = signs.compactMap(\.self).max()
    }

    /// The names of the current anomalies, as used in JSON.
    private var anomalies: [String] {
        (state.isOvercrowded ? ["overcrowding"] : []) + (state.hasNegativeDrift ? ["negativeDrift"] : [])
            + (staleDevices.isEmpty ? [] : ["staleDevice"])
            + (location.zoneNote == nil ? [] : ["unknownZone"])
    }

    /// The verdict for `--exit-code`.
    public var verdict: StatusVerdict {
        if state.status == .full { return .full }
        if state.hasNegativeDrift || !staleDevices.isEmpty { return .unreliable }
        return state.status == .warning ? .warning : .room
    }
}

// MARK: Text

extension StatusReport {
    /// The cells of a table's row.
    public var cells: [String] {
        [
            location.name, String(state.currentCount), state.maxCapacity.text,
            state.percentage.map { "\($0)%" } ?? "-",
            state.placesLeft.text, state.status?.rawValue ?? "-", age, String(kpis.totalIn),
            String(kpis.totalOut), notes.joined(separator: "; "),
        ]
    }

    private var age: String {
        lastSeenAt.map { "\(Duration.microseconds(max(0, now.microseconds - $0.microseconds)).roughly) ago" }
            ?? "never"
    }

    private var notes: [String] {
        var notes: [String] = []
        if location.isHidden { notes.append("removed") }
        if let note = location.zoneNote { notes.append(note) }
        if state.isOvercrowded { notes.append("overcrowded") }
        if state.hasNegativeDrift { notes.append("\(state.moreLeftThanEntered) more left than entered") }
        if !staleDevices.isEmpty {
            notes.append("stale: \(staleDevices.map(\.name).joined(separator: ", "))")
        }
        return notes
    }
}

extension Int? {
    /// The number as text; a dash for nil.
    fileprivate var text: String { map(String.init) ?? "-" }
}

extension Duration {
    /// The duration in its largest unit, rounded down: `12s`, `3min`, `5h`, `2d`.
    fileprivate var roughly: String {
        let seconds = components.seconds
        switch seconds {
        case ..<60: return "\(seconds)s"
        case ..<3600: return "\(seconds / 60)min"
        case ..<86_400: return "\(seconds / 3600)h"
        default: return "\(seconds / 86_400)d"
        }
    }
}

// MARK: JSON

extension StatusReport {
    /// The status as a JSON object.
    public var json: String {
        var object = JSONLine()
        object.add("locationId", location.id)
        object.add("name", location.name)
        object.add("currentCount", state.currentCount)
        object.add("level", state.level)
        object.add("moreLeftThanEntered", state.moreLeftThanEntered)
        object.add("maxCapacity", state.maxCapacity)
        object.add("percentage", state.percentage)
        object.add("placesLeft", state.placesLeft)
        object.add("status", state.status?.rawValue)
        object.add("lastUpdated", state.lastUpdated?.iso8601)
        object.add("lastEventAt", state.lastEventAt?.iso8601)
        object.add("lastSeenAt", lastSeenAt?.iso8601)
        object.add("day", "\(day.date)")
        object.add("totalIn", kpis.totalIn)
        object.add("totalOut", kpis.totalOut)
        object.add("anomalies", anomalies)
        object.add("staleDevices", staleDevices.map(\.id))
        return object.text
    }
}

/// The exit code of `counter status --exit-code`.
public enum StatusVerdict: CInt, Sendable {
    /// There is room, and the count is reliable.
    case room = 0
    /// 80 % of the capacity or more.
    case warning = 1
    /// The location is full.
    case full = 2
    /// The count may be wrong.
    case unreliable = 3

    /// The most urgent verdict first: a full location matters more than an unreliable count, and an unreliable count more
    /// than a location that is nearly full.
    public static let byUrgency: [StatusVerdict] = [.full, .unreliable, .warning, .room]
}
