/// A person who reads a journal or changes it.
public struct User: Identifiable, Hashable, Codable, Sendable {
    /// The login name, as stored in entries by hand.
    public let id: String
    /// What they may do.
    public let role: UserRole
    /// Creates a user.
    public init(id: String, role: UserRole) {
        self.id = id
        self.role = role
    }
}

/// What a user may do. On one machine roles prevent accidents, not malice: the user owns the journal's file.
public enum UserRole: String, Codable, Sendable, CaseIterable {
    /// May do everything.
    case admin
    /// May read everything and change nothing.
    case viewer
}
