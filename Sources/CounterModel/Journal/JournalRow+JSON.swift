package import Linux

// A row of a journal as one line of JSON: written by `listen --json` and `export --all`, read by `ingest` and `import`.
//
// `position` is the row's position in `journal`, the sender. A row taken over from another journal keeps its identity there
// in `originJournal` and `originPosition`. The position `target` refers to the originating journal.

extension JournalRow {
    /// The row as a line of a sending journal; with the count of its location where this is the last row of it, and with the level
    /// where the count does not show it.
    package func line(ofJournal journalId: String, count: Int? = nil, level: Int? = nil) -> JSONLine {
        func ifOther(_ id: String?) -> String? { id == journalId ? nil : id }
        var object: JSONLine = [
            "type": .text(content.word), "timestamp": .time(timestamp), "locationId": .text(locationId?.text),
        ]
        object.add(content.members)
        object.add(["userId": .text(userId), "receivedAt": .time(receivedAt), "orderedAt": .time(orderedAt)])
        if case .void(let target, let other) = content {
            object.add(["target": .number(Int(target.number)), "targetJournal": .text(ifOther(other))])
        }
        if case .clock(let mend) = content {
            object.add(["targetJournal": .text(ifOther(mend.journalId))])
        }
        let elsewhere = origin?.identity.flatMap { $0.journalId == journalId ? nil : $0 }
        object.add([
            "journal": .text(journalId), "position": .number(Int(id.number)),
            "originJournal": .text(elsewhere?.journalId),
            "originPosition": .number(elsewhere.map { Int($0.position.number) }),
            "count": .number(count), "level": .number(level),
        ])
        return object
    }
}

extension RowContent {
    /// The members of its kind of row. Those about a row that it names depend on the sender.
    fileprivate var members: JSONLine {
        switch self {
        case .entry(let entry):
            return [
                "delta": .number(entry.type.delta), "deviceId": .text(entry.deviceId.text),
                "source": .text(entry.source.rawValue), "sequenceNumber": .number(entry.sequenceNumber),
                "continuesHold": .flag(entry.continuesHold ? true : nil),
                "reason": .text(ReasonRule.mended(entry.reason)),
            ]
        case .correction(let correction):
            var line: JSONLine = [
                "delta": .number(correction.difference), "deviceId": .text(correction.deviceId.text),
                "source": .text(EventSource.manual.rawValue),
                "reason": .text(ReasonRule.mended(correction.reason)),
                "levelBefore": .number(correction.levelBefore),
            ]
            if let day = correction.endedDay { line.add(day.members) }
            return line
        case .reset(let reset):
            return [
                "value": .number(reset.value), "deviceId": .text(reset.deviceId?.text),
                "levelBefore": .number(reset.levelBefore),
            ]
        case .endOfDay(let snapshot, let levelBefore):
            var line = snapshot.members
            line.add(["levelBefore": .number(levelBefore)])
            return line
        case .setting(let setting):
            return ["setting": .text(setting.property.name), "text": .text(setting.text)]
        case .timerEvent(let text):
            // What a reader needs who does not read the text.
            let event = TimerRowContent(text: text)?.event
            return [
                "event": .text(event?.word), "timerId": .text(event?.timerId?.description),
                "label": .text(event?.setup?.label), "seconds": .number(event?.setup?.seconds),
                "text": .text(text),
            ]
        case .clock(let mend):
            var line: JSONLine = [
                "first": .number(Int(mend.rows.lowerBound.number)),
                "last": .number(Int(mend.rows.upperBound.number)),
            ]
            switch mend.change {
            case .latest(let time): line.add(["latest": .time(time)])
            case .by(let step): line.add(["microseconds": .number(Int(step.microseconds))])
            }
            return line
        case .location(let name, let timezone): return ["name": .text(name), "timezone": .text(timezone)]
        case .device(let id, let setting):
            return ["deviceId": .text(id.text), "setting": .text(setting.word), "text": .text(setting.text)]
        case .journal(let name): return ["name": .text(name)]
        case .sharing(let sharing):
            return [
                "worldId": .text(sharing.worldId), "isShared": .flag(sharing.isShared),
                "name": .text(sharing.machine),
            ]
        case .reading(let id, let text): return ["deviceId": .text(id.text), "text": .text(text)]
        case .unknown(let content): return JSONLine(written: content.members)
        case .void: return [:]
        }
    }
}

extension DaySnapshot {
    fileprivate var members: JSONLine {
        [
            "from": .time(from), "to": .time(to), "finalLevel": .number(finalLevel),
            "totalIn": .number(totalIn), "totalOut": .number(totalOut),
            "peakStart": .time(peakHour?.start), "peakIn": .number(peakHour?.totalIn),
            "highestLevel": .number(highestLevel), "averageOccupancy": .decimal(averageOccupancy),
            "isAutomatic": .flag(isAutomatic ? true : nil),
        ]
    }
}

extension RowContent {
    /// The value of `type`.
    fileprivate var word: String {
        switch self {
        case .entry(let entry): entry.type.rawValue
        case .endOfDay: "endOfDay"
        case .unknown(let content): content.type
        default: kind.name
        }
    }
}

// MARK: - Reading rows of journals

extension LineFields {
    package var isRow: Bool { self[.journal] != nil && self[.position] != nil }

    /// The line's row. `unknown` reads a row of a kind that this version does not know; without it, such a row is refused.
    package func row(
        unknown: ((_ type: String) throws(LineError) -> UnknownContent)? = nil
    ) throws(LineError) -> JournalRow {
        let identity = try identity()
        let receivedAt = try requiredTime(.receivedAt)
        let journalId = try required(.journal)
        let target = try position(.target).map {
            RowIdentity(journalId: self[.targetJournal] ?? journalId, position: $0)
        }
        let row = JournalRow(
            id: try position(.position) ?? .start, origin: .journal(identity), locationId: id(.locationId),
            userId: self[.userId], timestamp: try requiredTime(.timestamp), receivedAt: receivedAt,
            orderedAt: try time(.orderedAt), try content(target: target, unknown: unknown))
        switch row.content {
        case .device, .journal: return try row.checked()
        default:
            _ = try requiredId(.locationId)
            return try row.checked()
        }
    }

    /// The row's identity in the journal where it was first appended, which is the sender where no other is named.
    package func identity() throws(LineError) -> RowIdentity {
        let identity =
            if let journalId = self[.originJournal] {
                RowIdentity(
                    journalId: journalId, position: Position(Int64(try requiredNumber(.originPosition))))
            } else {
                RowIdentity(journalId: try required(.journal), position: try position(.position) ?? .start)
            }
        guard identity.position > .start else { throw LineError(why: "position is 1 or more") }
        return identity
    }

    private func position(_ column: LineColumn) throws(LineError) -> Position? {
        guard let number = try number(column) else { return nil }
        guard number >= 0 else { throw LineError(why: "\(column.rawValue) is 0 or more") }
        return Position(Int64(number))
    }

    private func content(
        target: RowIdentity?, unknown: ((String) throws(LineError) -> UnknownContent)?
    ) throws(LineError) -> RowContent {
        let type = try required(.type)
        switch type {
        case "void":
            guard let target else { throw LineError(why: "target is missing") }
            return .void(target.position, of: target.journalId)
        case "reset":
            return .reset(
                Reset(
                    to: try requiredNumber(.value), deviceId: id(.deviceId),
                    levelBefore: try number(.levelBefore) ?? 0))
        case "correction":
            return .correction(
                Correction(
                    by: try requiredNumber(.delta), deviceId: try requiredId(.deviceId),
                    reason: self[.reason], levelBefore: try number(.levelBefore),
                    endedDay: self[.from] == nil ? nil : try snapshot()))
        case "endOfDay":
            let snapshot = try snapshot()
            return .endOfDay(snapshot, levelBefore: try number(.levelBefore) ?? snapshot.finalLevel)
        case "setting": return .setting(try setting(LocationSetting.init(named:text:)))
        case "timerEvent":
            let text = try required(.text)
            guard TimerRowContent.admits(text) else { throw LineError(why: "text is no event of a timer") }
            return .timerEvent(text)
        case "clock": return .clock(try clock(of: required(.journal)))
        case "location": return .location(name: try required(.name), timezone: try required(.timezone))
        case "device":
            let id = try requiredId(.deviceId)
            return .device(id, try setting(DeviceSetting.init(named:text:), " of a device"))
        case "journal": return .journal(name: try required(.name))
        case "sharing":
            return .sharing(
                LocationSharing(
                    worldId: try required(.worldId), isShared: try flag(.isShared), machine: self[.name]))
        case "reading": return .reading(try requiredId(.deviceId), text: try required(.text))
        default:
            if EntryType(rawValue: type) == nil, let unknown { return .unknown(try unknown(type)) }
            return .entry(try entry())
        }
    }

    private func entry() throws(LineError) -> Entry {
        let name = try required(.source)
        guard let source = EventSource(rawValue: name) else {
            throw LineError(why: "source is hardware, manual or import, not '\(name)'")
        }
        return Entry(
            try entryType(of: "in or out"), deviceId: try requiredId(.deviceId), source: source,
            sequenceNumber: try number(.sequenceNumber), continuesHold: try flag(.continuesHold),
            reason: self[.reason])
    }

    private func clock(of journalId: String) throws(LineError) -> ClockMend {
        let (first, last) = (try requiredNumber(.first), try requiredNumber(.last))
        guard 0 < first, first <= last else { throw LineError(why: "first and last are no positions") }
        let change: ClockMend.Change =
            if let latest = try time(.latest) {
                .latest(latest)
            } else {
                .by(.microseconds(try requiredNumber(.microseconds)))
            }
        return ClockMend(
            journalId: self[.targetJournal] ?? journalId,
            rows: Position(Int64(first))...Position(Int64(last)), change)
    }

    private func setting<Setting>(
        _ named: (String, String?) -> Setting?, _ whose: String = ""
    ) throws(LineError) -> Setting {
        let name = try required(.setting)
        guard let setting = named(name, self[.text]) else {
            throw LineError(why: "setting '\(name)'\(whose) is unknown, or cannot be so")
        }
        return setting
    }

    private func snapshot() throws(LineError) -> DaySnapshot {
        var peak: DaySnapshot.PeakHour?
        if let start = try time(.peakStart) {
            peak = DaySnapshot.PeakHour(start: start, totalIn: try requiredNumber(.peakIn))
        }
        return DaySnapshot(
            from: try requiredTime(.from), to: try requiredTime(.to),
            finalLevel: try requiredNumber(.finalLevel), totalIn: try requiredNumber(.totalIn),
            totalOut: try requiredNumber(.totalOut), peakHour: peak,
            highestLevel: try requiredNumber(.highestLevel),
            averageOccupancy: try fraction(.averageOccupancy), isAutomatic: try flag(.isAutomatic))
    }
}

// MARK: - Reading lines of files and of devices

extension LineFields {
    /// A count, a correction or a reset. `location` is that of lines that name none, `line` the identity of those that do not name the
    /// row of a journal that they are.
    package func row(location: Identifier, line: ImportLine) throws(LineError) -> JournalRow {
        let timestamp = try requiredTime(.timestamp)
        let origin = RowOrigin.line(try rowIdentity().map(ImportLine.init) ?? line)
        let row = JournalRow(
            origin: origin, locationId: id(.locationId) ?? location, userId: self[.userId],
            timestamp: timestamp, receivedAt: timestamp, try importedContent())
        return try row.checked()
    }

    private func rowIdentity() throws(LineError) -> RowIdentity? {
        guard let text = word(.rowId) else { return nil }
        guard !text.holdsControlCharacter, let identity = RowIdentity(text: text) else {
            throw LineError(why: "rowId is a journal and a position, not '\(text)'")
        }
        return identity
    }

    private func importedContent() throws(LineError) -> RowContent {
        switch word(.type) {
        case "reset": .reset(Reset(to: try requiredNumber(.value), deviceId: id(.deviceId)))
        case "correction":
            .correction(
                Correction(
                    by: try requiredNumber(.delta), deviceId: id(.deviceId) ?? "import", reason: self[.reason]
                ))
        default:
            .entry(
                Entry(
                    try entryType(of: "in, out, correction or reset"), deviceId: id(.deviceId) ?? "import",
                    source: .import, sequenceNumber: try number(.sequenceNumber), reason: self[.reason]))
        }
    }

    /// The count of a device's line; `location` tells where a device counts, for lines that name none.
    package func event(location: (_ device: Identifier) -> Identifier) throws(LineError) -> (
        JournalRow, Entry
    ) {
        var entry = Entry(
            try entryType(of: "in or out"), deviceId: try requiredId(.deviceId), source: .hardware)
        let timestamp = try requiredTime(.timestamp)
        entry.sequenceNumber = try number(.sequenceNumber)
        let row = JournalRow(
            locationId: id(.locationId) ?? location(entry.deviceId), timestamp: timestamp,
            receivedAt: timestamp, .entry(entry))
        return (try row.checked(), entry)
    }

    /// In or out, from `type`, from `delta`, or from both where they agree; `kinds` are the valid values of `type`, for the message.
    private func entryType(of kinds: String) throws(LineError) -> EntryType {
        let delta = try number(.delta)
        guard let named = word(.type) else {
            guard let delta else { throw missing(.delta) }
            guard let type = EntryType(delta: delta) else {
                throw LineError(why: "delta is 1 or -1, not \(delta)")
            }
            return type
        }
        guard let type = EntryType(rawValue: named) else {
            throw LineError(why: "type is \(kinds), not '\(named)'")
        }
        guard delta == nil || delta == type.delta else { throw LineError(why: "type and delta do not agree") }
        return type
    }
}

extension JournalRow {
    fileprivate func checked() throws(LineError) -> JournalRow {
        if let problem = RowRules.problem(with: self) { throw LineError(why: problem) }
        return self
    }
}
