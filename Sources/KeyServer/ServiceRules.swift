import CEvdev
import KeyProtocol

/// What the service refuses to every client. The service may open what its clients may not: through it, a program
/// must not learn what the user types, intercept keys that are needed, or have paths of its choice looked up.
///
/// A server that a program starts for itself has the user's own permissions and applies no such rules.
enum ServiceRules {
    /// - Returns: why the service refuses a message; `nil` if it does not.
    static func objection(to message: ClientMessage) -> MessageError? {
        switch message {
        case .configure(let meanings):
            meanings.codes.allSatisfy { ServedKeys.contains($0.code) } ? nil : .unservedKey
        case .only(let path): isInPlace(path) ? nil : .path
        case .ignore, .capture, .acknowledge, .takePrecedence: nil
        }
    }

    /// Whether a path is in `/dev` or below `/dev/input`, where only root makes files and links. Looking up a path
    /// elsewhere may block without end.
    private static func isInPlace(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard path.hasPrefix("/"), parts.first == "dev",
            !parts.contains(where: { ["", ".", ".."].contains($0) })
        else { return false }
        return parts.count == 2 || parts.count > 2 && parts.dropFirst().first == "input"
    }
}
