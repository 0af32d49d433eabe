import CounterModel

/// How `counter listen` writes a change: the count of one location and nothing else. With `--json` it tells of the rows of
/// the journal instead; see `FeedLine`.
enum LineFormat {
    /// The line for a change; `nil` where the location's count is as it was.
    static func line(for receipt: Receipt, in locationId: String) -> String? {
        guard receipt.request.locationId == locationId, changesSomething(receipt) else { return nil }
        return String(receipt.level)
    }

    private static func changesSomething(_ receipt: Receipt) -> Bool {
        switch receipt.outcome {
        case .accepted, .acceptedInNewEpoch, .undone: true
        case .duplicate, .nothingToUndo, .nothingToVoid, .refused: false
        }
    }
}
