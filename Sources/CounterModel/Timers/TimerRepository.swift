/// Where the rows of timers and presets are kept: a journal.
package protocol TimerRepository: AnyObject {
    /// The error of a failed call.
    associatedtype Failure: Error

    /// Applies the rows that a board does not have yet.
    func update(_ board: inout TimerBoard) throws(Failure)

    /// Applies the rows that a board does not have yet, notes it where the clock was set, lets the caller decide, and appends
    /// what it decides, all in one transaction that is durable on return. The board has the appended rows then too.
    ///
    /// - parameters:
    ///     - board: The rows that the caller knows.
    ///     - userId: Who does it.
    ///     - moment: When.
    ///     - decide: Makes the new rows from the board, or refuses; then nothing more is appended.
    /// - returns: What `decide` refused; nil where it did not.
    /// - throws: `Failure`; then nothing was appended.
    func change(
        _ board: inout TimerBoard, by userId: String, at moment: TimerMoment,
        decide: (TimerBoard) -> Result<[TimerEvent], TimerRefusal>
    ) throws(Failure) -> TimerRefusal?
}
