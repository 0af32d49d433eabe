package import CounterModel
package import Linux

/// What the user asks for with a key or a click. The executable carries it out.
package enum Intent: Hashable, Sendable {
    case countUp
    case countDown
    /// Select the location with this id, and count one there.
    case count(EntryType, at: Identifier)
    /// Set the count to 0.
    case reset
    /// Void the last change.
    case undo
    /// Ask for the target of the location that is shown.
    case askTarget
    case say
    /// Switch interception of the volume keys off or on (`v`).
    case toggleCapture
    /// Open or close the help.
    case toggleHelp
    /// Open or close the details: each input device with its reason and remedy.
    case toggleDetails
    /// Turn the overlay's pages forward, or back where negative; the first page follows the last.
    case turn(pages: Int)
    case closeOverlay
    /// Answer the question in the overlay.
    case answer(yes: Bool)
    /// Show the tab with this number, from 0.
    case selectTab(Int)
    /// Select the location with this id.
    case selectLocation(Identifier)
    /// An intent that only the Live screen handles.
    case live(LiveIntent)
    /// An intent that only the History screen handles.
    case history(HistoryIntent)
    /// An intent that only the Admin screen handles.
    case admin(AdminIntent)
    /// An intent of the Timers screen, or of the line of an alarm.
    case timers(TimersIntent)
    /// Draw again with the changed state.
    case redraw
    /// Draw again and ring the bell: the input was refused.
    case ring
    /// Draw every cell again, whatever the terminal shows (Ctrl-L).
    case repaint
    /// Stop until the shell continues the program (Ctrl-Z).
    case suspend
    case quit
}

/// An intent of the Live screen.
package enum LiveIntent: Hashable, Sendable {
    /// Shows the location with this id alone.
    case enlarge(Identifier)
    /// Shows all locations.
    case overview
    /// Counts one entry by hand, into the location with this id.
    case count(EntryType, at: Identifier)
    /// Voids the last change of the location with this id.
    case undo(at: Identifier)
}
