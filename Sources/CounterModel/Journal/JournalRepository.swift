package import Linux

/// The journal that `CounterService` appends to: append-only, with the state derived from it.
package protocol JournalRepository: AnyObject {
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
    func state(of locationId: Identifier) throws(Failure) -> CounterState?
}
