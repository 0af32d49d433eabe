import CounterModel
import CounterTUI
import Foundation
import TestSupport
import Testing

@testable import Practice

/// Files with values that the program never writes. Each is refused in words, or can be played with, stored and read again; a
/// crash ends the tests.
@Suite struct DamagedFileTests {
    private let scratch: ScratchFolder
    private let folder: PracticeFolder
    private let start = Sample.noon

    init() throws {
        scratch = try ScratchFolder()
        folder = PracticeFolder(below: scratch.path)
        try folder.take()
    }

    /// A player with rows in all tables, and a session that was not ended.
    private func makePlayer() throws -> (path: String, bytes: Data) {
        var change = Sample.change("a1", ActivityType.allCases)
        change.player.learningProfile.timeOfDayPreference = [12: 1]
        let path = folder.path(ofPlayer: "a1")
        try PlayerStore("a1", in: folder, makes: true).save(change)
        return (path, try Data(contentsOf: URL(filePath: path)))
    }

    private func makeSettings() throws -> (path: String, bytes: Data) {
        let store = try SettingsStore(folder.settingsPath, makes: true)
        try store.save(Sample.settings)
        var attempts = PINAttempts()
        _ = attempts.begin(at: BootMoment(bootId: "b", sinceBoot: .seconds(5)))
        try store.save(attempts)
        return (folder.settingsPath, try Data(contentsOf: URL(filePath: folder.settingsPath)))
    }

    /// What is done with a file that is read. One that is refused stays as it was.
    ///
    /// - Returns: Whether the file was accepted.
    private func tryPlayer(_ path: String) throws -> Bool {
        let before = try Data(contentsOf: URL(filePath: path))
        let now = Moment(time: start, steady: .zero, calendar: Sample.utc, seed: 0)
        let first = try PracticeStorage(folder).model(at: now, version: "1")
        guard let loaded = first.players.first else {
            let trouble = try #require(first.troubles.first)
            #expect(trouble.hasPrefix("player-a1.sqlite: ") && trouble.hasSuffix("."), "\(trouble)")
            #expect(try Data(contentsOf: URL(filePath: path)) == before, "\(trouble)")
            return false
        }
        var afternoon = Afternoon(model(of: loaded))
        play(&afternoon)
        #expect(afternoon.effects.contains(.endSession))
        guard let played = afternoon.model.players.first else { return true }
        var change = PlayerChange(player: played)
        change.session = SessionMetrics(
            sessionId: loaded.nextSessionId, startTime: start, startHour: 0)
        try PlayerStore("a1", in: folder).save(change)
        #expect(try PlayerStore("a1", in: folder).player().coins == played.coins)
        return true
    }

    private func model(of player: PlayerData) -> PracticeModel {
        var settings = AppSettings(appVersion: "1")
        settings.parentSettings.rewards = [Reward(name: "nothing", price: 0)]
        return PracticeModel(settings: settings, hasPIN: true, players: [player])
    }

    /// A level of each activity that is quit, one that is solved, a reward, and the report.
    private func play(_ afternoon: inout Afternoon) {
        _ = afternoon.model.players[0].report(afternoon.parent, at: afternoon.now)
        _ = afternoon.lines(columns: 80, rows: 24)
        afternoon.press(.both)
        for title in ["Pattern", "Labyrinth", "Count", "Dice"] {
            afternoon.choose(title)
            _ = afternoon.lines(columns: 80, rows: 24)
            if title == "Dice", let dice = afternoon.dice {
                for _ in 0..<dice.pips { afternoon.press(.up) }
                afternoon.press(.both)
                _ = afternoon.lines(columns: 80, rows: 24)
                afternoon.press(.both)
            } else {
                afternoon.press(.down)
                afternoon.quit()
            }
            _ = afternoon.lines(columns: 80, rows: 24)
        }
        afternoon.choose("Treasure")
        _ = afternoon.lines(columns: 80, rows: 24)
        afternoon.press(.both, .up, .both, .both, .home)
        afternoon.press(.home, .home)
    }

    private func trySettings(_ path: String) throws -> Bool {
        let boot = BootMoment(bootId: "b", sinceBoot: .seconds(100))
        do throws(StoreError) {
            let store = try SettingsStore(path, makes: false)
            var settings = try store.settings() ?? AppSettings(appVersion: "1")
            settings.totalLaunches += 1
            var attempts = try store.attempts()
            _ = attempts.wait(at: boot)
            _ = attempts.begin(at: boot)
            try store.save(attempts)
            let hasPIN = try store.pin() != nil
            var afternoon = Afternoon(
                PracticeModel(settings: settings, hasPIN: hasPIN, players: [Sample.player("a1")]))
            _ = afternoon.lines(columns: 80, rows: 24)
            afternoon.press(.up, .both)
            afternoon.openDashboard()
            for _ in 0..<12 {
                _ = afternoon.lines(columns: 80, rows: 24)
                afternoon.press(.up)
            }
            try store.save(afternoon.model.settings)
            _ = try SettingsStore(path, makes: false).settings()
            return true
        } catch {
            #expect(error.sentence.hasPrefix("settings.sqlite: ") && error.failure.remedy?.isEmpty == false)
            return false
        }
    }

    /// Each column of each table with each hostile value.
    private func tryAll(_ file: (path: String, bytes: Data), _ attempt: (String) throws -> Bool) throws {
        var (refused, accepted) = (0, 0)
        for (table, column) in try RawDatabase(file.path).columns() {
            for value in HostileValue.all {
                try file.bytes.write(to: URL(filePath: file.path))
                // What even a table without rules does not hold.
                guard (try? RawDatabase(file.path).damage([(table, column, value)])) != nil else { continue }
                if try attempt(file.path) { accepted += 1 } else { refused += 1 }
            }
        }
        #expect(refused > accepted, "\(refused) refused, \(accepted) accepted")
    }

    @Test func `Each value of a player may be damaged`() throws { try tryAll(makePlayer(), tryPlayer) }

    @Test func `Each value of the settings may be damaged`() throws {
        try tryAll(makeSettings(), trySettings)
    }

    @Test func `A header that forbids writing is damage, told before anything is played`() throws {
        var (path, bytes) = try makePlayer()
        // The file format's write version: https://www.sqlite.org/fileformat2.html#file_format_version_numbers
        bytes[18] = 3
        try bytes.write(to: URL(filePath: path))
        #expect(try !tryPlayer(path))
    }

    @Test func `A reference to a table that is not there is damage`() throws {
        var (path, bytes) = try makePlayer()
        let reference = try #require(bytes.range(of: Data("REFERENCES session".utf8)))
        bytes[reference.upperBound - 7] = UInt8(ascii: "z")
        try bytes.write(to: URL(filePath: path))
        #expect(try !tryPlayer(path))
    }

    @Test func `What is damaged is found before the session that was not ended is stored`() throws {
        let path = try makePlayer().path
        // A video of another day is read last, for its number alone.
        try RawDatabase(path).damage([
            ("video_record", "is_of_today", "0"), ("video_record", "id", HostileValue.all[0]),
        ])
        #expect(try !tryPlayer(path))
    }

    @Test func `Several values and bytes may be damaged`() throws {
        let files = [(try makePlayer(), tryPlayer), (try makeSettings(), trySettings)]
        for (file, attempt) in files {
            let columns = try RawDatabase(file.path).columns()
            for seed in 0..<Volume.of(sample: 150, full: 500_000) {
                var random = SplitMix64(seed: UInt64(seed))
                var bytes = file.bytes
                if random.below(4) == 0 {
                    for _ in 0...random.below(8) {
                        bytes[random.below(bytes.count)] = UInt8(random.below(256))
                    }
                }
                try bytes.write(to: URL(filePath: file.path))
                let values = (0..<random.below(6)).map { _ in
                    let (table, column) = random.element(of: columns)
                    return (table, column, HostileValue.random(&random))
                }
                _ = try? RawDatabase(file.path).damage(values)
                _ = try attempt(file.path)
            }
        }
    }
}
