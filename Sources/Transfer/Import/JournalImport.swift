public import CounterModel
public import CounterStore
public import System

/// Turns the lines of a file into requests, and takes over what an exported journal holds beside its rows.
public final class JournalImport {
    private let reader: ImportReader
    private let file: ImportFile
    private let journal: SQLiteJournal
    private let location: Identifier
    /// Devices that this import has added, and that their own journal has forgotten.
    private var forgotten: [Identifier] = []

    /// - Parameters:
    ///   - file: The file.
    ///   - reader: Its reader.
    ///   - journal: The journal that takes it in.
    ///   - location: The id of the location for lines that name none.
    public init(
        _ file: ImportFile, _ reader: ImportReader, into journal: SQLiteJournal, location: Identifier
    ) {
        self.file = file
        self.reader = reader
        self.journal = journal
        self.location = location
    }

    /// The request of a line; nil where it has none.
    ///
    /// - Throws: `LineError`, `JournalError`
    public func request(of line: ImportLines.Line) throws -> Request? {
        let fields = try reader.fields(of: line)
        guard reader.isJournal else {
            return try fields.request(
                location: location, line: ImportLine(fileHash: file.hash, number: line.number))
        }
        switch try fields.journalLine() {
        case .row(let request): return request
        case .beginning, .passedOver: break
        case .location(let location):
            if let other = try journal.takeOver(location) {
                throw LineError(why: "there is a location '\(other.name)' already, with the id '\(other.id)'")
            }
        case .device(let device): try journal.takeOver(device)
        case .forgottenDevice(let id):
            let device = Device(id: id, name: id.text, locationId: nil, lastSeenAt: nil, isActive: true)
            if try journal.takeOver(device) { forgotten.append(id) }
        case .connection(let connection):
            guard try journal.takeOver(connection) else {
                throw LineError(why: "there is no such device or location")
            }
        }
        return nil
    }

    /// Forgets devices again, which the rows of the file have made known. To be called once all rows are stored.
    ///
    /// - Throws: `JournalError`
    public func finish() throws(JournalError) {
        for id in forgotten { _ = try journal.forget(device: id) }
    }
}
