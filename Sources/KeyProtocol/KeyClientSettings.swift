package import Linux

/// The settings that a client sends in its first messages, and again after each restart of the key server.
package struct KeyClientSettings: Hashable, Sendable {
    /// Which keys count.
    package var meanings = KeyMeanings.volumeKeys
    /// The paths of the only nodes to read; empty for all nodes.
    package var onlyPaths: [String] = []
    /// The maximum number of `onlyPaths`.
    package static let maxPaths = 256
    /// The input devices to leave untouched, by their stable ids.
    package var ignoredDevices: Set<Identifier> = []
    /// The maximum number of `ignoredDevices`.
    package static let maxIgnored = 1024

    /// Whether the same user's other clients yield the keys while this one captures them.
    package var takesPrecedence = false

    /// The defaults: the volume keys of every device.
    package init() {}
}
