import CounterModel
import Linux

/// What Home Assistant finds at a broker by its MQTT discovery (home-assistant.io/integrations/mqtt/#mqtt-discovery): for each location sensors of
/// its count, and of how many came and went today.
struct HomeAssistant {
    /// The prefix of the topics of discovery: a setting of Home Assistant.
    private static let prefix = "homeassistant"

    /// A sensor of each location.
    private struct Sensor {
        /// The member of a location's status that it shows.
        let member: String
        let title: String
        /// See developers.home-assistant.io/docs/core/entity/sensor.
        let stateClass: String
        let icon: String

        static let all = [
            Sensor(member: "count", title: "count", stateClass: "measurement", icon: "mdi:counter"),
            Sensor(
                member: "totalIn", title: "in today", stateClass: "total_increasing",
                icon: "mdi:location-enter"),
            Sensor(
                member: "totalOut", title: "out today", stateClass: "total_increasing",
                icon: "mdi:location-exit"),
        ]
    }

    /// The hub's id at the broker.
    let client: String
    /// An empty text removes what is retained.
    private static let removal = ""
    /// What was published, by topic.
    private var published: [String: String] = [:]

    init(client: String) { self.client = client }

    /// Where it stands whether the hub is connected: `online`, `offline`.
    var availability: String { "counter/\(client)/status" }

    /// What is to be published, each for its topic, so that all is as these locations say: each with its line of `counter status --json`; nil
    /// where it is hidden: another run of the hub may have published it.
    mutating func changes(to locations: [(location: Location, status: String?)]) -> [(
        topic: String, payload: String
    )] {
        var wanted: [String: String] = [:]
        for (location, status) in locations {
            let state = "counter/\(client)/\(Self.word(location.id))"
            wanted[state] = status ?? Self.removal
            for sensor in Sensor.all {
                let id = "\(client)-\(Self.word(location.id))-\(sensor.member)"
                wanted["\(Self.prefix)/sensor/\(id)/config"] =
                    status == nil ? Self.removal : config(of: sensor, location, id, state)
            }
        }
        let gone = published.keys.filter { wanted[$0] == nil }.map { ($0, Self.removal) }
        let changes = wanted.filter { published[$0.key] != $0.value }.map { ($0.key, $0.value) }
        published = wanted
        // Sensors (`homeassistant/…`) before what they show (`counter/…`).
        return (gone + changes).sorted { $0.0 > $1.0 }
    }

    private func config(of sensor: Sensor, _ location: Location, _ id: String, _ state: String) -> String {
        var device = JSONLine()
        device.add("identifiers", [client])
        device.add("name", "counter" + (HostName.current.map { " on \($0)" } ?? ""))
        device.add("manufacturer", "counter")
        var origin = JSONLine()
        origin.add("name", "counter-hub")
        var config = JSONLine()
        config.add("name", "\(location.name) \(sensor.title)")
        config.add("unique_id", id)
        config.add("state_topic", state)
        config.add("value_template", "{{ value_json.\(sensor.member) }}")
        if sensor.member == "count" { config.add("json_attributes_topic", state) }
        config.add("state_class", sensor.stateClass)
        config.add("icon", sensor.icon)
        config.add("availability_topic", availability)
        config.add("device", device)
        config.add("origin", origin)
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
