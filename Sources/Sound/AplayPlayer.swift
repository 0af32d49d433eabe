import Glibc
package import Linux

/// Plays tones with `aplay`, where no sound server runs.
package final class AplayPlayer {
    /// How long it may take besides the tone's length: it waits for a sound card that another program uses.
    private static let timeout = Duration.seconds(1)

    private var process: DetachedProcess?
    private var isAlarm = false
    /// When the tone should have been played.
    package private(set) var deadline: MonotonicTime?
    /// Those that were killed. One that waits for a broken device ends later, or never.
    private var killed: [DetachedProcess] = []

    package init() {}

    /// Starts `aplay`, at a volume in percent, 0...100, and cuts off a tone that still plays. Throws `ENOENT` without it.
    package func play(_ tone: Tone, volume: Int) throws(SystemCallError) {
        cutOff()
        var ends: [CInt] = [-1, -1]
        try systemCall("pipe") { pipe(&ends) }
        let reader = Descriptor(owning: ends[0])
        let writer = Descriptor(owning: ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(writer.number, F_SETFL, O_NONBLOCK)
        let format = ["-q", "-t", "raw", "-f", "S16_LE", "-c", "1", "-r", String(Tone.rate), "-"]
        process = try DetachedProcess(["aplay"] + format, input: reader.number)
        isAlarm = tone == .alarm
        deadline = .now + tone.length + Self.timeout
        // A tone is shorter than what a pipe holds, 64 KiB.
        tone.samples(volume: volume).withUnsafeBytes { _ = write(writer.number, $0.baseAddress, $0.count) }
    }

    package func stopAlarm() {
        if isAlarm { cutOff() }
    }

    private func cutOff() {
        guard let process else { return }
        kill(process.id, SIGKILL)
        killed.append(process)
        (self.process, deadline) = (nil, nil)
    }

    package func watch(_ polled: inout PollSet) {
        if let process { polled.add(process.number) }
        for process in killed { polled.add(process.number) }
    }

    /// Whether `aplay` has failed since the last call, for example because there is no sound card.
    package func hasFailed(at now: MonotonicTime) -> Bool {
        killed.removeAll { $0.endStatus() != nil }
        if let status = process?.endStatus() {
            (process, deadline) = (nil, nil)
            return status != 0
        }
        guard let deadline, now >= deadline else { return false }
        cutOff()
        return true
    }

    package var isBusy: Bool { process != nil }
}
