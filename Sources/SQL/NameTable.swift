internal import Glibc

/// Finds the positions of parameters or columns by their names.
///
/// A statement asks for the same names in the same order each time, so the search begins behind the last hit, and a
/// name that was found once is known by its address from then on.
struct NameTable: ~Copyable {
    /// Copies: SQLite's own go when it prepares a statement anew after a change of the schema.
    private let owned: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>>
    private let known: UnsafeMutableBufferPointer<UnsafePointer<UInt8>?>
    private var next = 0

    /// Copies `count` names; each is a C string that stays as long as the call.
    init(count: Int, name: (Int) -> UnsafePointer<CChar>) {
        owned = .allocate(capacity: count)
        known = .allocate(capacity: count)
        known.initialize(repeating: nil)
        for index in 0..<count { owned.initializeElement(at: index, to: strdup(name(index))) }
    }

    deinit {
        for name in owned { free(name) }
        owned.deallocate()
        known.deallocate()
    }

    /// How many names there are.
    var count: Int { owned.count }

    /// The position of a name, from 0 on. A name that is not there is an error of the programmer's.
    mutating func index(of name: StaticString) -> Int {
        let start = name.utf8Start
        if next < known.count, known[next] == start {
            defer { next += 1 }
            return next
        }
        guard let found = owned.firstIndex(where: { strcmp($0, name.utf8Start) == 0 }) else {
            preconditionFailure("the statement has no \(name)")
        }
        known[found] = start
        next = found + 1
        return found
    }

    /// The position of a name that is made at run time.
    func index(of name: String) -> Int {
        guard let found = owned.firstIndex(where: { strcmp($0, name) == 0 }) else {
            preconditionFailure("the statement has no \(name)")
        }
        return found
    }

    /// Lets the search begin with the first name again.
    mutating func rewind() { next = 0 }
}
