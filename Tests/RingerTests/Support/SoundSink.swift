import Glibc
import RingerProtocol
import TestSupport

/// A sound server of its own, which plays into nothing, and a recorder of what it plays.
final class SoundSink {
    /// A stretch of sound between silences.
    struct Heard: Equatable {
        /// The cue whose first note it begins with.
        let cue: Cue?
        /// The frequency of its first 50 ms, in hertz.
        let frequency: Double
        /// The largest amplitude in them, 0...32767.
        let peak: Int
        /// How long it is, in seconds.
        let length: Double
    }

    /// The variables by which programs find the server.
    let environment: [String: String?]
    private let folder: ScratchFolder
    private let server: ChildProcess
    private var recorder: ChildProcess?
    private static let rate = 44_100

    /// Starts the server, PulseAudio with a null sink.
    init() throws {
        folder = try ScratchFolder()
        let variables: [String: String?] = [
            "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path, "PULSE_SERVER": "unix:\(folder.path)/sound",
            "PULSE_RUNTIME_PATH": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/none",
        ]
        environment = ["PULSE_SERVER": "unix:\(folder.path)/sound", "XDG_RUNTIME_DIR": folder.path]
        server = try ChildProcess(
            [
                "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
                "--log-level=error",
                "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(folder.path)/sound",
                "-L", "module-null-sink sink_name=nothing rate=\(Self.rate)",
            ], environment: variables, keeping: folder)
        let path = folder.path(of: "sound")
        try eventually("the sound server to listen") { access(path, F_OK) == 0 }
        recorder = try ChildProcess(
            [
                "sh", "-c",
                "exec parec -d nothing.monitor --raw --format=s16le --rate=\(Self.rate) --channels=1 --latency-msec=10 >\"$0\"",
                folder.path(of: "recorded"),
            ], environment: variables, keeping: folder)
        // The recorder is ready when the silence arrives.
        try eventually("the recorder to hear silence") { try !samples().isEmpty }
    }

    deinit { end() }

    /// Ends the server.
    func end() {
        recorder?.end()
        server.end()
    }

    /// What was heard so far and is followed by silence.
    func heard() throws -> [Heard] {
        let samples = try samples()
        return Self.sounds(in: samples).filter { samples.count - $0.upperBound > Self.silence }
            .map { Self.heard(samples[$0]) }
    }

    /// How many sounds have begun so far.
    func begun() throws -> Int { try Self.sounds(in: samples()).count }

    /// The silence between two sounds, in samples.
    private static let silence = rate / 8

    private static func sounds(in samples: [Int16]) -> [Range<Int>] {
        var sounds: [Range<Int>] = []
        for (index, sample) in samples.enumerated() where abs(Int(sample)) > 500 {
            if let last = sounds.last, index - last.upperBound < silence {
                sounds[sounds.count - 1] = last.lowerBound..<index + 1
            } else {
                sounds.append(index..<index + 1)
            }
        }
        return sounds
    }

    private static func heard(_ sound: ArraySlice<Int16>) -> Heard {
        let samples = sound.prefix(rate / 20)
        let crossings = zip(samples, samples.dropFirst()).count { ($0 < 0) != ($1 < 0) }
        let frequency = Double(crossings) / 2 * Double(rate) / Double(samples.count)
        let notes: [(Cue, Double)] = [
            (.up, 880), (.down, 440), (.reset, 660), (.target, 523.25), (.error, 165),
        ]
        return Heard(
            cue: notes.first { abs($0.1 - frequency) < $0.1 * 0.08 }?.0, frequency: frequency,
            peak: samples.map { abs(Int($0)) }.max() ?? 0, length: Double(sound.count) / Double(rate))
    }

    private func samples() throws -> [Int16] {
        guard let file = fopen(folder.path(of: "recorded"), "r") else { return [] }
        defer { fclose(file) }
        var samples: [Int16] = []
        var part = [Int16](repeating: 0, count: 65_536)
        while case let count = fread(&part, 2, part.count, file), count > 0 { samples += part[..<count] }
        return samples
    }
}
