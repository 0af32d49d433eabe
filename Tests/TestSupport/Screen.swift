/// What a terminal shows.
package struct Screen: Equatable, Sendable, CustomStringConvertible {
    /// Its lines from the top, without trailing blanks. With colours they hold escape sequences.
    package let lines: [String]

    /// Whether some line holds `text`.
    package func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

    /// The lines, each between bars.
    package var description: String { lines.map { "│\($0)│" }.joined(separator: "\n") }
}

/// A terminal that can be looked at.
package protocol ScreenSource {
    /// What it shows now.
    func screen() throws -> Screen
}

extension ScreenSource {
    /// Waits until the screen is as wanted.
    ///
    /// - Parameters:
    ///   - what: What is waited for, for the message.
    ///   - timeout: How long at most.
    ///   - isWanted: Looks at a screen.
    /// - Returns: The first such screen.
    /// - Throws: ``SupportError/timedOut(waitingFor:after:last:)``, with the last screen.
    @discardableResult
    package func waitForScreen(
        _ what: String, timeout: Duration = hopeless, _ isWanted: (Screen) throws -> Bool
    ) throws -> Screen {
        var last: Screen?
        return try eventualValue(what, timeout: timeout, last: { last?.description ?? "nothing" }) {
            let screen = try screen()
            last = screen
            return try isWanted(screen) ? screen : nil
        }
    }

    /// Waits until the screen holds a text; see ``waitForScreen(_:timeout:_:)``.
    @discardableResult
    package func waitForText(_ text: String, timeout: Duration = hopeless) throws -> Screen {
        try waitForScreen("'\(text)'", timeout: timeout) { $0.contains(text) }
    }
}
