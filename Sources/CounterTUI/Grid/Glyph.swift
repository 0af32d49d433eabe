/// What a cell shows: one base character with at most three marks, as `harmless` leaves it.
///
/// Its Unicode scalars side by side and not a `Character`, which counts references: at each press a screen's cells are
/// copied and compared.
public struct Glyph: Hashable, Sendable {
    /// 32 bits for each scalar, the base lowest.
    private let scalars: UInt128

    /// A character's first four scalars.
    public init(_ character: Character) {
        scalars = character.unicodeScalars.prefix(4).reversed().reduce(0) { $0 << 32 | UInt128($1.value) }
    }

    /// An ASCII character.
    init(ascii byte: UInt8) { scalars = UInt128(byte) }

    /// No glyph at all.
    static let empty = Glyph(ascii: 0)

    /// What blank cells show.
    static let space = Glyph(ascii: 0x20)

    /// The character.
    public var character: Character {
        var text = String.UnicodeScalarView()
        forEachScalar { text.append($0) }
        return Character(String(text))
    }

    /// Columns that it takes: 1 or 2.
    var columns: Int { CharacterWidth.columns(base) }

    var isASCII: Bool { scalars < 0x80 }

    /// The character that its marks belong to.
    var base: Unicode.Scalar { Unicode.Scalar(UInt32(truncatingIfNeeded: scalars)) ?? " " }

    /// Its scalars and a zero behind the last, as C's `wchar_t` has them.
    func withScalars(_ body: (UnsafePointer<Int32>) -> Void) {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 5) { buffer in
            for place in 0..<4 { buffer[place] = Int32(truncatingIfNeeded: scalars >> (32 * place)) }
            buffer[4] = 0
            if let start = buffer.baseAddress { body(start) }
        }
    }

    private func forEachScalar(_ body: (Unicode.Scalar) -> Void) {
        var rest = scalars
        while rest != 0 {
            if let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: rest)) { body(scalar) }
            rest >>= 32
        }
    }
}

extension Glyph: ExpressibleByExtendedGraphemeClusterLiteral {
    /// The character of a literal.
    public init(extendedGraphemeClusterLiteral character: Character) { self.init(character) }
}
