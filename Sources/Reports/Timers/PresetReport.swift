package import CounterModel
import Linux
import Transfer

/// A preset as `counter timer preset list` prints it.
package struct PresetReport {
    /// The columns of a table.
    package static let header = ["N", "LABEL", "LENGTH", "MODE", "AT THE END", "LOCATIONS", "LAST USED"]

    private let preset: TimerPreset
    private let names: [Identifier: String]

    /// Creates a report; `locations` are all of them, for their names.
    package init(_ preset: TimerPreset, locations: [Location]) {
        self.preset = preset
        names = Dictionary(locations.map { ($0.id, $0.name) }) { first, _ in first }
    }

    /// The cells of a table's row.
    package var cells: [String] {
        let setup = preset.setup
        let places =
            setup.locations == .all
            ? "all" : setup.locations.ids.map { names[$0] ?? $0.text }.joined(separator: ", ")
        return [
            preset.isHiddenInList ? "-" : String(preset.number), setup.title, setup.lengthText,
            setup.mode.rawValue, setup.endAction.rawValue, places,
            preset.lastUsedAt?.localDateAndTime ?? "-",
        ]
    }

    /// The preset as a JSON object.
    package var json: String {
        var object = JSONLine()
        object.add("presetId", preset.id.description)
        object.add("number", preset.isHiddenInList ? nil : preset.number)
        object.add(preset.setup)
        object.add("createdAt", preset.createdAt.iso8601)
        object.add("lastUsedAt", preset.lastUsedAt?.iso8601)
        object.add("isHiddenInList", preset.isHiddenInList)
        return object.text
    }
}

extension TimerSetup {
    /// Its options beside mode and length: `lead-in`, `last minute`, `urgent`, `discard`, `volume 40`. A preset without any has none.
    package var presetWords: [String] {
        [
            leadInSeconds > 0 ? "lead-in" : nil, announcesLastMinute ? "last minute" : nil,
            isUrgent ? "urgent" : nil, endAction == .discard ? "discard" : nil,
            volume == Self.fullVolume ? nil : "volume \(volume)",
        ].compactMap(\.self)
    }

    /// The length with its rounds: `5m`, `3 x 5m, 1m`.
    package var lengthText: String {
        let length = DurationText.short(seconds: seconds)
        guard rounds > 1 else { return length }
        let pause = pauseSeconds > 0 ? ", \(DurationText.short(seconds: pauseSeconds))" : ""
        return "\(rounds) x \(length)\(pause)"
    }
}
