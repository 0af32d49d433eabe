/// The keys of `counter --plain`: those of Count that mean something without a screen.
package struct PlainKeys {
    private let model: ScreensViewModel

    /// The keys for a state; its tab is Count.
    package init(_ model: ScreensViewModel) { self.model = model }

    private var bindings: [KeyBinding] { model.commonKeys + model.count.keys }

    /// The intent of an event; nil where it has none here.
    package func intent(for event: TerminalEvent) -> Intent? {
        model.acknowledgement(for: event)
            ?? bindings.intent(for: event).flatMap { Self.isPlain($0) ? $0 : nil }
    }

    private static func isPlain(_ intent: Intent) -> Bool {
        switch intent {
        case .countUp, .countDown, .count, .reset, .undo, .say, .toggleCapture, .toggleHelp, .selectLocation,
            .suspend, .quit:
            true
        case .askTarget, .toggleDetails, .turn, .closeOverlay, .answer, .selectTab, .live, .history, .admin,
            .timers, .redraw, .ring, .repaint:
            false
        }
    }

    /// The keys with their meanings, a line each.
    package var help: [String] {
        [
            "Volume keys: count; both reset", "+ = Up Right: count up", "- Down Left: count down", "R: reset",
            "U: undo",
        ]
            + model.count.keyed.map { "\($0.key): count in \($0.name)" }
            + (model.locations.all.count > 1 ? ["[ ]: other location"] : [])
            + (model.count.maySpeak ? [".: say the count"] : [])
            + [
                "V: capture the volume keys or not", "Enter, Space: acknowledge the end of a timer",
                "Q or Ctrl-C: leave",
            ]
    }
}
