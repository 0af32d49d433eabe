package import Linux

/// Turns the events of devices into requests, whatever the transport: volume keys, lines on a pipe or a socket.
///
/// It knows the location of each device and which devices are disabled. The next `CounterService.commit` stores what it has
/// queued.
package final class DeviceIngestionService<Repository: JournalRepository> {
    private let service: CounterService<Repository>
    /// The id of the location for devices that are not assigned to one.
    package var ownLocation: Identifier
    private var devices: [Identifier: Device] = [:]

    /// Creates a service.
    ///
    /// - parameters:
    ///     - service: The service whose queue it fills.
    ///     - location: The id of the location for devices that are not assigned to one.
    package init(_ service: CounterService<Repository>, location: Identifier) {
        self.service = service
        ownLocation = location
    }

    /// Applies the journal's settings of devices.
    package func update(devices: [Device]) {
        self.devices = Dictionary(devices.map { ($0.id, $0) }) { $1 }
    }

    /// The id of the location that a device counts into, where its events name none.
    package func location(of deviceId: Identifier) -> Identifier {
        devices[deviceId]?.locationId ?? ownLocation
    }

    /// Whether a device's events count. Those of an unknown device do.
    package func isActive(_ deviceId: Identifier) -> Bool { devices[deviceId]?.isActive ?? true }

    /// Queues an event.
    ///
    /// - returns: False where the device is disabled; then nothing is queued.
    @discardableResult
    package func receive(_ event: DeviceEvent) -> Bool {
        guard isActive(event.deviceId) else { return false }
        service.count(
            event.type, times: event.times, device: event.deviceId,
            location: event.locationId ?? location(of: event.deviceId), timestamp: event.timestamp,
            source: .hardware, token: event.token,
            continuesHold: event.continuesHold,
            sequenceNumber: event.sequenceNumber)
        return true
    }

    /// Queues a row taken over from another journal, unchanged.
    package func receive(_ row: Request) { service.take(row) }
}
