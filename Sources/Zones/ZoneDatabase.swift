public import CounterModel
import Glibc
import System

/// The system's time zone database (tzdata), read through the C library.
///
/// glibc has one local zone for the whole process, which this type changes while it reads. Therefore it is for
/// single-threaded processes only.
public struct ZoneDatabase: Sendable {
    private static let defaultDirectory = "/usr/share/zoneinfo"
    /// The first bytes of each file of the database, by RFC 8536.
    private static let magic = Array("TZif".utf8)

    /// The directory in which glibc looks for zones; see tzset(3).
    private let directory: String

    /// Uses the system's database, or the directory that the variable `TZDIR` names.
    public init() {
        let named = environmentVariable("TZDIR") ?? ""
        directory = named.isEmpty ? Self.defaultDirectory : named
    }

    /// Checks that a zone is in the database.
    ///
    /// - Parameter identifier: A name of the database: `Europe/Zurich`.
    /// - Throws: ``ZoneError``
    public func require(_ identifier: String) throws(ZoneError) {
        _ = try file(of: identifier)
    }

    /// Reads the offsets of a zone. UTC itself needs no database.
    ///
    /// - Parameters:
    ///     - identifier: A name of the database: `Europe/Zurich`.
    ///     - range: The time to search for changes; the search takes some 0.05 ms for each year. Before and after the
    ///       range, the offset is constant.
    /// - Returns: The offset at the start of the range, and its changes from there to its end.
    /// - Throws: ``ZoneError`` where there is no such zone.
    public func offsets(of identifier: String, in range: Range<Timestamp>) throws(ZoneError) -> ZoneOffsets {
        guard let path = try file(of: identifier) else { return .utc }
        let zone = BorrowedZone(identifier)
        let first = range.lowerBound.seconds
        let changes = zone.changes(from: first, through: range.upperBound.seconds)
        guard let initial = UTCOffset(valid: zone.offset(at: first)) else { throw .notAZone(path: path) }
        return ZoneOffsets(
            initial: initial,
            changes: try changes.map { (start, offset) throws(ZoneError) in
                guard let offset = UTCOffset(valid: offset) else { throw .notAZone(path: path) }
                return ZoneOffsets.Change(start: Timestamp(seconds: start), offset: offset)
            })
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

    /// The first bytes of a file, as many as `magic` has.
    private func beginning(of path: String, _ identifier: String) throws(ZoneError) -> [UInt8] {
        do throws(SystemCallError) {
            let file = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.magic.count, alignment: 1)
            defer { buffer.deallocate() }
            return Array(buffer[..<(try file.read(into: buffer))])
        } catch {
            switch error.errno {
            case ENOENT, ENOTDIR: throw .missing(identifier, directory: directory)
            case EISDIR: throw .notAZone(path: path)
            default: throw .unreadable(path: path, reason: error.reason)
            }
        }
    }
}

extension UTCOffset {
    /// `nil` for an offset out of range.
    fileprivate init?(valid seconds: Int) {
        guard UTCOffset.range.contains(seconds) else { return nil }
        self.init(seconds: seconds)
    }
}
