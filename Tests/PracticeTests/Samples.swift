import CounterModel
import Practice

/// Results, players and moments of the tests.
enum Sample {
    /// 2026-06-01 12:00:00 UTC.
    static let noon = Timestamp(seconds: 1_780_315_200)
    static let utc = OperationalCalendar(zone: .utc)

    static func result(
        _ activity: ActivityType = .zahlenWuerfel, level: Int = 1, solved: Bool = true, mistakes: Int = 0,
        hints: Int = 0, seconds: Int = 30, at: Timestamp = noon
    ) -> LevelResult {
        LevelResult(
            activity: activity, level: level, solved: solved, mistakes: mistakes, hints: hints,
            solveTime: .seconds(seconds), endedAt: at)
    }

    static func player(_ id: String = "a") -> PlayerData {
        PlayerData(id: id, name: "Ada", avatar: .bear, createdAt: noon)
    }

    static func session(
        _ levels: [LevelResult] = [], minutes: Int = 15, hour: Int = 16, number: Int64 = 1
    ) -> SessionMetrics {
        var session = SessionMetrics(sessionId: number, playerId: "a", startTime: noon, startHour: hour)
        session.levels = levels
        session.duration = .seconds(minutes * 60)
        session.endTime = noon.later(by: minutes * 60)
        return session
    }
}

extension Timestamp {
    /// Some seconds later; earlier where negative.
    func later(by seconds: Int) -> Timestamp { Timestamp(seconds: self.seconds + seconds) }
}
