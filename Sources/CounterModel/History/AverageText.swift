extension Double {
    /// Rounded to tenths, as averages are printed: `-0.5`; never `-0.0`.
    public var tenths: String {
        let rounded = (self * 10).rounded() / 10
        return "\(rounded == 0 ? 0 : rounded)"
    }
}
