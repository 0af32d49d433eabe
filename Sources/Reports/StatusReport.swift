public import CounterModel
public import CounterStore
import System
import Transfer

/// A location as `counter status` prints it.
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

    /// The words for what is odd now, as JSON has them.
    private var anomalies: [String] {
        (state.isOvercrowded ? ["overcrowding"] : []) + (state.hasNegativeDrift ? ["negativeDrift"] : [])
            + (staleDevices.isEmpty ? [] : ["staleDevice"])
            + (location.zoneNote == nil ? [] : ["unknownZone"])
    }

    /// What a script is told.
    public var verdict: StatusVerdict {
        if state.status == .full { return .full }
        if state.hasNegativeDrift || !staleDevices.isEmpty { return .unreliable }
        return state.status == .warning ? .warning : .room
    }
}

// MARK: For people

extension StatusReport {
    /// For a table.
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
        if state.hasNegativeDrift { notes.append("negative drift: \(state.level)") }
        if !staleDevices.isEmpty {
            notes.append("stale: \(staleDevices.map(\.name).joined(separator: ", "))")
        }
        return notes
    }
}

extension Int? {
    /// The number; a dash where there is none.
    fileprivate var text: String { map(String.init) ?? "-" }
}

extension Duration {
    /// In its greatest unit, rounded down: `12s`, `3min`, `5h`, `2d`.
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

// MARK: For scripts

extension StatusReport {
    /// An object.
    public var json: String {
        var object = JSONLine()
        object.add("locationId", location.id)
        object.add("name", location.name)
        object.add("currentCount", state.currentCount)
        object.add("level", state.level)
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

/// What `counter status --exit-code` ends with.
public enum StatusVerdict: CInt, Sendable {
    /// There is room.
    case room = 0
    /// 80 % of the capacity or more.
    case warning = 1
    /// No room is left.
    case full = 2
    /// The count cannot be relied on.
    case unreliable = 3

    /// A place that is full matters more than one whose count may be wrong, and that more than one that fills.
    public static let byUrgency: [StatusVerdict] = [.full, .unreliable, .warning, .room]
}
