public import CounterModel
import KeyProtocol
import System
import Transfer
public import VolumeInput

/// An input device as `counter devices` prints it.
public struct DeviceRow {
    /// The columns of a table.
    public static let header = ["NAME", "STATE", "LOCATION", "ID", "NODES", "KEYS"]

    private let id: String
    private let name: String
    private let state: String
    private let location: String
    private let bus: String?
    private let nodes: [String]
    private let keys: [String]
    private let isActive: Bool
    private let reason: String?
    private let remedy: String?

    /// The connected devices first, then the others that the journal knows.
    ///
    /// - Parameters:
    ///   - sources: The connected devices.
    ///   - known: The journal's devices.
    ///   - location: The id of the location that a device counts into where nothing assigns it.
    /// - Returns: A row for each.
    public static func rows(_ sources: [Source], _ known: [Device], location: String) -> [DeviceRow] {
        let devices = Devices(known)
        let present = Set(sources.map(\.stableID))
        let away = known.filter { !present.contains($0.id) && !Devices.byHand.contains($0.id) }
        return sources.map { DeviceRow($0, devices, location) } + away.map { DeviceRow($0, location) }
    }

    private init(_ source: Source, _ devices: Devices, _ ownLocation: String) {
        let plan = source.planned
        id = source.stableID
        name = devices.name(of: source.stableID, own: source.name)
        isActive = !devices.inactive.contains(source.stableID)
        state = isActive ? plan.state.rawValue : "disabled"
        location = devices.location(of: source.stableID, else: ownLocation)
        bus = source.nodes.first?.bus
        nodes = source.nodes.map(\.path)
        keys = CountedKey.allCases.filter { key in
            source.nodes.contains { $0.keys.contains(CountedKeys(key)) }
        }
        .map { "\($0)" }
        reason = plan.reason
        remedy = plan.remedy
    }

    private init(_ device: Device, _ ownLocation: String) {
        id = device.id
        name = device.name
        isActive = device.isActive
        state = device.isActive ? "away" : "disabled"
        location = device.locationId ?? ownLocation
        bus = nil
        nodes = []
        keys = []
        reason = nil
        remedy = nil
    }

    /// The cells of a table's row.
    public var cells: [String] {
        [name, state, location, id, nodes.joined(separator: " "), keys.joined(separator: " ")]
    }

    /// Why the device is not intercepted, as a sentence; `nil` where there is nothing to say.
    public var explanation: String? {
        reason.map { "\(name.sanitised): \($0)" + (remedy.map { "; \($0)" } ?? "") }
    }

    /// The device as a JSON object.
    public var json: String {
        var object = JSONLine()
        object.add("id", id)
        object.add("name", name)
        object.add("state", state)
        object.add("locationId", location)
        object.add("isActive", isActive)
        object.add("bus", bus)
        object.add("nodes", nodes)
        object.add("keys", keys)
        object.add("reason", reason)
        object.add("remedy", remedy)
        return object.text
    }
}
