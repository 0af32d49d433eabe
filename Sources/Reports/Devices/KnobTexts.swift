package import VolumeInput

/// The texts for a knob whose detents are not counted: the reason, and the setting that counts them.
package struct KnobTexts {
    /// Short enough to count every detent of the fastest turn (40 ms apart), long enough to suppress contact bounce.
    private static let debounce = "20ms"

    private let device: InputDevice

    /// The texts for an input device.
    package init(_ device: InputDevice) { self.device = device }

    /// Completes a sentence that begins with the name of the input device.
    package var reason: String { "is a knob: its detents come too fast to be all counted" }

    /// The setting for the configuration file.
    package var remedy: String {
        "set debounce = \"\(Self.debounce)\" under [devices.\(Self.quoted(device.name))] in config.toml"
    }

    /// The name as a basic string of TOML, which is valid as a table's key.
    private static func quoted(_ name: String) -> String {
        let escaped = name.unicodeScalars.map { scalar in
            switch scalar {
            case "\"", "\\": "\\\(scalar)"
            case _ where scalar.properties.generalCategory == .control:
                "\\u" + String(repeating: "0", count: 4 - String(scalar.value, radix: 16).count)
                    + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\"\(escaped.joined())\""
    }
}
