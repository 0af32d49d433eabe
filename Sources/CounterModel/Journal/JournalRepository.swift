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
