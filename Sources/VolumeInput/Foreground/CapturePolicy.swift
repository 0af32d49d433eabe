package import KeyProtocol

/// Whether the program intercepts the keys, so that the system's volume stays as it is.
package enum Intercept: String, CaseIterable, Sendable {
    /// Intercepts where that takes no other key away from other programs.
    case auto
    /// Intercepts nothing: keys count, and the system's volume changes too.
    case never
}

/// Decides the capture mode: keys are intercepted only where something reports when to stop.
package struct CapturePolicy {
    /// What reports whether the program's terminal is in the foreground.
    package enum FocusSource: Sendable {
        case focusReports
        /// tmux or screen runs in between. Whether it passes focus reports on is unknown until the first one arrives.
        case multiplexer
        case kernel
        case nothing
    }

    package enum Focus: Sendable {
        case unknown
        case gained
        case lost
    }

    private let intercept: Intercept
    /// Count while the terminal is in the background too.
    private let always: Bool
    private let focusSource: FocusSource
    package internal(set) var focus = Focus.unknown
    var seat = LoginSeat.Front.own
    /// The user has switched capture off.
    var isSwitchedOff = false

    package init(intercept: Intercept, always: Bool, focusSource: FocusSource) {
        (self.intercept, self.always, self.focusSource) = (intercept, always, focusSource)
    }

    package var captureMode: CaptureMode {
        if isSwitchedOff { return .off }
        if seat == .otherUser { return always ? .shared : .off }
        if always { return inFront }
        if seat == .other, knowsOnlyItsWindow { return .off }
        switch focus {
        case .gained: return inFront
        case .lost: return .off
        case .unknown: return isBlind ? .shared : inFront
        }
    }

    private var inFront: CaptureMode { intercept == .never ? .shared : .exclusive }

    /// With only the terminal's own reports, the whole session may be hidden without a report. The kernel knows which
    /// virtual terminal is in the foreground, and tmux may show the program in another session.
    private var knowsOnlyItsWindow: Bool { focusSource == .focusReports || focusSource == .nothing }

    /// Nothing would report when to stop intercepting.
    var isBlind: Bool { focus == .unknown && (focusSource == .multiplexer || focusSource == .nothing) }

    /// Why keys are not intercepted though they could be.
    package enum Obstacle: Hashable, Sendable {
        case switchedOff
        case otherUser
        case background
        case configuration
        /// tmux, screen or the terminal does not report when to stop.
        case silentMultiplexer, silentTerminal
    }

    /// What keeps keys from being intercepted; nil where they are.
    package var obstacle: Obstacle? {
        if isSwitchedOff { return .switchedOff }
        if seat == .otherUser { return .otherUser }
        switch captureMode {
        case .exclusive: return nil
        case .off: return .background
        case .shared where intercept == .never: return .configuration
        case .shared: return focusSource == .multiplexer ? .silentMultiplexer : .silentTerminal
        }
    }
}
