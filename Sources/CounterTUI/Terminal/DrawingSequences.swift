internal import CTerminfo

/// The control sequences of a terminal that draw cells.
struct DrawingSequences {
    /// Blanks the screen.
    let clear: String
    /// Blanks the rest of a row; nil where there is no such sequence.
    let clearToEndOfRow: String?
    /// Rings the bell.
    let bell: String
    /// Whether the cursor has to be put out of the way, for want of a way to hide it.
    let showsCursor: Bool
    /// Whether a character in the lower right cell would scroll the screen (`am` without `xenl`).
    let scrollsAtLastCell: Bool
    /// How many colours there are; 0 for none.
    let colours: Int
    private let move: String
    /// The terminal's own colours, no attributes; nil where no style could be ended.
    private let plain: String?
    private let foreground: String?
    private let attributes: [(Style.Attributes, String)]
    /// What cannot be shown together with a colour.
    private let excludedByColour: Style.Attributes

    /// Those of the type that is loaded; nil where it cannot place a character anywhere on the screen.
    init?() {
        guard let move = TerminalType.string("cup"), let clear = TerminalType.string("clear") else {
            return nil
        }
        (self.move, self.clear) = (move, clear)
        clearToEndOfRow = TerminalType.string("el")
        bell = TerminalType.string("bel") ?? "\u{7}"
        showsCursor = TerminalType.string("civis") == nil
        scrollsAtLastCell = cterminfo_flag("am") && !cterminfo_flag("xenl")
        plain = TerminalType.string("sgr0")
        foreground = TerminalType.string("setaf")
        colours = foreground == nil || plain == nil ? 0 : max(0, Int(cterminfo_number("colors")))
        let names: [(Style.Attributes, String)] = [
            (.bold, "bold"), (.dim, "dim"), (.reverse, "rev"), (.underline, "smul"),
        ]
        attributes = names.compactMap { attribute, name in TerminalType.string(name).map { (attribute, $0) } }
        excludedByColour = Self.excludedByColour(cterminfo_number("ncv"))
    }

    // The bits of no_color_video, see terminfo(5).
    private static func excludedByColour(_ bits: CInt) -> Style.Attributes {
        guard bits > 0 else { return [] }
        var result: Style.Attributes = []
        if bits & 2 != 0 { result.insert(.underline) }
        if bits & 4 != 0 { result.insert(.reverse) }
        if bits & 16 != 0 { result.insert(.dim) }
        if bits & 32 != 0 { result.insert(.bold) }
        return result
    }

    /// Puts the cursor into a cell.
    func cursor(to point: Point) -> String { expand(move, point.row, point.column) }

    /// What turns the style `before` (nil: not known) into `style`, with as little as that takes.
    func change(from before: Style?, to style: Style) -> String {
        guard let plain else { return "" }
        let wanted = shown(style)
        guard let before = before.map(shown), before.attributes.isSubset(of: wanted.attributes),
            before.foreground == nil || wanted.foreground != nil
        else { return plain + additions(to: .plain, for: wanted) }
        return additions(to: before, for: wanted)
    }

    private func additions(to before: Style, for style: Style) -> String {
        var result = ""
        for (attribute, sequence) in attributes
        where style.attributes.contains(attribute) && !before.attributes.contains(attribute) {
            result += sequence
        }
        guard let foreground, let colour = style.foreground, colour != before.foreground else {
            return result
        }
        return result + expand(foreground, Int(colour), 0)
    }

    /// As much of a style as the terminal has.
    private func shown(_ style: Style) -> Style {
        guard colours > 0, style.foreground != nil else { return Style(style.attributes) }
        return Style(foreground: style.foreground, style.attributes.subtracting(excludedByColour))
    }

    private func expand(_ format: String, _ first: Int, _ second: Int) -> String {
        String(cString: cterminfo_expand(format, CInt(clamping: first), CInt(clamping: second)))
    }
}
