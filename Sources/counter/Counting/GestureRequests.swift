import CounterModel
import CounterStore
import VolumeInput

/// Turns the gestures of input devices into requests, which wait for the next commit.
struct GestureRequests {
    let service: CounterService<SQLiteJournal>
    let ingestion: DeviceIngestionService<SQLiteJournal>

    /// Adds the request of a gesture to those that wait.
    ///
    /// - Returns: An event that is to be shown besides the count, if any.
    func take(_ gesture: VolumeEvent, of source: String, at time: Timestamp) -> SessionEvent? {
        switch gesture.type {
        case .volumeUp(let count, let isRepeat): enter(.in, count, isRepeat, source, time)
        case .volumeDown(let count, let isRepeat): enter(.out, count, isRepeat, source, time)
        case .takenBack(let counts): service.takeBack(tokens: counts.map(\.rawValue), timestamp: time)
        case .simultaneousBoth, .reset:
            service.reset(location: ingestion.location(of: source), device: source, timestamp: time)
        case .holdLimitReached:
            return .notice("a key was down for too long; it is taken as released")
        }
        return nil
    }

    private func enter(
        _ type: EntryType, _ count: CountID, _ isRepeat: Bool, _ source: String, _ time: Timestamp
    ) {
        ingestion.receive(
            DeviceEvent(
                type: type, deviceId: source, timestamp: time, continuesHold: isRepeat, token: count.rawValue)
        )
    }
}
