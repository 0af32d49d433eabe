import CEvdev
import KeyProtocol

/// What the service does for nobody, because it may open what its clients may not: a program of the user who is in front
/// must not learn from it what that user types, nor take keys that somebody needs, nor have it look through file systems of the program's choice.
///
/// A server that a program starts for itself has the user's own permissions, and no such rules.
enum ServiceRules {
    /// - Returns: why a message is not for the service; `nil` where it is.
    static func objection(to message: ClientMessage) -> MessageError? {
        switch message {
        case .configure(let meanings):
            meanings.codes.allSatisfy { ServedKeys.contains($0.code) } ? nil : .unservedKey
        case .only(let path): isInPlace(path) ? nil : .path
        case .ignore, .capture, .acknowledge: nil
        }
    }

    /// A node, or a link where only udev makes any: following one elsewhere may take for ever.
    private static func isInPlace(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard path.hasPrefix("/"), parts.first == "dev",
            !parts.contains(where: { ["", ".", ".."].contains($0) })
        else { return false }
        return parts.count == 2 || parts.count > 2 && parts.dropFirst().first == "input"
    }
}
