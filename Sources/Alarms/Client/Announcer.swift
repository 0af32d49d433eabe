package import CounterModel
package import Linux
package import Sound

/// Has the ringer tell by sound and speech what was counted. Without a ringer, or where everything is silent, it does nothing.
package final class Announcer {
    package enum Event: Hashable, Sendable {
        /// Something cannot be heard, with the reason and what to do; reported once.
        case trouble(String)
        /// A sound could not be played: the terminal's bell stands for it.
        case bell
        /// The desktop has not shown the end of a timer.
        case notShown
    }

    package var cues: CountCues
    private let client: RingerClient
    private var requests: [RingerRequest] = []
    private var events: [Event] = []
    private var nextEnd: Timestamp?
    private var mustLookAtTimers = false
    private var isReported: Set<RingerPart> = []

    package init(_ cues: CountCues, client: RingerClient) {
        (self.cues, self.client) = (cues, client)
    }

    /// Notes changes that were stored together; see `CountCues.requests`.
    package func note(_ receipts: [Receipt], name: (_ location: Identifier) -> String?) {
        if cues.isOn { requests += cues.requests(for: receipts, name: name) }
    }

    package func note(_ cue: Cue) { requests += cues.sound(cue).filter { !requests.contains($0) } }

    package func say(_ text: String) { requests.append(.speak(text)) }

    /// Notes what has become of the timers. The ringer looks at them where the next end is another one, or one has come.
    ///
    /// On a desktop it is also asked to tell whether an end is shown.
    package func note(nextEnd: Timestamp?, hasEnded: Bool, isRinging: Bool) {
        if nextEnd != self.nextEnd || hasEnded { mustLookAtTimers = true }
        self.nextEnd = nextEnd
        if hasEnded, DesktopSession.isHere { requests.append(.timers) }
        if !isRinging, !cues.isOn { client.leave() }
    }

    /// Sends what was noted since the last call. Called after everything that must not wait.
    package func send(at now: MonotonicTime) {
        if mustLookAtTimers { client.lookAtTimers() }
        mustLookAtTimers = false
        if requests.isEmpty { return }
        for request in requests { client.request(request) }
        requests = []
        take(client.send(at: now))
    }

    package func watch(_ polled: inout PollSet) { client.watch(&polled) }

    package var deadline: MonotonicTime? { events.isEmpty ? client.deadline : MonotonicTime(microseconds: 0) }

    package func receive(at now: MonotonicTime) -> [Event] {
        take(client.receive(at: now))
        defer { events = [] }
        return events
    }

    private func take(_ news: [RingerClient.Event]) {
        for event in news.flatMap(heard) where !events.contains(event) { events.append(event) }
    }

    private func heard(_ news: RingerClient.Event) -> [Event] {
        switch news {
        case .trouble(let text): return [.trouble(text), .notShown]
        case .unheard: return [.bell]
        case .missing(.bus, _), .missing(.notifications, _): return [.notShown]
        case .missing(let part, let reason):
            let bell: [Event] = part == .sound ? [.bell] : []
            guard isReported.insert(part).inserted else { return bell }
            return bell + [.trouble("no \(part.rawValue): \(reason); counter doctor tells more")]
        }
    }
}
