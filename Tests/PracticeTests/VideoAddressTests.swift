import CounterModel
import Practice
import PracticeTestSupport
import Testing

@Suite struct VideoAddressTests {
    @Test(arguments: VideoAddresses.good)
    func `An address of a video gives its ID`(address: String) throws {
        #expect(try ApprovedVideo.extractVideoID(from: address) == VideoAddresses.id)
    }

    @Test(arguments: ["-_-_-_-_-_-", "00000000000", "abcdefghijk", "ABCDEFGHIJK"])
    func `An ID has letters, digits, - and _`(id: String) throws {
        #expect(try ApprovedVideo.extractVideoID(from: "https://youtu.be/\(id)") == id)
        let video = ApprovedVideo(id: id, title: "", duration: .zero, addedAt: Sample.noon)
        #expect(video.link == "https://www.youtube.com/watch?v=\(id)")
        #expect(try ApprovedVideo.extractVideoID(from: video.link) == id)
    }

    @Test(arguments: VideoAddresses.bad)
    func `Anything else is refused with the reason`(address: String, reason: VideoAddressError) {
        #expect(throws: reason) { try ApprovedVideo.extractVideoID(from: address) }
    }

    @Test func `Every reason says what to do`() {
        let messages = VideoAddressError.allCases.map(\.message)
        #expect(Set(messages).count == messages.count && messages.allSatisfy { $0.hasSuffix(".") })
    }
}
