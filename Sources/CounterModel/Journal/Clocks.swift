import Linux

/// What mends the times of rows that a journal has written while its clock was wrong.
package struct ClockMend: Hashable, Sendable {
    /// A step by which a clock can have been wrong, either way: 100 years.
    package static let farthest = Duration.seconds(100 * 366 * 86_400)

    package enum Change: Hashable, Sendable {
        /// They are ordered, and count, at this time at the latest: the clock was ahead.
        case latest(Timestamp)
        /// They are ordered, and count, so much later, or earlier: the clock was set by that.
        case by(Duration)
    }

    package let journalId: String
    /// Their positions in that journal.
    package let rows: ClosedRange<Position>
    package let change: Change

    package init(journalId: String, rows: ClosedRange<Position>, _ change: Change) {
        (self.journalId, self.rows, self.change) = (journalId, rows, change)
    }

    /// For how rows are moved by a clock that was set: `2h forward`, `20781 days back`.
    package static func words(_ step: Duration) -> String {
        let seconds = Int(step.microseconds / 1_000_000)
        let days = abs(seconds) / 86_400
        let amount = days < 2 ? DurationText.short(seconds: abs(seconds)) : "\(days) days"
        return "\(amount) \(seconds < 0 ? "back" : "forward")"
    }
}

// MARK: - The clock of this machine

/// What the wall clock was since this machine was started, each reading with the rows of this journal that it has written.
package struct ClockReadings: Hashable, Sendable {
    /// How far a clock must have been set for rows to be moved.
    package static let tolerance = Duration.seconds(60)
    private static let microseconds = tolerance.microseconds.magnitude

    package struct Reading: Hashable, Sendable {
        /// The journal's last row when the clock was read so for the first time.
        package let after: Position
        /// As that of a `ClockReference`. Of rows that were moved it is the reading by which they were.
        package fileprivate(set) var offset: Int64
        /// Whether it was synchronised, or a user has said that it was right.
        package fileprivate(set) var isRight: Bool

        package init(after: Position, offset: Int64, isRight: Bool) {
            (self.after, self.offset, self.isRight) = (after, offset, isRight)
        }
    }

    /// Rows that were written by a clock that was set since by `step`.
    package struct Wrong: Hashable, Sendable {
        package let rows: ClosedRange<Position>
        package let step: Duration
    }

    package let bootId: String
    /// The first one first; at least one.
    package private(set) var all: [Reading]

    package init(bootId: String, _ all: [Reading]) { (self.bootId, self.all) = (bootId, all) }

    private var present: Reading { all[all.count - 1] }

    /// Whether the clock is known to be right now, so that nobody need be asked.
    package var isRight: Bool { present.isRight }

    /// Whether a reading says nothing new: the clock was not set, and is no more synchronised than before.
    package func isKnown(_ clock: ClockReference, isSynchronised: @autoclosure () -> Bool) -> Bool {
        bootId == clock.bootId && !Self.isFar(clock.offset, present.offset)
            && (present.isRight || !isSynchronised())
    }

    /// Those after another reading, before a row is appended that comes after `last`.
    package func after(_ clock: ClockReference, isSynchronised: Bool, _ last: Position) -> ClockReadings {
        let new = Reading(after: last, offset: clock.offset, isRight: isSynchronised)
        guard bootId == clock.bootId else { return ClockReadings(bootId: clock.bootId, [new]) }
        var next = self
        if !Self.isFar(clock.offset, present.offset) {
            next.all[all.count - 1].isRight = present.isRight || isSynchronised
        } else {
            if present.after == last { next.all.removeLast() }
            next.all.append(new)
        }
        return next
    }

    private static func isFar(_ one: Int64, _ other: Int64) -> Bool {
        let (step, overflow) = one.subtractingReportingOverflow(other)
        return overflow || step.magnitude > microseconds
    }

    private func isWrong(_ reading: Reading) -> Bool {
        !reading.isRight && Self.isFar(present.offset, reading.offset)
    }

    /// The rows that a clock which nobody knew to be right has written before it was set.
    package var wrong: [Wrong] {
        zip(all, all.dropFirst()).compactMap { reading, next in
            let first = Position(reading.after.number + 1)
            guard isWrong(reading), first <= next.after else { return nil }
            return Wrong(rows: first...next.after, step: .microseconds(present.offset - reading.offset))
        }
    }

    /// Those after the rows were moved, or were said to be right.
    package func settled(byMoving: Bool) -> ClockReadings {
        var next = self
        for index in all.indices where isWrong(all[index]) {
            if byMoving { next.all[index].offset = present.offset }
            next.all[index].isRight = !byMoving || isRight
        }
        return next
    }
}

/// Rows that have times by a clock that was set since.
package struct MistimedRows: Hashable, Sendable {
    package let step: Duration
    package let count: Int

    package init(step: Duration, count: Int) { (self.step, self.count) = (step, count) }

    private var setting: String { "the clock was set \(ClockMend.words(step))" }

    /// That it was wrong, and is right now.
    package var moved: String {
        "\(setting): \(count == 1 ? "1 row" : "\(count) rows") that it had timed moved with it"
    }
    /// That nobody knows whether it was wrong.
    package var doubt: String {
        "\(setting) by hand: \(count == 1 ? "1 row has its time" : "\(count) rows have their times") by the old one"
    }
    package static let remedy = "If it was wrong: counter clock move. If it was right: counter clock keep."
}
