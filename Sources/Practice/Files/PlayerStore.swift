import CounterModel
import SQL

/// The file of one player, whose id is in the file's name. Each save is one transaction.
///
/// A file that holds another player, such as a copy of that player's file, is neither read nor written.
package final class PlayerStore {
    let path: String
    private let id: String
    let db: Connection

    /// Opens the file of a player.
    ///
    /// - Parameters:
    ///   - path: the file.
    ///   - makes: whether to make it where it is missing.
    /// - Throws: `StoreError`; the file then stays as it was.
    package init(_ path: String, makes: Bool = false) throws(StoreError) {
        self.path = path
        id = PracticeFolder.playerId(ofFile: path)
        db = try PracticeFile.open(path, schema: PlayerSchema.tables, makes: makes)
    }

    /// Writes all of a change, or nothing.
    ///
    /// - Throws: `StoreError`; the caller keeps the change and saves it with the next one.
    package func save(_ change: PlayerChange) throws(StoreError) {
        do {
            try db.transaction(.writing) {
                try requireOwn(change.player.id)
                try db.statement("SELECT id FROM player" as StaticString).text().map(requireOwn)
                try write(change.player)
                try write(change.player.learningProfile)
                for progress in change.player.activityProgress.values { try write(progress) }
                for coin in change.coins { try write(coin) }
                if let session = change.session { try write(session, change) }
                try write(videos: change.videos, today: change.player.today)
            }
        } catch { throw StoreError(path: path, error) }
    }

    /// - Throws: `StoreError` for the id of another player. Ids are compared byte by byte, as names of files are.
    func requireOwn(_ other: String) throws(StoreError) {
        let isId = !other.isEmpty && other.utf8.count <= 64 && other.utf8.allSatisfy(Self.isOfId)
        guard isId else {
            throw StoreError(path: path, reason: .corrupt("id has a value that this program never writes"))
        }
        guard other.utf8.elementsEqual(id.utf8) else {
            throw StoreError(path: path, reason: .otherPlayer(file: PracticeFolder.fileName(ofPlayer: other)))
        }
    }

    private static func isOfId(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private func write(_ player: PlayerData) throws {
        try db.execute("DELETE FROM player")
        let statement = try db.statement(
            """
            INSERT INTO player VALUES (:id, :name, :avatar, :created, :coins, :total, :days, :solved, :played, :today,
                :todayPlayed, :todayCompleted, :preferred)
            """ as StaticString)
        try statement.bind("id", player.id).bind("name", player.name).bind("avatar", player.avatarName)
            .bind("created", player.createdAt.microseconds).bind("coins", player.coins)
            .bind("total", player.totalCoinsEarned).bind("days", player.consecutiveDays)
            .bind("solved", player.lastSolvedDay?.description)
            .bind("played", player.lastPlayedDate?.microseconds).bind("today", player.today.date?.description)
            .bind("todayPlayed", player.today.played.stored)
            .bind("todayCompleted", player.today.activitiesCompleted)
            .bind("preferred", player.preferredActivities.map(\.rawValue).joined(separator: " ")).run()
    }

    private func write(_ progress: ActivityProgress) throws {
        let statement = try db.statement(
            """
            INSERT OR REPLACE INTO activity_progress VALUES (:type, :current, :highest, :total, :seconds, :average, :rate,
                :played, :mistakes, :hints, :quits, :difficulty)
            """ as StaticString)
        try statement.bind("type", progress.activityType.rawValue).bind("current", progress.currentLevel)
            .bind("highest", progress.highestLevelCompleted).bind("total", progress.totalLevelsCompleted)
            .bind("seconds", progress.totalTimeSpentSeconds)
            .bind("average", progress.averageSolveTimeSeconds)
            .bind("rate", progress.successRate).bind("played", progress.lastPlayedDate?.microseconds)
            .bind("mistakes", progress.mistakeCount).bind("hints", progress.hintRequestCount)
            .bind("quits", progress.quitCount).bind("difficulty", Double(progress.currentDifficulty)).run()
    }

    private func write(_ coin: CoinEntry) throws {
        let (reason, subject, level) = coin.reason.stored
        let statement = try db.statement(
            "INSERT INTO coin (at, amount, reason, subject, level) VALUES (:at, :amount, :reason, :subject, :level)"
                as StaticString)
        try statement.bind("at", coin.at.microseconds).bind("amount", coin.amount).bind("reason", reason)
            .bind("subject", subject).bind("level", level).run()
    }

    private func write(videos: [VideoRecord], today: PlayDay) throws {
        for video in videos {
            let statement = try db.statement(
                "INSERT INTO video_record VALUES (:id, :video, :title, :at, :duration, :completed, 1)"
                    as StaticString)
            try statement.bind("id", video.id).bind("video", video.videoId).bind("title", video.videoTitle)
                .bind("at", video.watchedAt.microseconds).bind("duration", video.duration.stored)
                .bind("completed", video.completed).run()
        }
        if today.videosWatched.isEmpty { try db.execute("UPDATE video_record SET is_of_today = 0") }
    }
}
