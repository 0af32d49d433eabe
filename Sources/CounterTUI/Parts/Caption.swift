/// `Count 1234`, or the number alone where that is too long, or nothing: never a part of a number.
struct Caption {
    let text: String

    init(_ level: Int, columns: Int) {
        let forms = ["Count \(level)", "\(level)", ""]
        text = forms.first { $0.count <= columns } ?? ""
    }
}
