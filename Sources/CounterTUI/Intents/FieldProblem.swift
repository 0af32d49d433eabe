/// Why a typed text is invalid, as a sentence without its full stop. The field stays open and shows it.
struct FieldProblem: Error, Hashable {
    let text: String

    init(_ text: String) { self.text = text }

    /// The location has been hidden meanwhile. The field stays open: if it closed, the text that the user goes on typing
    /// would act as commands.
    static let gone = FieldProblem("this location is no longer shown, so nothing is changed. Escape leaves")
}
