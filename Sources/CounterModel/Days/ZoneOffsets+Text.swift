extension ZoneOffsets {
    /// What calendar and clock show at a moment: `2026-11-21 14:03:05`; parts of a second are cut off.
    ///
    /// With the offset where that alone would not tell which moment it is, in an hour that the zone shows twice:
    /// `2026-10-25 02:30:00+02:00`. ``HistoryBound`` reads both.
    public func text(of moment: Timestamp) -> String {
        let local = local(at: moment)
        return isRepeated(local) ? "\(local)\(offset(at: moment))" : "\(local)"
    }
}
