import CounterModel
import TestSupport
import Testing

@testable import Practice

@Suite struct PracticeLinkTests {
    /// A place with a video and coins for it, in which xdg-open writes down what it was given.
    private func place() throws -> PracticePlace {
        var mia = PracticePlace.players[0]
        (mia.coins, mia.totalCoinsEarned) = (12, 12)
        let place = try PracticePlace(players: [mia]) {
            $0.parentSettings.approvedVideos = [
                ApprovedVideo(
                    id: "-_-_-_-_-_-", title: "Foxes", duration: .seconds(60),
                    addedAt: Timestamp(seconds: 5), category: "animals")
            ]
        }
        try place.tools.script("xdg-open", "printf '%s|' \"$#\" \"$@\" >>\(place.tools.path)/opened")
        return place
    }

    private func opened(_ place: PracticePlace) throws -> String {
        try ChildProcess.run(["cat", place.tools.path(of: "opened")]).output
    }

    @Test func `xdg-open is given one argument, made from the ID; what is known of the video is kept`() throws
    {
        let place = try place()
        let terminal = try place.open(environment: ["PATH": place.path, "DISPLAY": ":0"])
        try terminal.begin()
        try terminal.choose("Treasure", then: "1 of 2")
        try terminal.waitForText("animals, costs 10 coins")
        try terminal.buy("Foxes", then: "Have fun: Foxes")
        try eventually("the browser to be opened") { try !opened(place).isEmpty }
        #expect(try opened(place) == "1|https://www.youtube.com/watch?v=-_-_-_-_-_-|")
        try terminal.type("\r")
        try terminal.waitForText(" of 6")
        let record = try #require(try place.player().today.videosWatched.first)
        #expect((record.videoId, record.videoTitle, record.completed) == ("-_-_-_-_-_-", "Foxes", false))
        #expect(try place.player().coins == 2)
        let video = try #require(try place.settings()?.parentSettings.approvedVideos.first)
        #expect((video.watchCount, video.duration, video.category) == (1, .seconds(60), "animals"))
        #expect(video.lastWatchedAt == record.watchedAt)
    }

    @Test(arguments: [
        (80, 24, "There is no desktop here"), (40, 12, "There is no desktop here"),
        (80, 24, "xdg-open is missing: install xdg-utils."),
    ])
    func `Where no browser opens it, it says why, and the whole address is on the screen`(
        columns: Int, rows: Int, reason: String
    ) throws {
        let place = try place()
        let hasDesktop = reason.hasPrefix("xdg-open")
        let terminal = try place.open(
            columns: columns, rows: rows,
            environment: hasDesktop
                ? ["PATH": "/nonexistent", "DISPLAY": ":0"] : ["PATH": place.path])
        try terminal.begin()
        try terminal.choose("Treasure", then: "Foxes")
        try terminal.buy("Foxes", then: reason)
        let text = try terminal.screen().lines.joined().filter { $0 != " " }
        #expect(text.contains("https://www.youtube.com/watch?v=-_-_-_-_-_-"))
        #expect(try opened(place).isEmpty)
    }
}
