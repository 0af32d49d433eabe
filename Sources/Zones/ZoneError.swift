/// Why a zone cannot be read.
public enum ZoneError: Error, Hashable, CustomStringConvertible {
    /// The identifier is not a valid name: it is a path, or has characters that names may not have.
    case notAName(String)
    /// The system's database has no zone of that name.
    case missing(String, directory: String)
    /// The zone's file cannot be opened or read.
    case unreadable(path: String, reason: String)
    /// The file is not a zone file.
    case notAZone(path: String)

    /// What failed and why, on one line.
    public var description: String {
        switch self {
        case .notAName(let name): "'\(name)' is no name of a time zone"
        case .missing(let name, let directory): "time zone '\(name)': there is none in \(directory)"
        case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
        case .notAZone(let path): "\(path): is no time zone"
        }
    }

    /// What the user can do about it.
    public var remedy: String {
        switch self {
        case .notAName: "Names are such as Europe/Zurich; UTC is one too."
        case .missing(_, let directory):
            "Name one of the files in \(directory), such as Europe/Zurich. "
                + "Where that is missing or too old, install the package tzdata."
        case .unreadable: "Make it readable, or install the package tzdata anew."
        case .notAZone:
            "Name a zone, such as Europe/Zurich. If it should be one, install the package tzdata anew."
        }
    }
}
