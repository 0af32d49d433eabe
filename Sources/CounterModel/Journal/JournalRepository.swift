/// The journal that `CounterService` appends to: append-only, with the state derived from it.
public protocol JournalRepository: AnyObject {
    /// The error of a failed call.
    associatedtype Failure: Error

    /// Appends requests in order, as one transaction that is durable on return.
    ///
    /// - parameters:
    ///     - requests: The requests; one that is refused does not stop the others.
    ///     - receivedAt: Our clock's time.
    /// - returns: One answer per request, in the same order.
    /// - throws: `Failure`; then nothing was appended.
    func append(_ requests: [Request], receivedAt: Timestamp) throws(Failure) -> [Answer]

    /// The state of a location.
    ///
    /// - returns: nil where there is no such location.
    /// - throws: `Failure` where it cannot be read.
    func state(of locationId: String) throws(Failure) -> CounterState?
}

/// A journal that stores locations, devices and their connections.
public protocol DeviceRepository: JournalRepository where Failure: JournalFailure {
    /// All locations, hidden ones included.
    ///
    /// - returns: The locations.
    /// - throws: `Failure`
    func locations() throws(Failure) -> [Location]

    /// The devices that have sent events, were connected, or were named by a user.
    ///
    /// - parameter locationId: Only those that count into it; nil for all.
    /// - returns: The devices.
    /// - throws: `Failure`
    func devices(of locationId: String?) throws(Failure) -> [Device]

    /// Stores which devices were connected, each with the name it reports and its location, and which were disconnected.
    ///
    /// - parameters:
    ///     - came: Those that were connected.
    ///     - went: The ids of those that were disconnected.
    ///     - time: When.
    ///     - keysReadBy: The user whose program reads the keys of those that were connected; nil where they report by other
    ///       ways.
    /// - throws: `Failure`; then nothing was stored.
    func note(
        came: [(id: String, name: String, locationId: String)], went: [String], at time: Timestamp,
        keysReadBy: String?
    ) throws(Failure)
}

/// Why a journal cannot be read or appended to.
public protocol JournalFailure: Error, Equatable, CustomStringConvertible {
    /// Whether another program has locked the journal: the same call may succeed later.
    var isBusy: Bool { get }
    /// What the user can do about it; nil where there is no remedy.
    var remedy: String? { get }
}
