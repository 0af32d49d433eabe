/// Somebody who looks at a journal or changes it.
public struct User: Identifiable, Hashable, Codable, Sendable {
    /// The login name, as entries by hand carry it.
    public let id: String
    /// What they may do.
    public let role: UserRole
    /// Creates a user.
    public init(id: String, role: UserRole) {
        self.id = id
        self.role = role
    }
}

/// What a user may do. On one machine this prevents accidents, not malice: the journal's file is the user's own.
public enum UserRole: String, Codable, Sendable, CaseIterable {
    /// Everything.
    case admin
    /// Look at everything, change nothing.
    case viewer
}
