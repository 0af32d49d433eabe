import Glibc

/// What a sound tells.
package enum Cue: String, CaseIterable, Sendable {
    case up
    case down
    /// The count was reset, corrected, or a change undone.
    case reset
    case target
    /// Something was refused or failed.
    case error
}

package struct Tone: Hashable, Sendable {
    /// A note, or a pause where the frequency is 0.
    struct Note: Hashable, Sendable {
        /// In hertz.
        let frequency: Double
        /// In milliseconds.
        let length: Int
    }

    /// Samples a second.
    package static let rate = 44_100

    /// Its name, unique among tones.
    package let name: String
    let notes: [Note]

    package init(_ cue: Cue) {
        name = cue.rawValue
        notes =
            switch cue {
            case .up: [Note(frequency: 880, length: 90)]
            case .down: [Note(frequency: 440, length: 90)]
            case .reset: [Note(frequency: 660, length: 90), Note(frequency: 330, length: 140)]
            case .target:
                [523.25, 659.26, 783.99].map { Note(frequency: $0, length: 100) } + [
                    Note(frequency: 1046.5, length: 300)
                ]
            case .error: [Note(frequency: 165, length: 250)]
            }
    }

    init(name: String, notes: [Note]) { (self.name, self.notes) = (name, notes) }

    package static let alarm = Tone(
        name: "alarm",
        notes: Array(
            repeatElement([Note(frequency: 1000, length: 150), Note(frequency: 0, length: 80)], count: 3)
                .joined()))

    package var length: Duration { .milliseconds(notes.reduce(0) { $0 + $1.length }) }

    /// One channel, 16 bits, half of the full scale, `rate` samples a second. The volume is in percent, 0...100.
    package func samples(volume: Int = 100) -> [Int16] {
        notes.flatMap { Self.samples($0, amplitude: 0.5 * Double(volume) / 100) }
    }

    private static func samples(_ note: Note, amplitude: Double) -> [Int16] {
        let count = note.length * rate / 1000
        // A sudden beginning or end would be a click.
        let slope = Double(rate) * 0.004
        return (0..<count).map { index in
            let envelope = min(1, min(Double(index), Double(count - index)) / slope)
            let phase = 2 * Double.pi * note.frequency * Double(index) / Double(rate)
            return Int16(sin(phase) * envelope * amplitude * Double(Int16.max))
        }
    }
}
