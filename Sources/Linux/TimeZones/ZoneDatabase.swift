import Glibc

/// The system's time zone database (tzdata), read through the C library.
///
/// glibc has one local zone for the process, which this changes while it reads: for single-threaded processes only.
package struct ZoneDatabase: Sendable {
    private static let defaultDirectory = "/usr/share/zoneinfo"
    /// The first bytes of each file of the database, by RFC 8536.
    private static let magic = Array("TZif".utf8)

    /// The directory in which glibc looks for zones; see tzset(3).
    private let directory: String

    /// The system's database, or the directory that the variable `TZDIR` names.
    package init() {
        let named = environmentVariable("TZDIR") ?? ""
        directory = named.isEmpty ? Self.defaultDirectory : named
    }

    /// Throws where a zone, such as `Europe/Zurich`, is not in the database.
    package func require(_ identifier: String) throws(ZoneError) {
        _ = try file(of: identifier)
    }

    /// The offset of a zone at `first` and its changes until `last`, in seconds, positive east of UTC, each with the
    /// second since 1970, UTC, from which it applies; nil for UTC itself, which needs no database. The search takes
    /// some 0.05 ms for each year.
    package func offsets(
        of identifier: String, from first: Int, through last: Int
    ) throws(ZoneError) -> (initial: Int, changes: [(start: Int, offset: Int)])? {
        guard try file(of: identifier) != nil else { return nil }
        let zone = BorrowedZone(identifier)
        return (zone.offset(at: first), zone.changes(from: first, through: last))
    }

    /// The file of a zone; nil for UTC, which needs none.
    private func file(of identifier: String) throws(ZoneError) -> String? {
        if ["UTC", "Etc/UTC"].contains(identifier) { return nil }
        guard Self.isName(identifier) else { throw .notAName(identifier) }
        let path = "\(directory)/\(identifier)"
        // glibc silently uses UTC for a file that it cannot read.
        guard try beginning(of: path, identifier) == Self.magic else { throw .notAZone(path: path) }
        return path
    }

    /// Whether the identifier is a valid name of the tz database, which cannot lead out of its directory.
    private static func isName(_ identifier: String) -> Bool {
        identifier.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            part != "" && part != "." && part != ".."
                && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._+-".contains($0)) }
        }
    }

    private func beginning(of path: String, _ identifier: String) throws(ZoneError) -> [UInt8] {
        do throws(SystemCallError) {
            let file = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
            return Array(try file.readAll(limit: Self.magic.count).prefix(Self.magic.count))
        } catch {
            switch error.errno {
            case ENOENT, ENOTDIR: throw .missing(identifier, directory: directory)
            case EISDIR: throw .notAZone(path: path)
            default: throw .unreadable(path: path, reason: error.reason)
            }
        }
    }
}

extension ZoneDatabase {
    /// `Did you mean …? ` for a similar zone, or the only one of a city; empty where none is similar.
    fileprivate static func suggestion(for name: String, in directory: String) -> String {
        let path = "\(directory)/zone.tab"
        guard let list = try? TextFile(path: path, name: path).text else { return "" }
        let zones = list.split(separator: "\n").filter { !$0.hasPrefix("#") }
            .compactMap { $0.split(separator: "\t").dropFirst(2).first.map(String.init) }
        let city = "/" + name.lowercased().replacing(" ", with: "_")
        let ofCity = zones.filter { $0.lowercased().hasSuffix(city) }
        return (ofCity.count == 1 ? ofCity : zones).suggestion(for: ofCity.count == 1 ? ofCity[0] : name)
    }

    /// The IANA name of the local time zone: `TZ` where it names one, else the target of `/etc/localtime`, else `UTC`.
    package var localZone: String {
        if let zone = environmentVariable("TZ").flatMap(zone(ofVariable:)) { return zone }
        return realPath("/etc/localtime").flatMap(zone(inPath:)) ?? "UTC"
    }

    /// The zone that `TZ` names, in the form of tzset(3): a name or a path, either after an optional colon, or empty for
    /// UTC; `nil` for a rule such as `CET-1CEST`, which has no name.
    private func zone(ofVariable variable: String) -> String? {
        if variable.isEmpty { return "UTC" }
        let name = String(variable.hasPrefix(":") ? variable.dropFirst() : variable[...])
        let zone = name.hasPrefix("/") ? zone(inPath: name) : name
        return zone.flatMap { (try? require($0)) == nil ? nil : $0 }
    }

    private func zone(inPath path: String) -> String? {
        let name = path.split(separator: "/").drop { $0 != "zoneinfo" }.dropFirst()
        return name.isEmpty ? nil : name.joined(separator: "/")
    }
}

package enum ZoneError: ExplainedError, Hashable, CustomStringConvertible {
    /// The identifier is not a valid name: it is a path, or has characters that names may not have.
    case notAName(String)
    case missing(String, directory: String)
    case unreadable(path: String, reason: String)
    case notAZone(path: String)

    package var description: String {
        switch self {
        case .notAName(let name): "'\(name)' is no name of a time zone"
        case .missing(let name, let directory): "time zone '\(name)': there is none in \(directory)"
        case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
        case .notAZone(let path): "\(path): is no time zone"
        }
    }

    package var remedy: String {
        switch self {
        case .notAName: "Names are such as Europe/Zurich; UTC is one too."
        case .missing(let name, let directory):
            ZoneDatabase.suggestion(for: name, in: directory)
                + "Name one of the files in \(directory), such as Europe/Zurich. "
                + "Where that is missing or too old, install the package tzdata."
        case .unreadable: "Make it readable, or install the package tzdata anew."
        case .notAZone:
            "Name a zone, such as Europe/Zurich. If it should be one, install the package tzdata anew."
        }
    }

    package var failure: ProgramError {
        let status = if case .unreadable = self { EX_IOERR } else { EX_NOINPUT }
        return ProgramError("\(self)", remedy: remedy, status: status)
    }
}

/// Changes the local zone of the process for the life of this value. Times are seconds since 1970, UTC.
struct BorrowedZone: ~Copyable {
    private static let day = 86_400

    private let previous: String?

    /// A leading colon tells glibc that a file's name follows; see tzset(3).
    init(_ identifier: String) {
        previous = environmentVariable("TZ")
        Self.select(":\(identifier)")
    }

    deinit { Self.select(previous) }

    /// In seconds, positive east of UTC.
    func offset(at second: Int) -> Int {
        var time = time_t(second)
        var parts = tm()
        // `localtime_r` fails only for years beyond 2^31.
        localtime_r(&time, &parts)
        return parts.tm_gmtoff
    }

    /// The changes of the offset after `first`: the second from which each applies, and the new offset. Compares
    /// consecutive days: since standard time was introduced, no zone has changed its offset twice within three days.
    func changes(from first: Int, through last: Int) -> [(start: Int, offset: Int)] {
        var changes: [(start: Int, offset: Int)] = []
        var known = (start: first, offset: offset(at: first))
        while known.start < last {
            let next = min(known.start + Self.day, last)
            if offset(at: next) == known.offset {
                known.start = next
            } else {
                let start = end(of: known.offset, after: known.start, notAfter: next)
                known = (start, offset(at: start))
                changes.append(known)
            }
        }
        return changes
    }

    /// Finds, by bisection, the second at which the offset that applies at `before` ends.
    private func end(of offset: Int, after before: Int, notAfter: Int) -> Int {
        var (held, gone) = (before, notAfter)
        while gone - held > 1 {
            let middle = held + (gone - held) / 2
            if self.offset(at: middle) == offset { held = middle } else { gone = middle }
        }
        return gone
    }

    private static func select(_ zone: String?) {
        if let zone { setenv("TZ", zone, 1) } else { unsetenv("TZ") }
        tzset()
    }
}
