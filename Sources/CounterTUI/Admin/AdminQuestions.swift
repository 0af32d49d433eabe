package import CounterModel

extension Question {
    /// Whether to end the day of a location, and days before it that were left open, with what would be archived. `emptySince` is
    /// the last end where nothing was counted since.
    package static func endDay(
        of location: Location, _ days: [DaySnapshot], count: Int, emptySince: Timestamp? = nil,
        zone: ZoneOffsets, yes: @escaping Action
    ) -> Question {
        let single = emptySince == nil ? "End the day?" : "End an empty day?"
        let leftOpen = days.count > 1 ? "Days were left open: each is archived at its own end." : nil
        let empty = emptySince.map { "Nothing was counted since the last day ended at \(zone.text(of: $0))." }
        let facts = days.flatMap { day in
            let texts = SnapshotTexts(day, zone: zone, capacity: location.maxCapacity)
            return ["\(location.name): \(texts.span)", texts.facts]
        }
        return Question(
            title: days.count > 1 ? "End \(days.count) days?" : single, subject: location.name,
            gist: "\(count) becomes 0",
            paragraphs: [empty, leftOpen].compactMap(\.self) + facts + [
                "This is archived, and \(count) becomes 0. X in the list of ended days takes it back."
            ],
            yes: yes)
    }

    /// Whether to end a day that is over at its own end, with what would be archived.
    package static func endOverdueDay(
        of location: Location, _ snapshot: DaySnapshot, zone: ZoneOffsets, yes: @escaping Action
    ) -> Question {
        let texts = SnapshotTexts(snapshot, zone: zone, capacity: location.maxCapacity)
        return Question(
            title: "End the day that is over?", subject: location.name,
            gist: "\(snapshot.finalLevel) becomes 0 at \(texts.end)",
            paragraphs: [
                "\(location.name): \(texts.span)", texts.facts,
                "This is archived, and \(snapshot.finalLevel) becomes 0 at \(texts.end). X in the list of ended days takes it back.",
            ],
            yes: yes)
    }

    /// Whether to take back the end of a day; `consequence` is a sentence with what comes back.
    package static func takeBackEnd(
        of location: Location, _ snapshot: DaySnapshot, consequence: String, zone: ZoneOffsets,
        yes: @escaping Action
    ) -> Question {
        let texts = SnapshotTexts(snapshot, zone: zone, capacity: location.maxCapacity)
        return Question(
            title: "Take back the end of the day?", subject: location.name, gist: consequence,
            paragraphs: [
                "\(location.name): \(texts.span)", texts.facts, consequence,
                "The end stays in the history, marked with your name and the time.",
            ],
            yes: yes)
    }

    /// Whether to move the rows that a clock has timed before it was set by hand.
    package static func moveMistimed(_ rows: MistimedRows, yes: @escaping Action) -> Question {
        let number = rows.count == 1 ? "1 row" : "\(rows.count) rows"
        return Question(
            title: "Was the clock wrong?", subject: number,
            gist: "Moves \(number) \(ClockMend.words(rows.step))",
            paragraphs: [
                "\(rows.doubt.prefix(1).uppercased())\(rows.doubt.dropFirst()).",
                "If that clock was wrong, yes moves \(number) \(ClockMend.words(rows.step)). X on the row of the clock in History takes it back.",
                "No leaves all as it is. counter clock move does it later, and counter clock keep says that it was right.",
            ],
            yes: yes)
    }

    package static func forget(_ device: Device, yes: @escaping Action) -> Question {
        Question(
            title: "Forget the device?", subject: device.name, gist: "No longer listed",
            paragraphs: [
                "\(device.name) is no longer listed, and loses its name and its location. What it counted stays.",
                "It is listed again, as a new one, as soon as it is seen.",
            ],
            yes: yes)
    }

    package static func share(_ location: Location, yes: @escaping Action) -> Question {
        Question(
            title: "Share the location?", subject: location.name,
            gist: "Machines that reach this one may join",
            paragraphs: [
                "Machines that reach this one by counter sync may join \(location.name).",
                "They get all that was counted there, and count there too.",
            ],
            yes: yes)
    }

    package static func join(_ offer: AdminOffer, of machine: String, yes: @escaping Action) -> Question {
        Question(
            title: "Join the location?", subject: offer.name, gist: "What is counted there is counted here",
            paragraphs: [
                "\(machine) shares \(offer.name). All that was counted there comes here, and what is counted here goes there.",
                "It becomes a location of this journal. A default that nothing was counted in gives its place.",
            ],
            yes: yes)
    }

    package static func stopSharing(_ location: Location, yes: @escaping Action) -> Question {
        Question(
            title: "Share it no longer?", subject: location.name, gist: "Nothing more travels",
            paragraphs: [
                "Nothing of \(location.name) travels any more, either way. What was sent stays where it is."
            ],
            yes: yes)
    }

    /// Whether to hide a location with its count; `devices` is how many still count into it.
    package static func hide(
        _ location: Location, count: Int, devices: Int, yes: @escaping Action
    ) -> Question {
        let rest =
            switch devices {
            case 0: ""
            case 1: "1 device still counts into it."
            default: "\(devices) devices still count into it."
            }
        return Question(
            title: "Hide the location?", subject: location.name, gist: "No longer shown",
            paragraphs: [
                "\(location.name) will not be shown. Nothing is deleted: adding its name brings it back.",
                count == 0 ? "" : "Its count is \(count).", rest,
            ].filter { !$0.isEmpty },
            yes: yes)
    }
}

/// The totals of an operational day, in words.
struct SnapshotTexts {
    private let snapshot: DaySnapshot
    private let zone: ZoneOffsets
    private let words: FlowWords

    init(_ snapshot: DaySnapshot, zone: ZoneOffsets, capacity: Int?) {
        self.snapshot = snapshot
        words = FlowWords(capacity: capacity)
        self.zone = zone
    }

    var end: String { zone.text(of: snapshot.to) }

    var span: String { "\(zone.text(of: snapshot.from)) to \(end)" }

    var facts: String {
        var facts = [
            "count \(snapshot.finalLevel)", "\(words.ins) \(snapshot.totalIn)",
            "\(words.outs) \(snapshot.totalOut)", "highest \(snapshot.highestLevel)",
        ]
        if let average = snapshot.averageOccupancy { facts.append("average \(average.tenths)") }
        if let peak = snapshot.peakHour {
            facts.append(
                "peak \(zone.local(at: peak.start).timeOfDay.prefix(5)) with \(peak.totalIn) \(words.ins)")
        }
        return facts.joined(separator: ", ")
    }
}
