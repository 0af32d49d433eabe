import Glibc

/// Finds the positions of parameters or columns by their names.
///
/// The same names are asked for in the same order each time, so the search begins after the last hit, and the address
/// of a name that was found is compared before its text.
///
/// Its owner must call `free`. Copies share one storage, which is behind a pointer so that Swift does not check each
/// access at run time.
struct NameTable {
    private struct Storage {
        /// Copies: SQLite frees its own when it prepares a statement again after a change of the schema.
        let owned: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>>
        let known: UnsafeMutableBufferPointer<UnsafePointer<UInt8>?>
        var next = 0
    }

    private let storage: UnsafeMutablePointer<Storage>

    /// Copies `count` names; each is a C string that is valid during the call.
    init(count: Int, name: (Int) -> UnsafePointer<CChar>) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage(owned: .allocate(capacity: count), known: .allocate(capacity: count)))
        storage.pointee.known.initialize(repeating: nil)
        for index in 0..<count { storage.pointee.owned.initializeElement(at: index, to: strdup(name(index))) }
    }

    /// Frees the storage with all names.
    func free() {
        for name in storage.pointee.owned { Glibc.free(name) }
        storage.pointee.owned.deallocate()
        storage.pointee.known.deallocate()
        storage.deallocate()
    }

    /// The position of a name, from 0. A name that is missing is a programming error and stops the program.
    func index(of name: StaticString) -> Int {
        let next = storage.pointee.next
        let known = storage.pointee.known
        if next < known.count, known[next] == name.utf8Start {
            storage.pointee.next = next + 1
            return next
        }
        return search(name)
    }

    @inline(never)
    private func search(_ name: StaticString) -> Int {
        guard let found = storage.pointee.owned.firstIndex(where: { strcmp($0, name.utf8Start) == 0 }) else {
            preconditionFailure("the statement has no \(name)")
        }
        storage.pointee.known[found] = name.utf8Start
        storage.pointee.next = found + 1
        return found
    }

    /// The position of a name that is made at run time.
    func index(of name: String) -> Int {
        guard let found = storage.pointee.owned.firstIndex(where: { strcmp($0, name) == 0 }) else {
            preconditionFailure("the statement has no \(name)")
        }
        return found
    }

    /// Begins the search with the first name again.
    func rewind() { storage.pointee.next = 0 }
}
