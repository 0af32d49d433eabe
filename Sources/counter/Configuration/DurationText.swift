import Glibc

extension Duration {
    /// Reads `150ms`, `1.5s`, `2min`.
    ///
    /// - Returns: `nil` where the text is not a duration: no unit, a sign, or more than a day.
    init?(text: String) {
        let units: [(String, Double)] = [("ms", 0.001), ("min", 60), ("s", 1)]
        guard let (unit, scale) = units.first(where: { text.hasSuffix($0.0) }) else { return nil }
        let number = text.dropLast(unit.count)
        guard number.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let value = Double(number)
        else {
            return nil
        }
        let seconds = value * scale
        guard seconds <= 86_400 else { return nil }
        self = .microseconds(Int64((seconds * 1_000_000).rounded()))
    }
}
