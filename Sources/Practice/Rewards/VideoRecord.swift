package import CounterModel

/// One watching of a video.
package struct VideoRecord: Hashable, Identifiable, Sendable {
    /// The number of the record within the player's file.
    package let id: Int64
    /// The video's ID at YouTube.
    package var videoId: String
    /// Its title then.
    package var videoTitle: String
    /// When it was opened.
    package var watchedAt: Timestamp
    /// The time until the key that comes back.
    package var duration: Duration
    /// Whether that was at least the length of the video; `false` if the length is not known.
    package var completed: Bool
    /// Who watched.
    package var playerId: String

    /// A record as stored.
    package init(
        id: Int64, videoId: String, videoTitle: String, watchedAt: Timestamp, duration: Duration,
        completed: Bool,
        playerId: String
    ) {
        self.id = id
        self.videoId = videoId
        self.videoTitle = videoTitle
        self.watchedAt = watchedAt
        self.duration = duration
        self.completed = completed
        self.playerId = playerId
    }

    /// The record of a video that was watched for `duration`.
    package init(
        id: Int64, video: ApprovedVideo, watchedAt: Timestamp, duration: Duration, playerId: String
    ) {
        self.init(
            id: id, videoId: video.id, videoTitle: video.title, watchedAt: watchedAt, duration: duration,
            completed: video.duration > .zero && duration >= video.duration, playerId: playerId)
    }
}
