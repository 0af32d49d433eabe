/// What the journal says of sources: where each counts, what it is called, whether it counts at all.
public struct Devices {
    /// The id under which counts of the screens are kept.
    public static let terminal = "terminal"
    /// The id under which counts of the command line are kept.
    public static let commandLine = "command-line"
    /// What is no source: it counts wherever somebody says, whatever is said of a device.
    public static let byHand: Set = [terminal, commandLine]

    private let known: [String: Device]

    /// Those that the journal knows.
    public init(_ devices: [Device]) { known = Dictionary(devices.map { ($0.id, $0) }) { $1 } }

    /// The name that somebody gave, else what the device calls itself.
    public func name(of id: String, own: String) -> String {
        guard let name = known[id]?.name, name != id else { return own }
        return name
    }

    /// The location that owns a source: the one it is assigned to, else the program's own.
    public func location(of id: String, else own: String) -> String { known[id]?.locationId ?? own }

    /// The sources that are not to count.
    public var inactive: Set<String> { Set(known.values.filter { !$0.isActive }.map(\.id)) }

    /// All known ids.
    public var ids: Set<String> { Set(known.keys) }
}
