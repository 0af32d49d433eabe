public import CounterModel

extension RowRules {
    /// The rules of this system, which knows its own time zones.
    public static let ofThisSystem = RowRules { (try? ZoneDatabase().require($0)) != nil }
}
