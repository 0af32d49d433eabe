import Glibc
public import System

/// Plays tones with `aplay`, where no sound server runs.
public final class AplayPlayer {
    private var process: DetachedProcess?
    /// What `process` plays.
    private var tone: Tone?

    /// Starts nothing yet.
    public init() {}

    /// Starts `aplay` with a tone. A tone that still plays is cut off.
    ///
    /// - Parameters:
    ///   - tone: the tone.
    ///   - volume: in percent, 0...100.
    /// - Throws: `SystemCallError`, `ENOENT` where `aplay` is not installed.
    public func play(_ tone: Tone, volume: Int) throws(SystemCallError) {
        process?.end()
        process = nil
        var ends: [CInt] = [-1, -1]
        try systemCall("pipe") { pipe(&ends) }
        let reader = Descriptor(owning: ends[0])
        let writer = Descriptor(owning: ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(writer.number, F_SETFL, O_NONBLOCK)
        let format = ["-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r", String(Tone.rate), "-"]
        process = try DetachedProcess(["aplay"] + format, input: reader.number)
        self.tone = tone
        // A tone is shorter than what a pipe holds, 64 KiB.
        tone.samples(volume: volume).withUnsafeBytes { _ = write(writer.number, $0.baseAddress, $0.count) }
    }

    /// Stops a tone that plays.
    public func stop(_ tone: Tone) {
        guard tone == self.tone else { return }
        process?.end()
        process = nil
    }

    /// Adds the descriptor to wait for.
    public func watch(_ polled: inout PollSet) {
        if let process { polled.add(process.number) }
    }

    /// Whether `aplay` has failed since the last call, for example because there is no sound card.
    public func hasFailed() -> Bool {
        guard let status = process?.endStatus() else { return false }
        process = nil
        return status != 0
    }

    /// A tone is being played.
    public var isBusy: Bool { process != nil }
}
