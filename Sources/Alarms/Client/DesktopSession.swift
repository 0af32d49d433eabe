import Linux

/// Whether this program runs where its user sees a desktop.
package enum DesktopSession {
    /// A desktop may show notifications to the user of this terminal.
    package static var isHere: Bool { hasDisplay && !isRemote }

    /// The program runs within a graphical session.
    package static var hasDisplay: Bool {
        ["DISPLAY", "WAYLAND_DISPLAY"].contains { environmentVariable($0)?.isEmpty == false }
    }

    /// The user has come over the network; see ssh(1).
    package static var isRemote: Bool { environmentVariable("SSH_CONNECTION")?.isEmpty == false }
}
