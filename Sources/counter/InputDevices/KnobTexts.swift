import VolumeInput

/// What is said of a knob of which detents are not counted: the exact setting that counts them.
struct KnobTexts {
    /// Lets every detent of the quickest turn count (40 ms apart), and no bounce of its contacts.
    static let debounce = "20ms"

    private let source: Source

    init(_ source: Source) { self.source = source }

    /// Completes a sentence that begins with the name of the source.
    var reason: String { "is a knob: its detents come too fast to be all counted" }

    /// The setting for the configuration file.
    var remedy: String {
        "set debounce = \"\(Self.debounce)\" under [devices.\(Self.quoted(source.name))] in config.toml"
    }

    /// A basic string of TOML, as the keys of tables may be.
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
