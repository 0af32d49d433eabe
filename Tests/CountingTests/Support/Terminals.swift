import CounterTUI
import Counting
import Linux
import TestSupport

/// Gets its events from the test. Something can always be read from it, so that no turn of the loop waits.
class RecordedTerminal: FrontendTerminal {
    private let pipe = TestPipe()
    var typed: [TerminalEvent] = []
    private(set) var bells = 0
    /// Whether it takes no output.
    var isStalled = false

    init() { pipe.write("x") }

    var inputDescriptor: CInt { pipe.output }
    var outputDescriptor: CInt { pipe.input }
    var deadline: MonotonicTime? { nil }

    func events(at now: MonotonicTime) -> [TerminalEvent] {
        defer { typed = [] }
        return typed
    }

    func bell() { bells += 1 }
    func suspend() {}
    func resume() {}
    func continued() {}
    func close() {}
}

/// A terminal for screens.
final class RecordedScreen: RecordedTerminal, ScreenTerminal {
    let capabilities = Capabilities(glyphs: .ascii, palette: .none)
    var size = Size(columns: 80, rows: 24)
    private(set) var lines: [String] = []
    private(set) var title = ""
    private(set) var frames = 0
    /// Called with each frame, before it is recorded.
    var onFrame: () -> Void = {}

    func present(_ grid: Grid, title: String) -> Bool {
        onFrame()
        (lines, self.title) = (grid.lines, title)
        frames += 1
        return !isStalled
    }

    func notify(title: String, text: String, at now: MonotonicTime) {}
    func repaint() {}
    func resize() -> Size { size }

    /// The whole screen.
    var text: String { lines.joined(separator: "\n") }
}

/// A terminal for lines.
final class RecordedLines: RecordedTerminal, LineTerminal {
    private(set) var lines: [String] = []

    func write(line: String) { lines.append(line) }
    func flush() -> Bool { !isStalled }

    /// The lines since the last call.
    func take() -> [String] {
        defer { lines = [] }
        return lines
    }
}
