import TestSupport
import Testing

/// How loud an alarm is.
@Suite struct AlarmVolumeTests {
    @Test func `A timer's volume is that of its tone, though no counter runs`() throws {
        let sink = try SoundSink()
        var peaks: [Int] = []
        for volume in ["60", "100"] {
            let place = try Workplace.silent(sink.environment)
            try place.configure("[timers]\nvolume = \(volume)\n")
            try place.run("timer", "start", "1s", "Robins")
            try eventually("the timer to end") { try place.run("timer", "list").output.contains("ended") }
            let ringer = try ChildProcess(
                [BuiltProducts.counterRinger, "--data-dir", place.directory], environment: place.environment)
            defer { ringer.end() }
            let before = try sink.heard().count
            let heard = try eventualValue("the tone") {
                try sink.heard().dropFirst(before).first { abs($0.frequency - 1000) < 80 }
            }
            peaks.append(heard.peak)
            try place.run("timer", "acknowledge", "1")
            #expect(try ringer.wait() == .exited(0))
        }
        #expect(peaks[0] > 500 && peaks[1] > peaks[0] * 3 / 2, "\(peaks)")
    }
}
