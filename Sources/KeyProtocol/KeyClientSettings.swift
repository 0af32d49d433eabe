/// What is asked of the key server, in its first messages and again after each of its restarts.
public struct KeyClientSettings: Hashable, Sendable {
    /// Which keys count.
    public var meanings = KeyMeanings.volumeKeys
    /// The only nodes to be read, by path; all where it is empty.
    public var onlyPaths: [String] = []
    /// How many of these there may be.
    public static let mostPaths = 256
    /// Sources to be left alone, by their stable ids.
    public var ignoredSources: Set<String> = []
    /// How many of these there may be.
    public static let mostIgnored = 1024

    /// The volume keys of every device.
    public init() {}
}
