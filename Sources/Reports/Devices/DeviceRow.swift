package import CounterModel
import KeyProtocol
package import Linux
package import VolumeInput

/// An input device as `counter devices` prints it.
package struct DeviceRow {
    private let id: Identifier
    private let name, state: String
    private let location: Identifier
    private let isActive: Bool
    /// nil where it is not connected to this machine.
    private let device: InputDevice?
    /// nil there too, and where another program intercepts it, which is why this one could not.
    private let plan: DeviceSummary?
    /// What the journal knows of it; nil where it was never seen.
    private let known: Device?

    /// The connected devices first, then the others that the journal knows. They count into `location` where nothing assigns
    /// them.
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
        self.known = known
        self.device = device
        plan = devices.otherProgram(counting: device.stableID) == nil ? device.planned : nil
        id = device.stableID
        name = devices.name(of: device.stableID, own: device.name)
        isActive = !devices.inactive.contains(device.stableID)
        state = isActive ? device.planned.state.rawValue : "disabled"
        location = known?.connection?.locationId ?? devices.location(of: device.stableID, else: ownLocation)
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
        (self.device, plan) = (nil, nil)
    }

    package static var table: Table<DeviceRow> {
        Table(
            [
                .init("deviceId", "ID") { .text($0.id.text) },
                .init("name", "NAME") { .text($0.name) },
                .init(
                    "state", "STATE", words: { row in row.countedBy.map { "counted by \($0)" } ?? row.state }
                ) {
                    .text($0.state)
                },
                .init("locationId", "LOCATION") { .text($0.location.text) },
                .init("isActive") { .flag($0.isActive) },
                .init("countedBy") { .text($0.countedBy) },
                .init("connectedSince", "CONNECTED SINCE") { .time($0.known?.connection?.since) },
                .init("lastSeenAt", "LAST SEEN") { .time($0.known?.lastSeenAt) },
                .init("bus") { .text($0.device?.nodes.first?.bus) },
                .init("nodes", "NODES") { .list($0.nodes.map(\.path)) },
                .init("keys", "KEYS") { .list($0.keys) },
                .init("reason") { .text($0.plan?.reason) },
                .init("remedy") { .text($0.plan?.remedy) },
            ], titles: ["NAME", "STATE", "LOCATION", "ID", "CONNECTED SINCE", "LAST SEEN", "NODES", "KEYS"])
    }

    private var nodes: [NodeReport] { device?.nodes ?? [] }

    private var keys: [String] {
        CountedKey.allCases.filter { key in nodes.contains { $0.keys.contains(key) } }
            .map { "\($0)" }
    }

    /// The program of ours that counts it now; nil where none does.
    private var countedBy: String? { isActive ? known?.connection?.program : nil }

    /// Why the device is not intercepted, as a sentence; `nil` where there is nothing to say.
    package var explanation: String? {
        plan?.reason.map { "\(name.sanitised): \($0)" + (plan?.remedy.map { "; \($0)" } ?? "") }
    }
}
