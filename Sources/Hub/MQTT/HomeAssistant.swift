import CounterModel
import Linux

/// What Home Assistant finds at a broker by its MQTT discovery (home-assistant.io/integrations/mqtt/#mqtt-discovery): for each location sensors of
/// its count, and of how many came and went today.
struct HomeAssistant {
    /// The prefix of the topics of discovery: a setting of Home Assistant.
    private static let prefix = "homeassistant"

    /// A sensor of each location: the member of its status that it shows, and whether that is a sum that begins again each day, which falls
    /// where a count is taken back.
    private typealias Sensor = (member: String, title: String, isOfDay: Bool, icon: String)

    private static let sensors: [Sensor] = [
        ("count", "count", false, "mdi:counter"), ("totalIn", "in today", true, "mdi:location-enter"),
        ("totalOut", "out today", true, "mdi:location-exit"),
    ]

    /// The hub's id at the broker.
    let client: String
    /// An empty text removes what is retained.
    private static let removal = ""
    /// What was published, by topic.
    private var published: [String: String] = [:]
    /// Whether something is left to be published after a pause.
    private(set) var hasMore = false

    init(client: String) { self.client = client }

    /// Where it stands whether the hub is connected: `online`, `offline`.
    var availability: String { "counter/\(client)/status" }

    /// What is to be published, each for its topic, so that all is as these locations say: each with its line of `counter status --json`; nil
    /// where it is hidden: another run of the hub may have published it.
    mutating func changes(to locations: [(location: Location, status: String?)]) -> [(
        topic: String, payload: String
    )] {
        var wanted: [String: String] = [:]
        hasMore = false
        for (location, status) in locations {
            let state = "counter/\(client)/\(Self.word(location.id))"
            wanted[state] = status ?? Self.removal
            if status == nil, !isRemoved(location) {
                // Home Assistant takes a moment to give up sensors, and complains of an empty state meanwhile.
                wanted[state] = published[state]
                hasMore = true
            }
            for sensor in Self.sensors {
                wanted[topic(of: sensor, location)] =
                    status == nil ? Self.removal : config(of: sensor, location, state)
            }
        }
        let gone = published.keys.filter { wanted[$0] == nil }.map { ($0, Self.removal) }
        let changes = wanted.filter { published[$0.key] != $0.value }.map { ($0.key, $0.value) }
        published = wanted
        // Sensors (`homeassistant/…`) before what they show (`counter/…`).
        return (gone + changes).sorted { $0.0 > $1.0 }
    }

    private func isRemoved(_ location: Location) -> Bool {
        Self.sensors.allSatisfy { published[topic(of: $0, location)] == Self.removal }
    }

    private func id(of sensor: Sensor, _ location: Location) -> String {
        "\(client)-\(Self.word(location.id))-\(sensor.member)"
    }

    private func topic(of sensor: Sensor, _ location: Location) -> String {
        "\(Self.prefix)/sensor/\(id(of: sensor, location))/config"
    }

    private func config(of sensor: Sensor, _ location: Location, _ state: String) -> String {
        // See developers.home-assistant.io/docs/core/entity/sensor.
        let config: JSONLine = [
            "name": .text("\(location.name) \(sensor.title)"),
            "unique_id": .text(id(of: sensor, location)),
            "state_topic": .text(state),
            "value_template": .text("{{ value_json.\(sensor.member) }}"),
            "json_attributes_topic": .text(sensor.member == "count" ? state : nil),
            "state_class": .text(sensor.isOfDay ? "total" : "measurement"),
            "last_reset_value_template": .text(sensor.isOfDay ? "{{ value_json.day }}" : nil),
            "icon": .text(sensor.icon),
            "availability_topic": .text(availability),
            "device": .object([
                "identifiers": .list([client]),
                "name": .text("counter" + (HostName.current.map { " on \($0)" } ?? "")),
                "manufacturer": .text("counter"),
            ]),
            "origin": .object(["name": .text("counter-hub")]),
        ]
        return config.text
    }

    /// An id as a level of a topic: letters, digits, `_` and `-`, others as `_` and their number in hexadecimal.
    private static func word(_ id: Identifier) -> String {
        id.text.unicodeScalars.map { sign in
            let isPlain = sign.isASCII && (sign.properties.isAlphabetic || "0"..."9" ~= sign) || sign == "-"
            return isPlain ? String(sign) : "_" + String(sign.value, radix: 16)
        }.joined()
    }
}
