package import CounterModel

extension HistoryTexts {
    /// A row of the list.
    package func line(_ row: HistoryRow) -> HistoryList.Line {
        HistoryList.Line(
            position: row.id, time: time(row.countedAt, withSeconds: true), what: what(row.kind),
            origin: origin(row.kind), void: row.void.map(words))
    }

    /// Who took a row back, and when, by the location's clock.
    private func words(_ void: VoidMark) -> String {
        let at = "at \(time(void.time, withSeconds: true))"
        return void.userId.map { "by \($0) \(at)" } ?? at
    }

    private func what(_ kind: HistoryRow.Kind) -> String {
        switch kind {
        case .entry(let entry): entry.type == .in ? "+1" : "-1"
        case .correction(let correction): "corrected \(correction.words())"
        case .reset(let reset): "reset to \(reset.value)"
        case .endOfDay(let reset, _): "end of day at \(reset.levelBefore)"
        case .setting(let change): change.setting.words
        }
    }

    private func origin(_ kind: HistoryRow.Kind) -> String {
        let parts: [String?] =
            switch kind {
            case .entry(let entry):
                [
                    deviceName(entry.deviceId), entry.source.rawValue, entry.userId,
                    ReasonRule.mended(entry.reason).map { "\"\($0)\"" },
                ]
            case .correction(let correction):
                [
                    deviceName(correction.deviceId), correction.userId,
                    ReasonRule.mended(correction.reason).map { "\"\($0)\"" },
                ]
            case .reset(let reset): [reset.deviceId.map(deviceName), reset.userId]
            case .endOfDay(let reset, let isAutomatic): [isAutomatic ? "automatic" : reset.userId]
            case .setting(let change): [change.userId]
            }
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}

extension LocationSetting {
    /// What it sets, in words.
    package var words: String {
        switch self {
        case .capacity(let capacity?): "capacity \(capacity)"
        case .capacity(nil): "no capacity"
        case .name(let name): "name \(name)"
        case .timezone(let zone): "zone \(zone)"
        case .dayStart(let hour): "days start at \(hour < 10 ? "0" : "")\(hour):00"
        case .admitsOverFull(let admits):
            admits ? "manual entries above capacity" : "no manual entries above capacity"
        case .isHidden(let isHidden): isHidden ? "hidden" : "shown"
        case .openingHours(let hours): hours.map { "open \($0)" } ?? "no opening hours"
        case .endsDaysAutomatically(let ends): ends ? "days end by themselves" : "days end by End Day"
        case .group(let name): name.map { "group \($0)" } ?? "no group"
        case .key(let key): key.map { "key \($0)" } ?? "no key"
        case .target(let target): target.map { "target \($0)" } ?? "no target"
        }
    }
}
