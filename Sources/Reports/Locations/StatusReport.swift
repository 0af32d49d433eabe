package import CounterModel
package import CounterStore
import Linux
import Transfer

/// The row that `counter status` prints for a location.
package struct StatusReport {
    /// The columns of a table.
    package static let header = [
        "NAME", "COUNT", "CAPACITY", "FULL", "LEFT", "STATUS", "SEEN", "IN", "OUT", "NOTES",
    ]

    private let location: Location
    private let state: CounterState
    private let day: OperationalDay
    private let kpis: KPIs
    private let lastSeenAt: Timestamp?
    private let staleDevices: [Device]
    private let neverSeen: [Device]
    private let now: Timestamp

    /// Reads a location's state.
    ///
    /// - Throws: `JournalError`
    package init(
        _ location: Location, in journal: SQLiteJournal, staleAfter: Duration, silentAfter: Duration,
        now: Timestamp
    ) throws {
        let devices = try LocationDevices(of: location.id, in: journal)
        self.location = location
        self.now = now
        state = try journal.stateOrZero(of: location.id)
        let (day, kpis) = try journal.today(of: location, silentAfter: silentAfter, now: now)
        (self.day, self.kpis) = (day, kpis)
        staleDevices = devices.expected(on: day).filter {
            $0.isStale(after: staleAfter.microseconds, now: now)
        }
        neverSeen = devices.neverSeen
        let signs = [devices.isConnected ? now : devices.lastSeenAt, state.lastEventAt]
        lastSeenAt = signs.compactMap(\.self).max()
    }

    /// The names of the current anomalies, as used in JSON.
    private var anomalies: [String] {
        (state.isOvercrowded ? ["overcrowding"] : []) + (state.hasNegativeDrift ? ["negativeDrift"] : [])
            + (staleDevices.isEmpty ? [] : ["staleDevice"])
            + (location.zoneNote == nil ? [] : ["unknownZone"])
    }

    /// The bits for `--exit-code`.
    package var bits: StatusBits {
        var bits: StatusBits = []
        if !staleDevices.isEmpty { bits.insert(.stale) }
        if state.hasNegativeDrift { bits.insert(.negativeDrift) }
        if state.isOvercrowded { bits.insert(.overcrowded) }
        switch state.status {
        case .warning: bits.insert(.warning)
        case .full: bits.insert(.full)
        case .ok, nil: break
        }
        return bits
    }
}

// MARK: Text

extension StatusReport {
    /// The cells of a table's row.
    package var cells: [String] {
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
        if location.isHidden { notes.append("hidden") }
        if let note = location.zoneNote { notes.append(note) }
        if state.isOvercrowded { notes.append("overcrowded") }
        if state.hasNegativeDrift { notes.append("\(state.moreLeftThanEntered) more left than entered") }
        if let target = state.target, let left = state.leftToTarget {
            notes.append(left == 0 ? "target \(target) reached" : "\(left) left to \(target)")
        }
        for (word, devices) in [("stale", staleDevices), ("never seen", neverSeen)] where !devices.isEmpty {
            notes.append("\(word): \(devices.map(\.name).joined(separator: ", "))")
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
    package var json: String {
        var object = JSONLine()
        object.add("locationId", location.id)
        object.add("name", location.name)
        object.add("count", state.currentCount)
        object.add("level", state.level)
        object.add("moreLeftThanEntered", state.moreLeftThanEntered)
        object.add("maxCapacity", state.maxCapacity)
        object.add("percentage", state.percentage)
        object.add("placesLeft", state.placesLeft)
        object.add("status", state.status?.rawValue)
        object.add("targetCount", state.target)
        object.add("leftToTarget", state.leftToTarget)
        object.add("lastUpdated", state.lastUpdated?.iso8601)
        object.add("lastEventAt", state.lastEventAt?.iso8601)
        object.add("lastSeenAt", lastSeenAt?.iso8601)
        object.add("day", "\(day.date)")
        object.add("totalIn", kpis.totalIn)
        object.add("totalOut", kpis.totalOut)
        object.add("anomalies", anomalies)
        object.add("staleDevices", staleDevices.map(\.id.text))
        return object.text
    }
}

/// The exit code of `counter status --exit-code`: the sum of what applies to any of the locations, 0 for nothing. Errors have
/// codes from 64 on.
package struct StatusBits: OptionSet, Sendable {
    /// The sum of the bits.
    package let rawValue: CInt

    /// Creates a set from a sum of bits.
    package init(rawValue: CInt) { self.rawValue = rawValue }

    /// A device has not been heard of for too long.
    package static let stale = StatusBits(rawValue: 1)
    /// 80 % of the capacity or more, but not full.
    package static let warning = StatusBits(rawValue: 2)
    /// Full.
    package static let full = StatusBits(rawValue: 4)
    /// More than 110 % of the capacity.
    package static let overcrowded = StatusBits(rawValue: 8)
    /// More exits than entries have been counted.
    package static let negativeDrift = StatusBits(rawValue: 16)
}
