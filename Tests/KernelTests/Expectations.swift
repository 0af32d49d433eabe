import TestSupport
import Testing

extension ChildProcess {
    /// Waits for a line on standard error with this text, such as `: held` of `counter: Virtual Remote: held`.
    func waitForErrorLine(_ text: String) throws {
        while let line = try readErrorLine() {
            if line.contains(text) { return }
        }
        Issue.record("no line has '\(text)'")
    }

    /// Waits for the next lines of standard output, and expects these.
    func expectLines(_ lines: [String]) throws {
        for line in lines { #expect(try readLine() == line) }
    }
}

extension SecondReader {
    /// Expects that exactly this has arrived since the last look.
    func expect(_ events: [KeyEvent], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let seen = try take()
        #expect(seen == events, sourceLocation: sourceLocation)
    }
}

extension Duration {
    /// Much less than anything that counts, and enough for a slow kernel to have delivered.
    static let quick = Duration.milliseconds(60)
    /// Longer than the debounce.
    static let apart = Duration.milliseconds(200)
}
