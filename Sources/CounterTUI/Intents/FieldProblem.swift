/// Why a text cannot be taken, as a sentence without its full stop. The field stays open with it.
struct FieldProblem: Error, Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    /// Somebody has hidden the location. The field stays: what is typed blindly on would be commands without it.
    static let gone = FieldProblem("this location is no longer shown, so nothing is changed. Escape leaves")
}
