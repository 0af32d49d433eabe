package import CounterModel
package import CounterStore
import Linux

/// A whole journal as lines of JSON: first its id, then its locations, its devices, when these were connected, and all rows as
/// `FeedLine` writes them.
package struct JournalExport {
    /// How many rows one read returns.
    private static let page = 1024

    private let journal: SQLiteJournal
    private let journalId: String
    private let now: Timestamp

    /// - Throws: `JournalError`
    package init(_ journal: SQLiteJournal, now: Timestamp) throws(JournalError) {
        self.journal = journal
        self.now = now
        journalId = try journal.id()
    }

    /// Passes each line to `body`, without a line end. Rows that are appended meanwhile are left out.
    ///
    /// - Throws: `JournalError`, or what `body` throws.
    package func forEachLine(_ body: (String) throws -> Void) throws {
        let last = try journal.lastPosition()
        var first = JSONLine()
        first.add("type", "journal")
        first.add("journal", journalId)
        try body(first.text)
        for location in try journal.locationsAsAdded() { try body(Self.line(location)) }
        for device in try journal.devices() { try body(Self.line(device)) }
        for id in try journal.forgottenDevices() { try body(Self.line(forgotten: id)) }
        for connection in try journal.connections(now: now) { try body(Self.line(connection)) }
        var position = Position.start
        while position < last {
            let rows = try journal.feed(after: position, limit: Self.page).filter { $0.row.id <= last }
            guard let end = rows.last?.row.id else { return }
            for row in rows { try body(FeedLine.text(row, journalId: journalId)) }
            position = end
        }
    }

    private static func line(_ location: Location) -> String {
        var object = JSONLine()
        object.add("type", "location")
        object.add("locationId", location.id)
        object.add("name", location.name)
        object.add("timezone", location.timezone)
        return object.text
    }

    private static func line(_ device: Device) -> String {
        var object = JSONLine()
        object.add("type", "device")
        object.add("deviceId", device.id)
        object.add("name", device.name)
        object.add("locationId", device.locationId)
        object.add("isActive", device.isActive)
        object.add("lastSeenAt", device.lastSeenAt?.iso8601)
        object.add("keysReadBy", device.keysReadBy)
        return object.text
    }

    private static func line(forgotten id: Identifier) -> String {
        var object = JSONLine()
        object.add("type", "device")
        object.add("deviceId", id)
        object.add("isForgotten", true)
        return object.text
    }

    private static func line(_ connection: PastConnection) -> String {
        var object = JSONLine()
        object.add("type", "connection")
        object.add("deviceId", connection.deviceId)
        object.add("locationId", connection.locationId)
        object.add("from", connection.from.iso8601)
        object.add("to", connection.to.iso8601)
        return object.text
    }
}
