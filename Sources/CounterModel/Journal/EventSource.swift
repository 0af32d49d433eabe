/// Where an entry came from.
public enum EventSource: String, Codable, Sendable, CaseIterable {
    /// A device: a volume key, a remote, a door counter.
    case hardware
    /// A person, by hand: a key of the terminal, a subcommand.
    case manual
    /// A file.
    case `import`
}
