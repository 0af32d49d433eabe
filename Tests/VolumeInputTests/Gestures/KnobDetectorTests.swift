import Linux
import Testing

@testable import KeyProtocol
@testable import VolumeInput

/// What is recognised as a knob: presses as their lengths and the pauses after them, in milliseconds.
@Suite struct KnobDetectorTests {
    private struct Press {
        var length: Double
        var pause: Double
        var key = CountedKey.up
    }

    /// The number of the press at whose release a knob is recognised; `nil` if none is.
    private func recognized(_ presses: [Press], debounce: Int = 150) -> Int? {
        var detector = KnobDetector(debounce: .milliseconds(debounce))
        var now = 0.0
        func frame(_ key: CountedKey, isDown: Bool) -> KeyFrame {
            KeyFrame(key, isDown: isDown, at: MonotonicTime(microseconds: Int64(now * 1000)))
        }
        for (index, press) in presses.enumerated() {
            let isKnobAlready = detector.recognizes(frame(press.key, isDown: true))
            #expect(!isKnobAlready)
            now += press.length
            let isKnob = detector.recognizes(frame(press.key, isDown: false))
            now += press.pause
            if isKnob { return index + 1 }
        }
        return nil
    }

    private func turned(_ length: Double, every period: Double, _ count: Int = 20) -> [Press] {
        Array(repeating: Press(length: length, pause: period - length), count: count)
    }

    @Test(arguments: [2.0, 5, 10, 20], [40.0, 50, 60, 120])
    func `A knob that is turned is one at its fifth detent`(length: Double, period: Double) {
        let pauseIsBounce = period - length < 25
        #expect(recognized(turned(length, every: period)) == (pauseIsBounce ? nil : 5))
    }

    @Test func `It is told once`() {
        var detector = KnobDetector(debounce: .milliseconds(150))
        let told = (0..<40).count { step in
            let stamp = MonotonicTime(microseconds: Int64(step / 2 * 50_000 + step % 2 * 4000))
            return detector.recognizes(KeyFrame(.up, isDown: step % 2 == 0, at: stamp))
        }
        #expect(told == 1)
    }

    @Test func `Turning back and forth is turning`() {
        let presses = (0..<30).map { Press(length: 4, pause: 46, key: $0 / 5 % 2 == 0 ? .up : .down) }
        #expect(recognized(presses) != nil)
    }

    @Test(arguments: [60.0, 90, 140, 220], [30.0, 60, 120, 400])
    func `People are none`(length: Double, pause: Double) {
        #expect(recognized(Array(repeating: Press(length: length, pause: pause), count: 100)) == nil)
    }

    /// Worn contacts: short presses before the key stays down, and after it is released.
    @Test(arguments: [1.0, 3, 8, 20])
    func `Contacts that bounce are none`(gap: Double) {
        let press = [
            Press(length: 2, pause: gap), Press(length: 4, pause: gap), Press(length: 90, pause: gap),
            Press(length: 2, pause: 60),
        ]
        #expect(recognized(Array(repeating: press, count: 50).flatMap { $0 }) == nil)
        #expect(recognized(turned(2, every: 2 + gap, 100)) == nil)
    }

    /// A laptop's volume key that is held: its driver sends both edges at once, again and again.
    @Test func `Presses without a length are none`() {
        #expect(recognized(turned(0, every: 33, 100)) == nil)
        #expect(recognized(turned(0.05, every: 90, 100)) == nil)
    }

    @Test func `A few short touches among others are none`() {
        let presses = turned(5, every: 60, 4) + [Press(length: 80, pause: 60)]
        #expect(recognized(Array(repeating: presses, count: 20).flatMap { $0 }) == nil)
    }

    @Test func `What counts anyway needs no setting`() {
        #expect(recognized(turned(5, every: 50), debounce: 20) == nil)
        #expect(recognized(turned(5, every: 200)) == nil, "turned that slowly, every detent counts")
        #expect(recognized(turned(5, every: 50), debounce: 51) == 5)
        #expect(recognized(turned(5, every: 50), debounce: 50) == nil, "at exactly debounce it counts")
    }
}
