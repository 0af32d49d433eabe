public import System

/// The settings that a client sends in its first messages, and again after each restart of the key server.
public struct KeyClientSettings: Hashable, Sendable {
    /// Which keys count.
    public var meanings = KeyMeanings.volumeKeys
    /// The paths of the only nodes to read; empty for all nodes.
    public var onlyPaths: [String] = []
    /// The maximum number of `onlyPaths`.
    public static let maxPaths = 256
    /// The input devices to leave untouched, by their stable ids.
    public var ignoredDevices: Set<Identifier> = []
    /// The maximum number of `ignoredDevices`.
    public static let maxIgnored = 1024

    /// Whether the same user's other clients yield the keys while this one captures them.
    public var takesPrecedence = false

    /// The defaults: the volume keys of every device.
    public init() {}
}
