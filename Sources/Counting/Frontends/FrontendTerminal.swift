package import CounterTUI
package import Linux

/// A terminal as the frontends use it: a real one, or one that tests have recorded.
package protocol FrontendTerminal: AnyObject {
    /// The descriptor to poll for POLLIN before `events`.
    var inputDescriptor: CInt { get }
    /// The descriptor to poll for POLLOUT while something waits to be sent.
    var outputDescriptor: CInt { get }
    /// When `events` is to be called even if nothing can be read; nil at rest.
    var deadline: MonotonicTime? { get }
    /// The events since the last call, without waiting for more.
    func events(at now: MonotonicTime) throws(TerminalError) -> [TerminalEvent]
    func bell()
    /// Restores the terminal for a while, before SIGSTOP.
    func suspend()
    func resume()
    /// Sets the modes again after a stop that `suspend` could not precede.
    func continued()
    /// Restores the terminal, for good.
    func close()
}

/// A terminal that shows screens.
package protocol ScreenTerminal: FrontendTerminal {
    var capabilities: Capabilities { get }
    var size: Size { get }
    /// Returns false if something is still to be sent.
    func present(_ grid: Grid, title: String) throws(TerminalError) -> Bool
    func notify(title: String, text: String, at now: MonotonicTime)
    func repaint()
    func resize() -> Size
}

/// A terminal that shows lines.
package protocol LineTerminal: FrontendTerminal {
    func write(line: String)
    /// Returns false if something is still to be sent.
    func flush() throws(TerminalError) -> Bool
}

extension Terminal: ScreenTerminal {}
extension PlainTerminal: LineTerminal {}
