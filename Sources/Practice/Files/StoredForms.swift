import CounterModel
import SQL

/// What stored numbers may be. The program adds to them, so they end long before an `Int` does, and long after any player has
/// stopped: a number outside was not written by it.
enum Stored {
    static let counts: ClosedRange<Int64> = 0...1_000_000_000_000
    /// In microseconds: up to some 300 years.
    static let spans: ClosedRange<Int64> = 0...10_000_000_000_000_000
    static let shares = 0.0...1.0
    /// Mistakes and hints per level, and seconds.
    static let averages = 0.0...1e12
}

/// Values as the program wrote them. Each throws `SQLError` for any other value: a damaged file is an error in words, and never a
/// number that a sum or a conversion stops at. That the values are of their columns' types was examined when the file was opened.
extension Row {
    func number(_ name: StaticString, in range: ClosedRange<Int64> = Stored.counts) throws(SQLError) -> Int {
        let value: Int64 = try self[name]
        guard range.contains(value) else { throw damaged(name) }
        return Int(value)
    }

    func fraction(_ name: StaticString, in range: ClosedRange<Double>) throws(SQLError) -> Double {
        guard let value = self[name] as Double?, range.contains(value) else { throw damaged(name) }
        return value
    }

    func flag(_ name: StaticString) throws(SQLError) -> Bool { try number(name, in: 0...1) == 1 }

    func span(_ name: StaticString) throws(SQLError) -> Duration {
        .microseconds(try number(name, in: Stored.spans))
    }

    func moment(_ name: StaticString) throws(SQLError) -> Timestamp {
        guard let moment = try momentIfAny(name) else { throw damaged(name) }
        return moment
    }

    func momentIfAny(_ name: StaticString) throws(SQLError) -> Timestamp? {
        guard let moment = (self[name] as Int64?).map(Timestamp.init(microseconds:)) else { return nil }
        guard Timestamp.journalTimes.contains(moment) else { throw damaged(name) }
        return moment
    }

    func dayIfAny(_ name: StaticString) throws(SQLError) -> CalendarDate? {
        guard let text = self[name] as String? else { return nil }
        guard let day = CalendarDate(iso8601: text) else { throw damaged(name) }
        return day
    }

    /// A text that was typed as a name, or is one of the program's own words.
    func name(_ name: StaticString) throws(SQLError) -> String {
        let text: String = try self[name]
        guard Reward.admits(name: text) else { throw damaged(name) }
        return text
    }

    func activity(_ name: StaticString) throws(SQLError) -> ActivityType {
        guard let activity = ActivityType(rawValue: try self[name]) else { throw damaged(name) }
        return activity
    }

    func damaged(_ name: StaticString) -> SQLError {
        .contradiction("\(name) has a value that this program never writes")
    }
}

extension Duration {
    /// Microseconds, as stored.
    var stored: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }
}

extension CoinReason {
    /// The columns of a row: the kind, what it was for, and the level.
    var stored: (reason: String, subject: String, level: Int?) {
        switch self {
        case .levelSolved(let activity, let level): ("level_solved", activity.rawValue, level)
        case .withoutMistake(let activity, let level): ("without_mistake", activity.rawValue, level)
        case .video(let id): ("video", id, nil)
        case .reward(let name): ("reward", name, nil)
        }
    }

    /// - Returns: `nil` for a row that this version does not know.
    init?(reason: String, subject: String, level: Int?) {
        switch (reason, ActivityType(rawValue: subject)) {
        case ("level_solved", let activity?): self = .levelSolved(activity, level: level ?? 1)
        case ("without_mistake", let activity?): self = .withoutMistake(activity, level: level ?? 1)
        case ("video", _): self = .video(id: subject)
        case ("reward", _): self = .reward(name: subject)
        default: return nil
        }
    }
}
