/// The content of a terminal.
package struct Screen: Equatable, Sendable, CustomStringConvertible {
    /// The lines from the top, without trailing spaces. With colours, they contain escape sequences.
    package let lines: [String]

    /// Whether a line contains `text`.
    package func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

    /// The lines, each between bars.
    package var description: String { lines.map { "│\($0)│" }.joined(separator: "\n") }
}

/// A terminal whose content can be read.
package protocol ScreenSource {
    /// The present content.
    func screen() throws -> Screen
}

extension ScreenSource {
    /// Waits until the screen satisfies a condition.
    ///
    /// - Parameters:
    ///   - what: The expected condition, for the error message.
    ///   - timeout: The longest time to wait.
    ///   - isWanted: The condition.
    /// - Returns: The first screen that satisfies it.
    /// - Throws: ``SupportError/timedOut(waitingFor:after:last:)``, with the last screen.
    @discardableResult
    package func waitForScreen(
        _ what: String, timeout: Duration = testTimeout, _ isWanted: (Screen) throws -> Bool
    ) throws -> Screen {
        var last: Screen?
        return try eventualValue(what, timeout: timeout, last: { last?.description ?? "nothing" }) {
            let screen = try screen()
            last = screen
            return try isWanted(screen) ? screen : nil
        }
    }

    /// Waits until the screen contains a text; see ``waitForScreen(_:timeout:_:)``.
    @discardableResult
    package func waitForText(_ text: String, timeout: Duration = testTimeout) throws -> Screen {
        try waitForScreen("'\(text)'", timeout: timeout) { $0.contains(text) }
    }
}
