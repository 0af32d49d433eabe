/// The journal's settings of input devices: the location, the name, and whether events count.
public struct Devices {
    /// The device id of counts made on the screens.
    public static let terminal = "terminal"
    /// The device id of counts made on the command line.
    public static let commandLine = "command-line"
    /// The ids that are no input devices. Their counts go to the location given with each call; device settings do not apply.
    public static let byHand: Set = [terminal, commandLine]

    private let known: [String: Device]

    /// Creates the settings from the devices that the journal knows.
    public init(_ devices: [Device]) { known = Dictionary(devices.map { ($0.id, $0) }) { $1 } }

    /// The name given by a user, else the name that the device reports.
    public func name(of id: String, own: String) -> String {
        guard let name = known[id]?.name, name != id else { return own }
        return name
    }

    /// The location that an input device counts into: the one it is assigned to, else the program's own.
    public func location(of id: String, else own: String) -> String { known[id]?.locationId ?? own }

    /// The ids of disabled input devices.
    public var inactive: Set<String> { Set(known.values.filter { !$0.isActive }.map(\.id)) }

    /// The ids of the input devices whose keys a user's programs read.
    public func keys(readBy userId: String) -> Set<String> {
        Set(known.values.filter { $0.keysReadBy == userId }.map(\.id))
    }

    /// All known ids.
    public var ids: Set<String> { Set(known.keys) }
}
