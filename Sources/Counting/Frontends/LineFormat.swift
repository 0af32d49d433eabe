import CounterModel

/// The format of a change in `counter listen`: the count of one location and nothing else. With `--json` it prints the
/// journal's rows instead; see `FeedLine`.
enum LineFormat {
    /// The line for a change; `nil` where the location's count did not change.
    static func line(for receipt: Receipt, in locationId: String) -> String? {
        guard receipt.request.locationId == locationId, changesSomething(receipt) else { return nil }
        return String(receipt.level)
    }

    private static func changesSomething(_ receipt: Receipt) -> Bool {
        switch receipt.outcome {
        case .accepted, .corrected, .acceptedInNewEpoch, .undone: true
        case .duplicate, .nothingToUndo, .nothingToVoid, .refused: false
        }
    }
}
