/// Turns reports of the left mouse button and of the wheel into clicks and scrolling.
struct MouseButton {
    /// The bits of Shift, Alt and Ctrl, which are ignored.
    private static let modifiers = 4 | 8 | 16

    private var isDown = false

    /// A report by SGR 1006, `CSI < button ; column ; row M` (down) or `m` (up).
    mutating func report(_ sequence: ControlSequence, isDown: Bool) -> TerminalEvent? {
        guard sequence.parameters.count == 3 else { return nil }
        let numbers = (0..<3).map { sequence.parameter($0, else: -1) }
        return event(numbers[0], isDown: isDown, column: numbers[1], row: numbers[2])
    }

    /// The event of a button or of the wheel.
    ///
    /// - Parameters:
    ///   - button: its number and bits: 0 is the left button, 64 and 65 are the wheel. Movement (32) is ignored.
    ///   - isDown: whether it went down; otherwise up.
    ///   - column: from 1 at the left.
    ///   - row: from 1 at the top.
    /// - Returns: the event; nil if there is none.
    mutating func event(_ button: Int, isDown: Bool, column: Int, row: Int) -> TerminalEvent? {
        guard button >= 0 else { return nil }
        switch button & ~Self.modifiers {
        case 0: return click(isDown: isDown, column: column, row: row)
        case 64: return isDown ? .scroll(-1) : nil
        case 65: return isDown ? .scroll(1) : nil
        default: return nil
        }
    }

    // The press is the click; a release counts only where no press was reported.
    private mutating func click(isDown: Bool, column: Int, row: Int) -> TerminalEvent? {
        let isNew = isDown || !self.isDown
        self.isDown = isDown
        guard isNew, column > 0, row > 0 else { return nil }
        return .click(Point(column: column - 1, row: row - 1))
    }
}
