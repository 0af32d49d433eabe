package import CounterModel
import KeyProtocol
package import Linux
import Transfer
package import VolumeInput

/// An input device as `counter devices` prints it.
package struct DeviceRow {
    /// The columns of a table.
    package static let header = [
        "NAME", "STATE", "LOCATION", "ID", "CONNECTED SINCE", "LAST SEEN", "NODES", "KEYS",
    ]

    private let id: Identifier
    private let name: String
    private let state: String
    private let location: Identifier
    private let bus: String?
    private let nodes: [String]
    private let keys: [String]
    private let isActive: Bool
    private let reason: String?
    private let remedy: String?
    /// What the journal knows of it; nil where it was never seen.
    private let known: Device?

    /// The connected devices first, then the others that the journal knows.
    ///
    /// - Parameters:
    ///   - inputDevices: The connected devices.
    ///   - known: The journal's devices.
    ///   - location: The id of the location that a device counts into where nothing assigns it.
    /// - Returns: A row for each.
    package static func rows(_ inputDevices: [InputDevice], _ known: [Device], location: Identifier)
        -> [DeviceRow]
    {
        let devices = Devices(known)
        let byId = Dictionary(known.map { ($0.id, $0) }) { $1 }
        let present = Set(inputDevices.map(\.stableID))
        let away = known.filter { !present.contains($0.id) && !Devices.byHand.contains($0.id) }
        return inputDevices.map { DeviceRow($0, devices, byId[$0.stableID], location) }
            + away.map { DeviceRow($0, location) }
    }

    private init(_ device: InputDevice, _ devices: Devices, _ known: Device?, _ ownLocation: Identifier) {
        let plan = device.planned
        let program = devices.otherProgram(counting: device.stableID)
        self.known = known
        id = device.stableID
        name = devices.name(of: device.stableID, own: device.name)
        isActive = !devices.inactive.contains(device.stableID)
        state = isActive ? plan.state.rawValue : "disabled"
        location = known?.connection?.locationId ?? devices.location(of: device.stableID, else: ownLocation)
        bus = device.nodes.first?.bus
        nodes = device.nodes.map(\.path)
        keys = CountedKey.allCases.filter { key in
            device.nodes.contains { $0.keys.contains(CountedKeys(key)) }
        }
        .map { "\($0)" }
        // Who intercepts the device is why this program could not.
        reason = program == nil ? plan.reason : nil
        remedy = program == nil ? plan.remedy : nil
    }

    private init(_ device: Device, _ ownLocation: Identifier) {
        id = device.id
        name = device.name
        isActive = device.isActive
        known = device
        state =
            switch (device.isActive, device.isConnected, device.lastSeenAt) {
            case (false, _, _): "disabled"
            case (true, true, _): "connected"
            case (true, false, nil): "never seen"
            case (true, false, _): "away"
            }
        location = device.locationId ?? device.lastLocationId ?? ownLocation
        bus = nil
        nodes = []
        keys = []
        reason = nil
        remedy = nil
    }

    /// The cells of a table's row.
    package var cells: [String] {
        [
            name, stateText, location.text, id.text, time(known?.connection?.since), time(known?.lastSeenAt),
            nodes.joined(separator: " "), keys.joined(separator: " "),
        ]
    }

    /// The program of ours that counts it now; nil where none does.
    private var countedBy: String? { isActive ? known?.connection?.program : nil }

    private var stateText: String { countedBy.map { "counted by \($0)" } ?? state }

    private func time(_ time: Timestamp?) -> String { time?.localDateAndTime ?? "-" }

    /// Why the device is not intercepted, as a sentence; `nil` where there is nothing to say.
    package var explanation: String? {
        reason.map { "\(name.sanitised): \($0)" + (remedy.map { "; \($0)" } ?? "") }
    }

    /// The device as a JSON object.
    package var json: String {
        var object = JSONLine()
        object.add("deviceId", id)
        object.add("name", name)
        object.add("state", state)
        object.add("locationId", location)
        object.add("isActive", isActive)
        object.add("countedBy", countedBy)
        object.add("connectedSince", known?.connection?.since.iso8601)
        object.add("lastSeenAt", known?.lastSeenAt?.iso8601)
        object.add("bus", bus)
        object.add("nodes", nodes)
        object.add("keys", keys)
        object.add("reason", reason)
        object.add("remedy", remedy)
        return object.text
    }
}
