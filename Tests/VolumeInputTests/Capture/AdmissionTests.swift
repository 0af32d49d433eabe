import System
import Testing

@testable import VolumeInput

/// Who the service lets in, and how many.
@Suite struct AdmissionTests {
    private let admission = Admission(group: 77)
    /// Ada is in front, Bob has a session behind hers.
    private let users = SeatUsers([
        LoginRecord(
            text:
                "# This is private data.\nIS_SEAT0=1\nACTIVE=c2\nACTIVE_UID=1000\nSESSIONS=c2 c3\nUIDS=1000 1001\n"
        )
    ])

    private func standing(_ user: UInt32, groups: Set<UInt32> = []) -> Admission.Standing {
        admission.standing(of: PeerCredentials(user: user, groups: groups), users)
    }

    @Test func whoIsInFrontIsServedAndWhoIsBehindWaits() {
        #expect(standing(1000) == .served)
        #expect(standing(1001) == .waiting)
        #expect(standing(1002) == .stranger)
    }

    @Test func rootAndMembersOfTheGroupAreServedAlways() {
        #expect(standing(0) == .served)
        #expect(standing(1001, groups: [5, 77]) == .served)
        #expect(standing(1002, groups: [77]) == .served)
        #expect(standing(1002, groups: [5]) == .stranger)
        let none = Admission(group: nil).standing(of: PeerCredentials(user: 9, groups: [77]), users)
        #expect(none == .stranger)
    }

    @Test func whereNobodyIsInFrontNobodyAtTheSeatIsServed() {
        let users = SeatUsers([LoginRecord(text: "IS_SEAT0=1\nSESSIONS=c2\nUIDS=1000\n")])
        #expect(
            users
                == {
                    var users = SeatUsers(); users.present = [1000]; return users
                }())
        #expect(SeatUsers([]) == SeatUsers())
    }

    @Test func eachSeatHasItsOwnUserInFront() {
        let users = SeatUsers([
            LoginRecord(text: "ACTIVE_UID=7\nUIDS=7\n"), LoginRecord(text: "ACTIVE_UID=8\n"),
        ])
        #expect(users.inFront == [7, 8])
        #expect(users.present == [7, 8])
    }

    /// What a limit says to one attempt after the other.
    private func answers(_ attempts: [(user: UInt32, beside: [UInt32], after: Duration)]) -> [Bool] {
        var limit = ConnectionLimit()
        return attempts.map { limit.admits($0.user, beside: $0.beside, at: Self.start + $0.after) }
    }

    private static let start = MonotonicTime(microseconds: 1_000_000)

    @Test func aUserHasEightConnectionsAndAllTogetherHaveMore() {
        let eight = [UInt32](repeating: 1000, count: 8)
        let crowd = Array(0..<UInt32(ConnectionLimit.most))
        #expect(answers([(1000, Array(eight.dropLast()), .zero)]) == [true])
        #expect(answers([(1000, eight, .zero), (1001, eight, .zero)]) == [false, true])
        #expect(answers([(1001, crowd, .zero)]) == [false])
    }

    @Test func whoComesAndGoesTooFastHasToWaitWhichDelaysNobodyElse() {
        let burst = [(UInt32, [UInt32], Duration)](repeating: (1000, [], .zero), count: 8)
        #expect(answers(burst) == [Bool](repeating: true, count: 8))
        #expect(
            answers(burst + [(1000, [], .milliseconds(499)), (1001, [], .zero)]).suffix(2) == [false, true])
        let later =
            burst + [(1000, [], .milliseconds(500)), (1000, [], .milliseconds(999)), (1000, [], .seconds(1))]
        #expect(answers(later).suffix(3) == [true, false, true])
    }

    /// How many messages of `attempts` a budget lets pass.
    private func passed(_ attempts: Int, every pause: Duration, isIntroduced: Bool) -> Int {
        var budget = MessageBudget()
        if isIntroduced { budget.endIntroduction(at: Self.start) }
        return (0..<attempts).count { budget.spend(at: Self.start + pause * $0) }
    }

    @Test func everySettingFitsIntoTheIntroductionAndThenAFewMessagesASecond() {
        #expect(passed(5000, every: .zero, isIntroduced: false) == 1 + 256 + 1024 + 1)
        #expect(passed(5000, every: .zero, isIntroduced: true) == 64)
        #expect(passed(5000, every: .milliseconds(30), isIntroduced: true) == 5000)
    }
}
