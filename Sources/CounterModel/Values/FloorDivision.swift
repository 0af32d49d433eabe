extension BinaryInteger {
    /// Divides towards negative infinity, so that the remainder is never negative.
    ///
    /// - Parameter divisor: 1 or more.
    /// - Returns: The quotient and the remainder, which is in 0..<divisor.
    func flooredQuotientAndRemainder(dividingBy divisor: Self) -> (quotient: Self, remainder: Self) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
