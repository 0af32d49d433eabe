import KeyProtocol
package import Linux

/// Why the system's key service does not serve this client.
package enum ServiceFault: Error, Hashable, Sendable {
    /// It is not installed.
    case absent
    /// No process listens on its socket, or this user may not connect.
    case unreachable(SystemCallError)
    /// It has rejected this client, with a reason.
    case refused(String)
    /// It ended before its first answer, or the timeout for that answer has expired.
    case silent

    /// The service runs, but this user has neither a session on a seat of this machine nor membership in the service's group.
    package var isForUnauthorisedPeers: Bool { self == .refused("\(MessageError.unauthorised)") }

    /// The service runs, but does not serve the keys that the configuration names.
    package var isForOtherKeys: Bool { self == .refused("\(MessageError.unservedKey)") }

    /// The service runs, but has its maximum number of connections. It signals when it has room.
    var isForLackOfRoom: Bool { self == .refused("\(MessageError.tooManyConnections)") }

    /// Whether the service may serve other programs of this user at the same time. What those receive and what this
    /// program receives by its own server exclude each other no further than the kernel does: the two servers keep
    /// their records in different directories.
    package var mayServeOthers: Bool { isForLackOfRoom || isForOtherKeys || self == .silent }

    /// The reason, to follow `the counter-keys service`.
    package var reason: String {
        switch self {
        case .absent: "is not installed"
        case .unreachable(let error): "cannot be reached: \(error)"
        case .refused(let reason): "does not serve this program: \(reason)"
        case .silent: "does not answer"
        }
    }
}
