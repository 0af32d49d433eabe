/// A person who reads a journal or changes it.
package struct User: Identifiable, Hashable, Codable, Sendable {
    /// The login name, as stored in entries by hand.
    package let id: String
    /// What they may do.
    package let role: UserRole
    /// Creates a user.
    package init(id: String, role: UserRole) {
        self.id = id
        self.role = role
    }
}

/// What a user may do. On one machine roles prevent accidents, not malice: the user owns the journal's file.
package enum UserRole: String, Codable, Sendable, CaseIterable {
    /// May do everything.
    case admin
    /// May read everything and change nothing.
    case viewer
}
