import CounterModel

/// A condition that a location has met, with its figures at that time.
struct WatchEvent {
    let condition: LocationCondition
    let state: CounterState
    /// The location's name at the present.
    let name: String
    let timestamp: Timestamp
    /// The ids of its stale devices, for `stale`.
    var staleDevices: [String] = []

    /// Environment variables for the command. A figure that does not exist is an empty text, so that none is inherited.
    var variables: [String: String] {
        [
            "COUNTER_EVENT": condition.rawValue,
            "COUNTER_LOCATION": state.locationId.text,
            "COUNTER_LOCATION_NAME": name,
            "COUNTER_COUNT": String(state.currentCount),
            "COUNTER_LEVEL": String(state.level),
            "COUNTER_MORE_LEFT_THAN_ENTERED": String(state.moreLeftThanEntered),
            "COUNTER_MAX_CAPACITY": state.maxCapacity.map(String.init) ?? "",
            "COUNTER_PERCENTAGE": state.percentage.map(String.init) ?? "",
            "COUNTER_PLACES_LEFT": state.placesLeft.map(String.init) ?? "",
            "COUNTER_STATUS": state.status?.rawValue ?? "",
            "COUNTER_STALE_DEVICES": staleDevices.joined(separator: "\n"),
            "COUNTER_TIMESTAMP": timestamp.iso8601,
            "COUNTER_POSITION": String(state.position.number),
        ]
    }

    /// For messages: `Hall: full`. It has no line feed: no name of a location may.
    var text: String { "\(name): \(condition.rawValue)" }
}
