/// Where what devices report becomes requests, whatever it came by: volume keys, lines on a pipe or a socket.
///
/// It knows which device counts into which location, and which are not to count. What it queues is stored by the
/// next `CounterService.commit`.
public final class DeviceIngestionService<Repository: JournalRepository> {
    private let service: CounterService<Repository>
    /// The id of the location that counts what nobody has assigned.
    public var ownLocation: String
    private var devices: [String: Device] = [:]

    /// Creates a service.
    ///
    /// - parameters:
    ///     - service: Where it queues.
    ///     - location: The id of the location that counts what nobody has assigned.
    public init(_ service: CounterService<Repository>, location: String) {
        self.service = service
        ownLocation = location
    }

    /// Takes over what the journal says of devices.
    public func update(devices: [Device]) {
        self.devices = Dictionary(devices.map { ($0.id, $0) }) { $1 }
    }

    /// The id of the location that a device counts into, where its events do not say.
    public func location(of deviceId: String) -> String { devices[deviceId]?.locationId ?? ownLocation }

    /// Whether a device is to count. One that is not known yet is.
    public func isActive(_ deviceId: String) -> Bool { devices[deviceId]?.isActive ?? true }

    /// Queues an event.
    ///
    /// - returns: False where the device is disabled; then nothing is queued.
    @discardableResult
    public func receive(_ event: DeviceEvent) -> Bool {
        guard isActive(event.deviceId) else { return false }
        service.count(
            event.type, device: event.deviceId, location: event.locationId ?? location(of: event.deviceId),
            timestamp: event.timestamp, source: .hardware, token: event.token,
            continuesHold: event.continuesHold,
            sequenceNumber: event.sequenceNumber)
        return true
    }

    /// Queues a row of another journal, to be taken over as it stands there.
    public func receive(_ row: Request) { service.take(row) }
}
