import CounterModel
import Linux
import TestSupport
import Testing

@testable import CounterStore

/// The ids of a journal whose file is copied to other machines, or put back to an earlier copy.
@Suite struct JournalIdTests {
    private let folder: ScratchFolder
    /// It was written to on one machine, `copy` is its file on another one.
    private let journal: SQLiteJournal

    init() throws {
        folder = try ScratchFolder()
        journal = try Self.opened(folder.path(of: "card"), on: "door")
    }

    private static func opened(_ directory: String, on machine: String?) throws -> SQLiteJournal {
        let journal = try SQLiteJournal(directory: directory, timezone: "UTC")
        journal.machine = { machine }
        return journal
    }

    private func copied(
        _ source: SQLiteJournal? = nil, to name: String, on machine: String?
    ) throws -> SQLiteJournal {
        try (source ?? journal).copyFile(to: folder.path(of: name))
        return try Self.opened(folder.path(of: name), on: machine)
    }

    /// Both take what the other one has.
    private func exchange(_ one: SQLiteJournal, _ other: SQLiteJournal) throws {
        for (from, to) in [(one, other), (other, one), (one, other)] {
            #expect(try to.takeOver(from).allSatisfy { !$0.isRefused })
        }
        let all = try [one, other].map { try $0.feed(after: .start, limit: .max).map(\.row.origin) }
        #expect(Set(all[0]) == Set(all[1]))
        for origins in all { #expect(Set(origins).count == origins.count) }
        #expect(try one.level() == other.level())
        for journal in [one, other] { #expect(try journal.verify() == []) }
    }

    // MARK: - Another machine

    @Test func `A copy on another machine begins a new id, says so once, and both agree`() throws {
        try journal.rename(to: "door", at: Timestamp(seconds: 1))
        try journal.ask(Ask.count(at: 1_000), Ask.count(at: 2_000))
        let copy = try copied(to: "clone", on: "office")
        #expect(try copy.id() == journal.id())
        try copy.ask(Ask.count(at: 3_000), Ask.void(2, at: 4_000))
        #expect(copy.takeNewId() == .copied && copy.takeNewId() == nil)
        #expect(journal.takeNewId() == nil)
        #expect(try copy.id() != journal.id() && copy.ids().id(at: Position(3)) == journal.id())
        try copy.rename(ifNamelessTo: "office", at: Timestamp(seconds: 1))
        try journal.ask(Ask.count(at: 3_500), Ask.void(3, at: 4_500), Ask.count(at: 5_000))
        try exchange(journal, copy)
        #expect(try journal.level() == 3)
        let known = try copy.journals().map { "\($0.name ?? "-") \($0.isOwn) \($0.rows)" }
        #expect(known == ["office true 3", "door false 6"])
        #expect(try journal.journals().map { "\($0.name ?? "-") \($0.rows)" } == ["door 6", "office 3"])
        // Those of before the copy too.
        let actors = try copy.history().map { $0.journal ?? "here" }
        #expect(actors == ["door", "door", "here", "door", "door"])
    }

    @Test func `A copy that is opened again, and its journal, say nothing more`() throws {
        try journal.ask(Ask.count(at: 1_000))
        let copy = try copied(to: "clone", on: "office")
        try copy.ask(Ask.count(at: 2_000))
        for (directory, machine) in [(copy.directory, "office"), (journal.directory, "door")] {
            let again = try Self.opened(directory, on: machine)
            let id = try again.id()
            try again.ask(Ask.count(at: 3_000))
            #expect(try again.takeNewId() == nil && again.id() == id)
        }
    }

    @Test func `A copy of a journal without rows has an id of its own, and nothing is said`() throws {
        try journal.followMachine()
        let copy = try copied(to: "clone", on: "office")
        try copy.ask(Ask.count(at: 1_000))
        #expect(try copy.takeNewId() == nil && copy.id() != journal.id())
    }

    @Test func `Where the machine is not known, nothing is bound and nothing said`() throws {
        try journal.ask(Ask.count(at: 1_000))
        let container = try copied(to: "container", on: nil)
        try container.ask(Ask.count(at: 2_000))
        #expect(try container.takeNewId() == nil && container.id() == journal.id())
        let unbound = try Self.opened(folder.path(of: "unbound"), on: nil)
        try unbound.ask(Ask.count(at: 1_000))
        let bound = try Self.opened(unbound.directory, on: "door")
        try bound.ask(Ask.count(at: 2_000))
        #expect(try bound.takeNewId() == nil && bound.id() == unbound.id())
    }

    @Test func `A journal of schema 14 belongs to the machine of its next row`() throws {
        try journal.ask(Ask.count(at: 1_000))
        let former = try copied(to: "former", on: "office")
        let outside = try RawDatabase(former.path)
        try outside.makeVersion14()
        outside.close()
        let migrated = try Self.opened(former.directory, on: "office")
        #expect(try migrated.id() == journal.id() && migrated.level() == 1)
        try migrated.ask(Ask.count(at: 2_000))
        #expect(try migrated.takeNewId() == nil && migrated.id() == journal.id() && migrated.verify() == [])
        let copy = try Self.opened(migrated.directory, on: "door")
        try copy.ask(Ask.count(at: 3_000))
        #expect(copy.takeNewId() == .copied)
    }

    // MARK: - An earlier copy

    @Test func `An automatic end of a day that a restored journal has appended is no other history`() throws {
        let day: Int64 = 86_400_000_000
        try journal.append(
            Ask.setting(.endsDaysAutomatically(true), at: 1_000), at: Timestamp(microseconds: 1_000))
        try journal.append(Ask.count(at: 2_000), at: Timestamp(microseconds: 2_000))
        let restored = try copied(to: "restored", on: "door")
        try journal.append(Ask.count(at: 3_000), Ask.count(at: 4_000), at: Timestamp(microseconds: 5_000))
        let noon = Timestamp(microseconds: day + day / 2)
        for journal in [journal, restored] { #expect(try journal.endDueDays(now: noon).count == 1) }
        #expect(try restored.takeOver(journal, at: noon).allSatisfy { !$0.isRefused })
        #expect(restored.takeNewId() == .restored)
        #expect(try journal.takeOver(restored, at: noon).allSatisfy { !$0.isRefused })
        for journal in [journal, restored] { #expect(try journal.level() == 0 && journal.verify() == []) }
        // One of the two ends counts, in both.
        #expect(try restored.endedDays(of: "default").count == 1)
        #expect(
            try restored.endedDays(of: "default").map(\.snapshot)
                == journal.endedDays(of: "default").map(\.snapshot))
    }

    @Test func `Rows of other journals that came first are not in the way of lost ones`() throws {
        try journal.ask(Ask.count(at: 1_000))
        let restored = try copied(to: "restored", on: "door")
        let far = try Self.opened(folder.path(of: "far"), on: "office")
        try far.ask(Ask.count(at: 1_500, device: "far"))
        try journal.ask(Ask.count(at: 2_000), Ask.count(at: 3_000))
        try restored.takeOver(far)
        try exchange(restored, journal)
        #expect(try restored.level() == 4)
    }

    @Test func `A fork keeps the name that was given`() throws {
        try journal.rename(to: "office", at: Timestamp(microseconds: 1_000_000))
        try journal.ask(Ask.count(at: 2_000_000))
        let id = try journal.id()
        #expect(try journal.fork(at: Position(2), now: Timestamp(microseconds: 3_000_000)) == 1)
        #expect(try journal.id() != id)
        #expect(try journal.name() == "office")
        #expect(try journal.verify().isEmpty)
    }

    @Test func `Clock rows of a fork name its rows by their new id`() throws {
        try journal.ask(Ask.count(at: 1_000_000), Ask.count(at: 2_000_000))
        let fork = try copied(to: "fork", on: "door")
        try journal.ask(Ask.count(at: 3_000_000), Ask.count(at: 4_000_000))
        try fork.ask(Ask.count(at: 5_000_000), Ask.count(at: 6_000_000))
        let mend = ClockMend(journalId: try fork.id(), rows: Position(2)...Position(4), .by(.seconds(-1)))
        try fork.ask(
            Request(locationId: "default", timestamp: Timestamp(microseconds: 7_000_000), .clock(mend)))
        func times(_ journal: SQLiteJournal) throws -> [Int64] {
            try journal.history().compactMap {
                if case .entry = $0.row.content { $0.countedAt.microseconds / 1_000_000 } else { nil }
            }
        }
        #expect(try times(fork) == [1, 1, 4, 5])
        #expect(try fork.takeOver(journal).filter(\.isRefused).count == 2)
        #expect(try fork.fork(at: Position(3), now: Timestamp(microseconds: 10_000_000)) == 3)
        try exchange(journal, fork)
        for journal in [journal, fork] { #expect(try times(journal) == [1, 1, 3, 4, 4, 5]) }
    }
}
