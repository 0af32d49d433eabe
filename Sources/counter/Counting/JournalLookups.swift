import CounterModel
import CounterStore
import Glibc

extension Location {
    /// The location that somebody named, by id or by name.
    ///
    /// - Throws: `Failure` (64) where there is none, with those that there are.
    static func named(_ name: String, in journal: SQLiteJournal) throws -> Location {
        let all = try journal.locations()
        if let found = all.first(where: { $0.id == name }) ?? all.first(where: { $0.name == name }) {
            return found
        }
        let known = all.map(\.id).joined(separator: ", ")
        throw Failure(
            "there is no location '\(name)'",
            remedy: "There is: \(known). Add it with: counter location add '\(name)'", status: EX_USAGE)
    }
}

extension SQLiteJournal {
    /// The state of a location that is known to exist.
    func existingState(of id: String) throws(JournalError) -> CounterState {
        try state(of: id)
            ?? CounterState(locationId: id, level: 0, lastUpdated: nil, lastEventAt: nil, position: .start)
    }
}

/// Who counts by hand.
enum Users {
    /// The login name, else the number.
    static var current: String {
        getpwuid(getuid()).flatMap(\.pointee.pw_name).map { String(cString: $0) } ?? String(getuid())
    }
}
