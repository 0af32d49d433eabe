import Linux

/// The content of a cell: one base character with at most three combining marks, as `sanitised` returns it.
///
/// It stores the Unicode scalars instead of a `Character`, which is reference counted: each key press copies and compares
/// all cells of a screen.
package struct Glyph: Hashable, Sendable {
    /// 21 bits for each mark, the first one lowest.
    private let marks: UInt64
    /// The base character; 0 for no glyph.
    private let scalar: UInt32

    private static let markBits = 21

    /// A character's first four scalars.
    package init(_ character: Character) {
        let scalars = character.unicodeScalars
        scalar = scalars.first?.value ?? 0
        marks = scalars.dropFirst().prefix(3).reversed().reduce(0) { $0 << Self.markBits | UInt64($1.value) }
    }

    init(ascii byte: UInt8) { (scalar, marks) = (UInt32(byte), 0) }

    static let empty = Glyph(ascii: 0)

    /// The glyph of blank cells.
    static let space = Glyph(ascii: 0x20)

    package var character: Character {
        var text = String.UnicodeScalarView([base])
        var rest = marks
        while rest != 0 {
            Unicode.Scalar(Self.lowest(of: rest)).map { text.append($0) }
            rest >>= Self.markBits
        }
        return Character(String(text))
    }

    /// The width in columns: 1 or 2.
    var columns: Int { CharacterWidth.columns(base) }

    /// The two letters of a flag, one column each; nil for other characters.
    var flagLetters: (Glyph, Glyph)? {
        guard CharacterWidth.isFlag(base), let second = Unicode.Scalar(Self.lowest(of: marks)) else {
            return nil
        }
        return (Glyph(Character(base)), Glyph(Character(second)))
    }

    var isASCII: Bool { scalar < 0x80 && marks == 0 }

    var base: Unicode.Scalar { Unicode.Scalar(scalar) ?? " " }

    /// Calls `body` with the scalars, terminated by 0, as C's `wchar_t` string.
    func withScalars(_ body: (UnsafePointer<Int32>) -> Void) {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 5) { buffer in
            buffer[0] = Int32(bitPattern: scalar)
            for index in 0..<4 {
                buffer[index + 1] = Int32(bitPattern: Self.lowest(of: marks >> (Self.markBits * index)))
            }
            if let start = buffer.baseAddress { body(start) }
        }
    }

    private static func lowest(of marks: UInt64) -> UInt32 {
        UInt32(truncatingIfNeeded: marks) & (1 << markBits - 1)
    }
}

extension Glyph: ExpressibleByExtendedGraphemeClusterLiteral {
    package init(extendedGraphemeClusterLiteral character: Character) { self.init(character) }
}

package struct Cell: Hashable, Sendable {
    private var shown: Glyph
    package var style: Style

    init(glyph: Glyph?, style: Style) {
        shown = glyph ?? .empty
        self.style = style
    }

    /// The glyph; nil in the right half of a wide character, which the cell to the left contains.
    package var glyph: Glyph? {
        get { shown == .empty ? nil : shown }
        set { shown = newValue ?? .empty }
    }

    /// A space in the terminal's own colours.
    package static let blank = Cell(glyph: .space, style: .plain)

    package var character: Character? { glyph?.character }
}
