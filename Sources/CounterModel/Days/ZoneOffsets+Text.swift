extension ZoneOffsets {
    /// The local date and time of a moment, `2026-11-21 14:03:05`; fractions of a second are cut off.
    ///
    /// In an hour that the zone's clocks show twice, the offset is appended to make it unambiguous: `2026-10-25
    /// 02:30:00+02:00`. ``HistoryBound`` reads both forms.
    public func text(of moment: Timestamp) -> String {
        let local = local(at: moment)
        return isRepeated(local) ? "\(local)\(offset(at: moment))" : "\(local)"
    }
}
