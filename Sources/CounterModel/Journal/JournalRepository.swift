/// Where `CounterService` writes: an append-only journal and the state derived from it.
public protocol JournalRepository: AnyObject {
    /// What goes wrong where it does.
    associatedtype Failure: Error

    /// Appends requests in order, as one transaction that is durable on return.
    ///
    /// - parameters:
    ///     - requests: What is asked; one that is refused does not stop the others.
    ///     - receivedAt: Our clock's time.
    /// - returns: One answer per request, in the same order.
    /// - throws: `Failure` where nothing at all was appended.
    func append(_ requests: [Request], receivedAt: Timestamp) throws(Failure) -> [Answer]

    /// The state of a location.
    ///
    /// - returns: nil where there is no such location.
    /// - throws: `Failure` where it cannot be read.
    func state(of locationId: String) throws(Failure) -> CounterState?
}

/// A journal that knows locations, and which devices are connected.
public protocol DeviceRepository: JournalRepository where Failure: JournalFailure {
    /// All locations.
    ///
    /// - returns: Hidden ones too.
    /// - throws: `Failure`
    func locations() throws(Failure) -> [Location]

    /// Devices that were ever seen or named.
    ///
    /// - parameter locationId: Only those that count into it; nil for all.
    /// - returns: Those.
    /// - throws: `Failure`
    func devices(of locationId: String?) throws(Failure) -> [Device]

    /// Notes which devices came, each with what it calls itself and the location that it counts into, and which went.
    ///
    /// - throws: `Failure`; then none was noted.
    func note(
        came: [(id: String, name: String, locationId: String)], went: [String], at time: Timestamp
    ) throws(Failure)
}

/// Why a journal cannot be read or appended to.
public protocol JournalFailure: Error, Equatable, CustomStringConvertible {
    /// Whether another program holds the journal: the same call works later.
    var isBusy: Bool { get }
    /// What to do about it; nil where nothing helps.
    var remedy: String? { get }
}
