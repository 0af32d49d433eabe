import Alarms
import Sound
import Testing

/// The tones as samples.
@Suite struct ToneTests {
    @Test func `Each cue has a tone of its own, shorter than what a pipe holds`() {
        let tones = Cue.allCases.map { Tone($0) } + [.alarm]
        #expect(Set(tones.map { $0.samples() }).count == tones.count)
        for tone in tones { #expect(tone.samples().count * 2 < 65_536, "\(tone.name)") }
    }

    @Test func `It begins and ends silently, and the volume scales it`() {
        for cue in Cue.allCases {
            let samples = Tone(cue).samples()
            #expect(abs(samples[0]) < 100 && abs(samples[samples.count - 1]) < 600)
            let highest = samples.map { abs(Int($0)) }.max() ?? 0
            #expect(15_000...16_400 ~= highest)
            let half = Tone(cue).samples(volume: 50).map { abs(Int($0)) }.max() ?? 0
            #expect(abs(half * 2 - highest) < 10)
            #expect(Tone(cue).samples(volume: 0).allSatisfy { $0 == 0 })
        }
    }

    @Test(arguments: [(Cue.up, 880.0), (.down, 440), (.error, 165)])
    func `A cue has its frequency`(cue: Cue, frequency: Double) {
        let samples = Tone(cue).samples()
        let crossings = zip(samples, samples.dropFirst()).count { ($0 < 0) != ($1 < 0) }
        let measured = Double(crossings) / 2 * Double(Tone.rate) / Double(samples.count)
        #expect(abs(measured - frequency) < frequency * 0.05)
    }
}
