extension Double {
    /// To the nearest tenth, as an average is read: `-0.5`, and `0.0` for what is nearly 0 from below too.
    public var tenths: String {
        let rounded = (self * 10).rounded() / 10
        return "\(rounded == 0 ? 0 : rounded)"
    }
}
