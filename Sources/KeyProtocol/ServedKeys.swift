/// The keys that the key service reports and intercepts: the keys useful for counting. Keys that type text, give commands or
/// switch the machine off are not among them.
///
/// Names and codes are those of `<linux/input-event-codes.h>`.
package enum ServedKeys {
    /// The purpose of a key.
    package enum Kind: String, CaseIterable, Sendable {
        case volume, mute, media, camera, page, presenter, scroll
    }

    /// A key of the list.
    package struct Key: Hashable, Sendable {
        /// The name, such as `KEY_VOLUMEUP`.
        package let name: String
        /// The key code of input events.
        package let code: UInt16
        /// The purpose.
        package let kind: Kind
    }

    /// All served keys, ordered by kind.
    package static let all: [Key] = Kind.allCases.flatMap { kind in
        table(of: kind).map { Key(name: $0, code: $1, kind: kind) }
    }

    /// The kinds in words, for messages with `only` before it: `volume, mute, … and scroll keys`.
    package static let summary: String = {
        let kinds = Kind.allCases.map(\.rawValue)
        return kinds.dropLast().joined(separator: ", ") + " and \(kinds.last ?? "") keys"
    }()

    /// Whether the service may report and intercept a key.
    package static func contains(_ code: UInt16) -> Bool { codes.contains(code) }

    private static let codes = Set(all.map(\.code))

    private static func table(of kind: Kind) -> [(String, UInt16)] {
        switch kind {
        case .volume: [("KEY_VOLUMEUP", 115), ("KEY_VOLUMEDOWN", 114)]
        case .mute: [("KEY_MUTE", 113), ("KEY_MICMUTE", 248)]
        case .media:
            [
                ("KEY_PLAYPAUSE", 164), ("KEY_PLAY", 207), ("KEY_PLAYCD", 200), ("KEY_PAUSECD", 201),
                ("KEY_STOPCD", 166), ("KEY_NEXTSONG", 163), ("KEY_PREVIOUSSONG", 165),
                ("KEY_FASTFORWARD", 208),
                ("KEY_REWIND", 168), ("KEY_RECORD", 167), ("KEY_MEDIA", 226), ("KEY_CHANNELUP", 402),
                ("KEY_CHANNELDOWN", 403),
            ]
        case .camera:
            [
                ("KEY_CAMERA", 212), ("KEY_CAMERA_FOCUS", 528), ("KEY_CAMERA_ZOOMIN", 533),
                ("KEY_CAMERA_ZOOMOUT", 534),
            ]
        case .page: [("KEY_PAGEUP", 104), ("KEY_PAGEDOWN", 109)]
        case .presenter: [("KEY_PRESENTATION", 425), ("KEY_NEXT", 407), ("KEY_PREVIOUS", 412)]
        case .scroll: [("KEY_SCROLLUP", 177), ("KEY_SCROLLDOWN", 178)]
        }
    }
}
