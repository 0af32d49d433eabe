/// `Count 1234`, or only the number where that is too long, or nothing: a number is never cut off.
struct Caption {
    let text: String

    init(_ level: Int, columns: Int) {
        let forms = ["Count \(level)", "\(level)", ""]
        text = forms.first { $0.count <= columns } ?? ""
    }
}
