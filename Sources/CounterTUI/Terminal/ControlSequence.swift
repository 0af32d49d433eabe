/// A control sequence of ECMA-48, 5.4, without the `ESC [` that begins it: `<0;5;6M`, `57439;1:3u`.
struct ControlSequence {
    /// `<`, `=`, `>` or `?`, which mark a private sequence; nil if there is none.
    let marker: UInt8?
    /// The numbers between the semicolons, each with its subparameters between colons; nil for one that is left out.
    let parameters: [[Int?]]
    /// The last byte, which gives the sequence its meaning.
    let final: UInt8

    /// Parses the bytes after `ESC [`; nil if they are no such sequence.
    init?(_ bytes: [UInt8]) {
        guard let final = bytes.last, (0x40..<0x7F).contains(final) else { return nil }
        self.final = final
        let marker = bytes.first.flatMap { (0x3C...0x3F).contains($0) ? $0 : nil }
        self.marker = marker
        let text = String(decoding: bytes.dropLast().dropFirst(marker == nil ? 0 : 1), as: UTF8.self)
        var parameters: [[Int?]] = []
        for parameter in text.isEmpty ? [] : Self.split(text[...], at: ";") {
            var parts: [Int?] = []
            for digits in Self.split(parameter, at: ":") {
                let number = UInt32(digits).map(Int.init)
                guard digits.isEmpty || number != nil && digits.first != "+" else { return nil }
                parts.append(number)
            }
            parameters.append(parts)
        }
        self.parameters = parameters
    }

    /// A parameter or one of its subparameters, both counted from 0; `fallback` if it is left out.
    func parameter(_ index: Int, _ part: Int = 0, else fallback: Int) -> Int {
        guard index < parameters.count, part < parameters[index].count else { return fallback }
        return parameters[index][part] ?? fallback
    }

    private static func split(_ text: Substring, at separator: Character) -> [Substring] {
        text.split(separator: separator, omittingEmptySubsequences: false)
    }
}
