import KeyProtocol
public import System

/// Why the system's key service does not serve a client.
public enum ServiceFault: Error, Hashable, Sendable {
    /// It is not installed.
    case absent
    /// Nobody listens, or this user may not connect.
    case unreachable(SystemCallError)
    /// It does not want this client, and says why.
    case refused(String)
    /// It ended before it said anything, or says nothing.
    case silent

    /// It is there, and this user has neither a session at the machine nor membership in its group.
    public var isForStrangers: Bool { self == .refused("\(MessageError.stranger)") }

    /// It is there, and serves other keys than the configuration names.
    public var isForOtherKeys: Bool { self == .refused("\(MessageError.unservedKey)") }

    /// It is there, and has as many connections as it serves. It tells when it has room.
    var isForLackOfRoom: Bool { self == .refused("\(MessageError.crowd)") }

    /// The reason in words, to follow `the counter-keys service`.
    public var reason: String {
        switch self {
        case .absent: "is not installed"
        case .unreachable(let error): "cannot be reached: \(error)"
        case .refused(let reason): "does not serve this program: \(reason)"
        case .silent: "does not answer"
        }
    }
}
