public import CounterModel
import Glibc
import System

/// The time zones that the system knows (tzdata), through the C library: as up to date as the system is.
///
/// glibc has one local zone for a whole process, which this borrows while it reads: only for processes of one thread.
public struct ZoneDatabase: Sendable {
    private static let defaultDirectory = "/usr/share/zoneinfo"
    /// What each file of the database begins with, by RFC 8536.
    private static let magic = Array("TZif".utf8)

    /// Where glibc looks for zones. See tzset(3).
    private let directory: String

    /// The database of the system, or the one that the variable `TZDIR` names.
    public init() {
        let named = getenv("TZDIR").map { String(cString: $0) } ?? ""
        directory = named.isEmpty ? Self.defaultDirectory : named
    }

    /// Refuses what is no zone of the database.
    ///
    /// - Parameter identifier: A name of the database: `Europe/Zurich`.
    /// - Throws: ``ZoneError``
    public func require(_ identifier: String) throws(ZoneError) {
        _ = try file(of: identifier)
    }

    /// Reads how far ahead of UTC a zone is. UTC itself needs no database.
    ///
    /// - Parameters:
    ///     - identifier: A name of the database: `Europe/Zurich`.
    ///     - range: The time for which changes are looked for; some 0.05 ms for each year of it. Before and after it,
    ///       the offset is taken to stay as it is.
    /// - Returns: The offset at the start of the range, and its changes from there to its end.
    /// - Throws: ``ZoneError``, where there is no such zone.
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
        // What glibc cannot read, it takes for UTC and says nothing.
        guard try beginning(of: path, identifier) == Self.magic else { throw .notAZone(path: path) }
        return path
    }

    /// Whether it is a name by the rules of the tz database: not one that leads out of its directory.
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
    /// `nil` for what no zone can have.
    fileprivate init?(valid seconds: Int) {
        guard UTCOffset.range.contains(seconds) else { return nil }
        self.init(seconds: seconds)
    }
}
