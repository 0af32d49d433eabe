import CounterModel
import Linux
import Testing

@testable import CounterTUI
@testable import Reports

extension Capabilities {
    static let best = Capabilities(glyphs: .quadrants, palette: .many)
    static let console = Capabilities(glyphs: .halves, palette: .eight)
    static let least = Capabilities(glyphs: .ascii, palette: .none)

    var name: String { "\(glyphs).\(palette)" }
}

extension Size {
    var name: String { "\(columns)x\(rows)" }
}

extension CounterState {
    init(
        _ level: Int, of capacity: Int? = nil, target: Int? = nil, at id: Identifier = Location.defaultId
    ) {
        self.init(locationId: id, level: level, maxCapacity: capacity, target: target)
    }
}

extension Location {
    init(id: Identifier, name: String, key: LocationKey? = nil) {
        self.init(id: id, name: name, timezone: "UTC")
        self.key = key
    }
}

extension Screens {
    func frame(_ columns: Int = 80, _ rows: Int = 24, _ capabilities: Capabilities = .best) -> Frame {
        ScreensView(capabilities).draw(self, size: Size(columns: columns, rows: rows))
    }

    func lines(_ columns: Int = 80, _ rows: Int = 24, _ capabilities: Capabilities = .best) -> [String] {
        frame(columns, rows, capabilities).grid.lines
    }
}

/// Compares screens of a size with `Golden/FOLDER/SIZE/NAME.CAPABILITIES.txt`; `name` is `FOLDER/NAME`, or `NAME`.
func expectGolden(
    _ screens: Screens, _ name: String, _ place: (Int, Int), _ capabilities: Capabilities = .best,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let parts = name.split(separator: "/")
    let path = parts.dropLast() + ["\(place.0)x\(place.1)", "\(parts[parts.count - 1]).\(capabilities.name)"]
    try expectGolden(
        screens.frame(place.0, place.1, capabilities), path.joined(separator: "/"),
        sourceLocation: sourceLocation)
}

enum Sample {
    /// An ordinary terminal and a small one.
    static let places = [(80, 24), (40, 12)]
    static let sizes = [(80, 24), (40, 12), (200, 60), (18, 5)].map { Size(columns: $0.0, rows: $0.1) }
    static let levels = [0, -1, 999_999, -999_999, Int.max, Int.min]

    /// A Count screen with everything that it usually shows.
    static func ordinary(_ level: Int = 1234) -> CountViewModel {
        var model = CountViewModel(level: level)
        model.lastChange = "+1 at 14:03:22"
        model.ratePerMinute = 12
        model.location = "North door"
        model.inputDevices = [
            DeviceStatus(name: "Dial", state: .exclusive),
            DeviceStatus(
                name: "Shutter", state: .shared, reason: "another program has grabbed it",
                remedy: "close that program"),
            DeviceStatus(
                name: "Headset", state: .noAccess, reason: "permission denied",
                remedy: "install the udev rule, then plug the device in again"),
        ]
        return model
    }

    /// The Count screen as if it were the only one, so that another tab does not change the pictures.
    static func count(_ model: CountViewModel) -> Screens { Screens(count: model, tabs: [.count]) }
}
