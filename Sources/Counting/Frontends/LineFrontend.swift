package import CounterModel
import CounterStore
import Glibc
package import Linux
import Reports
package import Transfer
package import VolumeInput

/// `counter listen`: one line per change on standard output.
///
/// A slow reader never delays counting: lines wait until the pipe takes them. A reader that reads nothing for long misses
/// some lines, though the journal has them; the last line is always the latest. The rows of a feed wait in the journal,
/// so its reader misses none.
package final class LineFrontend: Frontend {
    /// How long to wait at the end for a reader that reads nothing.
    private static let timeout = Duration.seconds(1)

    package private(set) var isDone = false
    private let session: CountingSession
    private var feed: JournalFeed?
    private let focusTracker: FocusTracker
    private var lines: LineQueue
    private let output: CInt
    /// Lines that are no rows, to follow the rows of the feed that were read by then.
    private var noRows: [String] = []
    private var outputIndex: Int?
    private var deviceLines = DeviceLines()
    /// What was printed last and nothing has happened since: an attempt that fails each second is told of once.
    private var lastNotice: String?
    /// Why no device could count when that was last printed; nil where one could.
    private var printedProblem: String?
    /// How many more had left than entered when that was last printed.
    private var printedDrift = 0

    /// Prints a feed, or else the count of the session's location.
    package init(
        _ session: CountingSession, feed: JournalFeed?, focusTracker: FocusTracker,
        output: CInt = STDOUT_FILENO
    ) {
        (self.session, self.output, self.feed, self.focusTracker) = (session, output, feed, focusTracker)
        lines = LineQueue(limit: feed == nil ? LineQueue.usualLimit : .max)
        capture()
    }

    package let deadline: MonotonicTime? = nil
    package let wallDeadline: Timestamp? = nil

    /// Standard output is watched at rest too, to notice that its reader is gone.
    package func watch(_ polled: inout PollSet) {
        outputIndex = polled.add(output, lines.isEmpty ? 0 : CInt(POLLOUT))
        focusTracker.watch(&polled)
    }

    package func readInput(_ polled: PollSet) {
        if focusTracker.handle(polled) { capture() }
    }

    package func handle(_ polled: PollSet, at now: MonotonicTime) throws {
        guard let outputIndex else { return }
        let result = polled.result(at: outputIndex)
        if result.isGone { throw ProgramError.readerEnded }
        if result.isEmpty { return }
        try writeLines()
        fill()
    }

    package func handle(signal: CInt) {
        switch signal {
        case SIGTERM, SIGINT, SIGHUP, SIGQUIT: isDone = true
        case SIGTSTP: stop()
        default: break
        }
    }

    /// Stops the program. While stopped it counts nothing, so it intercepts nothing.
    private func stop() {
        show(session.capture(.off))
        SignalDescriptor.stopProcess()
        focusTracker.resume()
        capture()
    }

    private func capture() { show(session.capture(focusTracker.captureMode)) }

    package func show(_ events: [SessionEvent]) {
        for event in events {
            switch event {
            case .answered(let receipts):
                lastNotice = nil
                tell(receipts)
            case .targetReached(let target): tell(target)
            case .changedElsewhere: feed?.isBehind = true
            case .notice(let text):
                if text != lastNotice { complain(text) }
                lastNotice = text
            case .refused(let text, let remedy): complain(text, remedy)
            case .isHidden: session.locationProblem.map(Output.complain)
            // Standard error is a service's log.
            case .inputDevicesChanged:
                lastNotice = nil
                for line in deviceLines.changes(session, focusTracker.policy) { Output.tell(line) }
                warnOfUnreadableDevices()
            case .timerSignal(let signal, let timer): if signal.kind == .ended { tellEnd(of: timer) }
            case .done(let text): Output.tell(text)
            case .waits, .unheard, .notShown, .alarm, .timersChanged: break
            }
        }
        fill()
    }

    private func warnOfUnreadableDevices() {
        let problem = session.deviceProblem()?.problem
        if let problem, problem != printedProblem {
            Output.tell("no device can count: \(problem)", remedy: "To see what helps: counter doctor")
        }
        printedProblem = problem
    }

    private func complain(_ text: String, _ remedy: String? = nil) {
        session.announcer.note(.error)
        Output.tell(text, remedy: remedy)
    }

    /// With `--json`, an object for a timer that has ended, behind the rows before it.
    private func tellEnd(of timer: TimerData) {
        guard feed != nil else { return }
        do throws(JournalError) {
            noRows.append(try session.report(timer, at: WallClock().now).endLine)
        } catch { complain("\(error)") }
    }

    private func tell(_ receipts: [Receipt]) {
        guard feed == nil else {
            feed?.isBehind = true
            return
        }
        for count in receipts.compactMap({ $0.newCount(of: session.location) }) {
            lines.append(String(count))
        }
        printNegativeDrift()
    }

    /// Prints on standard error what a count of 0 hides.
    private func printNegativeDrift() {
        let left = session.state.moreLeftThanEntered
        if left > 0, left != printedDrift {
            Output.tell("\(session.location.name.sanitised): \(session.state.driftNote)")
        }
        printedDrift = left
    }

    private func tell(_ target: TargetReached) {
        guard feed != nil else { return Output.tell(target.text) }
        noRows.append(FeedLine.targetReached(target.state, at: WallClock().now))
    }

    /// Reads the next rows once all earlier lines are written. Where that fails, the next event retries it.
    private func fill() {
        guard lines.isEmpty, let isBehind = feed?.isBehind else { return }
        do { if isBehind { try feed?.next().forEach { lines.append($0) } } } catch {
            Output.complain(ProgramError(error))
        }
        if feed?.isBehind == true { return }
        noRows.forEach { lines.append($0) }
        noRows = []
    }

    /// Writes the lines that still wait, as long as the reader takes them. Throws `ProgramError` (74) where the
    /// reader takes none: a reader that does not read must not keep the program from ending.
    package func finish() throws {
        while !lines.isEmpty {
            let result = try PollSet.result(of: output, CInt(POLLOUT), until: .now + Self.timeout)
            guard !result.isEmpty else {
                throw ProgramError(
                    "standard output: its reader takes no more; what it has not read is in the journal",
                    status: EX_IOERR)
            }
            try writeLines()
        }
    }

    private func writeLines() throws {
        let leftOut: Int
        do throws(SystemCallError) { leftOut = try lines.write(to: output) } catch {
            if error.errno == EPIPE { throw ProgramError.readerEnded }
            throw ProgramError("standard output: \(error.reason)", status: EX_IOERR)
        }
        if leftOut > 0 {
            let what = leftOut == 1 ? "1 line is" : "\(leftOut) lines are"
            Output.tell(
                "standard output: \(what) left out, because the reader was too slow; the journal has all")
        }
    }
}

/// Which input devices were connected, disconnected or are intercepted differently, a line for each.
struct DeviceLines {
    /// The last line of each input device.
    private var told: [Identifier: String] = [:]

    mutating func changes(_ session: CountingSession, _ policy: CapturePolicy) -> [String] {
        var present: [Identifier: String] = [:]
        for device in session.inputDevices {
            let name = session.devices.name(of: device.stableID, own: device.name)
            let why = device.present.explained(by: policy).reason.map { ": \($0)" } ?? ""
            present[device.stableID] = "\(name.sanitised): \(device.present.state.rawValue)\(why)"
        }
        defer { told = present }
        return present.sorted { $0.key < $1.key }.filter { told[$0.key] != $0.value }.map(\.value)
            + told.keys.sorted().filter { present[$0] == nil }
            .map { "\(session.devices.name(of: $0, own: $0.text).sanitised): gone" }
    }
}
