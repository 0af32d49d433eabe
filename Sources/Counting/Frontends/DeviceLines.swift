import Linux
import VolumeInput

/// Which input devices were connected, disconnected or are intercepted differently, a line for each.
struct DeviceLines {
    /// The last line of each input device.
    private var told: [Identifier: String] = [:]

    /// The lines for what has changed since the last call.
    mutating func changes(_ session: CountingSession, _ policy: CapturePolicy) -> [String] {
        var present: [Identifier: String] = [:]
        for device in session.inputDevices {
            let name = session.devices.name(of: device.stableID, own: device.name)
            let why = device.present.explained(by: policy).reason.map { ": \($0)" } ?? ""
            present[device.stableID] = "\(name.sanitised): \(device.present.state.rawValue)\(why)"
        }
        defer { told = present }
        return present.sorted { $0.key < $1.key }.filter { told[$0.key] != $0.value }.map(\.value)
            + told.keys.sorted().filter { present[$0] == nil }
            .map { "\(session.devices.name(of: $0, own: $0.text).sanitised): gone" }
    }
}
