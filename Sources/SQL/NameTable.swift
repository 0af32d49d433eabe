internal import Glibc

/// Finds the positions of parameters or columns by their names.
///
/// A statement asks for the same names in the same order each time, so the search begins behind the last hit, and a
/// name that was found once is known by its address from then on.
///
/// Its owner frees it. Copies share what was found: behind a pointer, so that no access to it is checked at run time.
struct NameTable {
    private struct Storage {
        /// Copies: SQLite's own go when it prepares a statement anew after a change of the schema.
        let owned: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>>
        let known: UnsafeMutableBufferPointer<UnsafePointer<UInt8>?>
        var next = 0
    }

    private let storage: UnsafeMutablePointer<Storage>

    /// Copies `count` names; each is a C string that stays as long as the call.
    init(count: Int, name: (Int) -> UnsafePointer<CChar>) {
        storage = .allocate(capacity: 1)
        storage.initialize(to: Storage(owned: .allocate(capacity: count), known: .allocate(capacity: count)))
        storage.pointee.known.initialize(repeating: nil)
        for index in 0..<count { storage.pointee.owned.initializeElement(at: index, to: strdup(name(index))) }
    }

    /// Frees it, with all copies.
    func free() {
        for name in storage.pointee.owned { Glibc.free(name) }
        storage.pointee.owned.deallocate()
        storage.pointee.known.deallocate()
        storage.deallocate()
    }

    /// The position of a name, from 0 on. A name that is not there is an error of the programmer's.
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

    /// Lets the search begin with the first name again.
    func rewind() { storage.pointee.next = 0 }
}
