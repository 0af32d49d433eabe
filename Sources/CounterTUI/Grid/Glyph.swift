/// The content of a cell: one base character with at most three combining marks, as `harmless` returns it.
///
/// It stores the Unicode scalars instead of a `Character`, which is reference counted: each key press copies and compares
/// all cells of a screen.
public struct Glyph: Hashable, Sendable {
    /// 32 bits for each scalar, the base lowest.
    private let scalars: UInt128

    /// A character's first four scalars.
    public init(_ character: Character) {
        scalars = character.unicodeScalars.prefix(4).reversed().reduce(0) { $0 << 32 | UInt128($1.value) }
    }

    /// An ASCII character.
    init(ascii byte: UInt8) { scalars = UInt128(byte) }

    /// No glyph.
    static let empty = Glyph(ascii: 0)

    /// The glyph of blank cells.
    static let space = Glyph(ascii: 0x20)

    /// The character.
    public var character: Character {
        var text = String.UnicodeScalarView()
        forEachScalar { text.append($0) }
        return Character(String(text))
    }

    /// The width in columns: 1 or 2.
    var columns: Int { CharacterWidth.columns(base) }

    var isASCII: Bool { scalars < 0x80 }

    /// The base character, without its marks.
    var base: Unicode.Scalar { Unicode.Scalar(UInt32(truncatingIfNeeded: scalars)) ?? " " }

    /// Calls `body` with the scalars, terminated by 0, as C's `wchar_t` string.
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
