import KeyProtocol
import Testing

@testable import VolumeInput

@Suite("Whether keys are captured") struct CapturePolicyTests {
    private func policy(
        _ focusSource: CapturePolicy.FocusSource, _ focus: CapturePolicy.Focus, always: Bool = false,
        seat: LoginSeat.Front = .own, intercept: Intercept = .auto
    ) -> CapturePolicy {
        var policy = CapturePolicy(intercept: intercept, always: always, focusSource: focusSource)
        policy.focus = focus
        policy.seat = seat
        return policy
    }

    @Test(
        arguments: [
            (CapturePolicy.FocusSource.focusReports, CapturePolicy.Focus.unknown, CaptureMode.exclusive),
            (.focusReports, .gained, .exclusive), (.focusReports, .lost, .off),
            (.kernel, .gained, .exclusive), (.kernel, .lost, .off),
            (.multiplexer, .unknown, .shared), (.multiplexer, .gained, .exclusive),
            (.multiplexer, .lost, .off),
            (.nothing, .unknown, .shared),
        ])
    func `Keys are intercepted only where something reports when to stop`(
        focusSource: CapturePolicy.FocusSource, focus: CapturePolicy.Focus, mode: CaptureMode
    ) {
        #expect(policy(focusSource, focus).captureMode == mode)
        let withoutInterception = policy(focusSource, focus, intercept: .never)
        #expect(withoutInterception.captureMode == min(mode, .shared))
    }

    @Test func `With always, the background counts too`() {
        #expect(policy(.focusReports, .lost, always: true).captureMode == .exclusive)
        #expect(policy(.nothing, .unknown, always: true).captureMode == .exclusive)
        #expect(policy(.nothing, .unknown, always: true, intercept: .never).captureMode == .shared)
    }

    @Test func `The keys belong to the user of the seat's active session`() {
        #expect(policy(.kernel, .gained, seat: .otherUser).captureMode == .off)
        #expect(policy(.focusReports, .gained, always: true, seat: .otherUser).captureMode == .shared)
        #expect(policy(.focusReports, .gained, seat: .other).captureMode == .off)
        // These know better than the seat which terminal is in the foreground.
        #expect(policy(.kernel, .gained, seat: .other).captureMode == .exclusive)
        #expect(policy(.multiplexer, .gained, seat: .other).captureMode == .exclusive)
    }

    @Test func `Keys that were given back stay so, and the way back is named`() {
        var policy = policy(.focusReports, .gained, always: true)
        policy.isSwitchedOff = true
        #expect(policy.captureMode == .off)
        #expect(policy.obstacle == .switchedOff)
    }

    @Test func `Whatever is not intercepted though it could be has its reason`() {
        #expect(policy(.focusReports, .gained).obstacle == nil)
        #expect(policy(.focusReports, .lost).obstacle == .background)
        #expect(policy(.multiplexer, .unknown).obstacle == .silentMultiplexer)
        #expect(policy(.nothing, .unknown).obstacle == .silentTerminal)
        #expect(policy(.focusReports, .gained, intercept: .never).obstacle == .configuration)
        #expect(policy(.kernel, .gained, seat: .otherUser).obstacle == .otherUser)
    }
}
