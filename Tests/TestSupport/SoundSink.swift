import Glibc

/// A sound server of its own, which plays into nothing, and a recorder of what it plays.
package final class SoundSink {
    /// A stretch of sound between silences.
    package struct Heard: Equatable {
        /// The frequency of its first 50 ms, in hertz.
        package let frequency: Double
        /// The largest amplitude in them, 0...32767.
        package let peak: Int
        /// How long it is, in seconds.
        package let length: Double
    }

    /// The variables by which programs find the server.
    package var environment: [String: String?] { ["PULSE_SERVER": server, "XDG_RUNTIME_DIR": folder.path] }
    /// The address of the server.
    package var server: String { "unix:\(folder.path)/sound" }
    private let folder: ScratchFolder
    private let process: ChildProcess
    private var recorder: ChildProcess?
    private static let rate = 44_100

    /// Starts the server, PulseAudio with a null sink.
    package init() throws {
        folder = try ScratchFolder()
        let variables: [String: String?] = [
            "XDG_RUNTIME_DIR": folder.path, "HOME": folder.path, "PULSE_SERVER": "unix:\(folder.path)/sound",
            "PULSE_RUNTIME_PATH": folder.path, "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/none",
        ]
        process = try ChildProcess(
            [
                "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
                "--log-level=error",
                "-L", "module-native-protocol-unix auth-anonymous=1 socket=\(folder.path)/sound",
                "-L", "module-null-sink sink_name=nothing rate=\(Self.rate)",
            ], environment: variables, keeping: folder)
        let path = folder.path(of: "sound")
        try eventually("the sound server to listen") { (try? SocketClient(path)) != nil }
        recorder = try ChildProcess(
            [
                "sh", "-c",
                "exec parec -d nothing.monitor --raw --format=s16le --rate=\(Self.rate) --channels=1 --latency-msec=10 >\"$0\"",
                folder.path(of: "recorded"),
            ], environment: variables, keeping: folder)
        // The recorder is ready when the silence arrives.
        try eventually("the recorder to hear silence") { !samples().isEmpty }
    }

    deinit { end() }

    package func end() {
        recorder?.end()
        process.end()
    }

    /// Stops the server with SIGSTOP, as one that hangs.
    package func stop() throws { try process.signal(SIGSTOP) }

    /// What was heard so far and is followed by silence.
    package func heard() throws -> [Heard] {
        let samples = samples()
        return Self.sounds(in: samples).filter { samples.count - $0.upperBound > Self.silence }
            .map { Self.heard(samples[$0]) }
    }

    /// How many sounds have begun so far.
    package func begun() throws -> Int { Self.sounds(in: samples()).count }

    /// The silence between two sounds, in samples.
    private static let silence = rate / 8

    private static func sounds(in samples: [Int16]) -> [Range<Int>] {
        var sounds: [Range<Int>] = []
        for (index, sample) in samples.enumerated() where isLoud(sample) {
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
        return Heard(
            frequency: frequency, peak: samples.map { abs(Int($0)) }.max() ?? 0,
            length: Double(sound.count) / Double(rate))
    }

    // MARK: - For measurements

    /// Waits for silence, and then makes what is written to the recorder from now on what `nextSound` looks at.
    package func awaitSilence() throws {
        var silent = 0
        try eventually("silence", poll: .milliseconds(1)) {
            for sample in recorded.next() { silent = Self.isLoud(sample) ? 0 : silent + 1 }
            return silent > Self.rate / 4
        }
    }

    /// Waits until a sound begins, and returns when the recorder had it: at most 11 ms after the server played it.
    package func nextSound() throws -> ContinuousClock.Instant {
        try eventually("a sound", poll: .milliseconds(1)) { recorded.next().contains(where: Self.isLoud) }
        return .now
    }

    private static func isLoud(_ sample: Int16) -> Bool { abs(Int(sample)) > 500 }

    /// What the recorder has written since the last call.
    private final class Recording {
        private let file: UnsafeMutablePointer<FILE>?

        init(_ path: String) { file = fopen(path, "r") }
        deinit { file.map { _ = fclose($0) } }

        func next() -> [Int16] {
            guard let file else { return [] }
            clearerr(file)
            var samples: [Int16] = []
            var part = [Int16](repeating: 0, count: 4096)
            while case let count = fread(&part, 2, part.count, file), count > 0 { samples += part[..<count] }
            return samples
        }
    }

    private lazy var recorded = Recording(folder.path(of: "recorded"))

    private func samples() -> [Int16] { Recording(folder.path(of: "recorded")).next() }
}
