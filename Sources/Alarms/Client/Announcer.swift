package import CounterModel
package import Linux
package import Sound

/// Has the ringer tell by sound and speech what was counted. Without a ringer, or where everything is silent, it does nothing.
package final class Announcer {
    /// An event for the user.
    package enum Event: Hashable, Sendable {
        /// Something cannot be heard, with the reason and what to do; reported once.
        case trouble(String)
        /// A sound could not be played: the terminal's bell stands for it.
        case bell
        /// The desktop has not shown the end of a timer.
        case notShown
    }

    /// What is heard.
    package var cues: CountCues
    private let client: RingerClient
    private var requests: [RingerRequest] = []
    private var events: [Event] = []
    /// The next end of a timer, as it was noted last.
    private var nextEnd: Timestamp?
    private var mustLookAtTimers = false
    private var isReported: Set<RingerPart> = []

    /// Prepares to announce; starts nothing.
    ///
    /// - Parameters:
    ///   - cues: what is heard.
    ///   - client: the client of the ringer.
    package init(_ cues: CountCues, client: RingerClient) {
        self.cues = cues
        self.client = client
    }

    /// Notes changes that were stored together.
    ///
    /// - Parameters:
    ///   - receipts: the results, in their order.
    ///   - name: the name of a location that is spoken before its count; `nil` for the one that is shown.
    package func note(_ receipts: [Receipt], name: (_ location: Identifier) -> String?) {
        if cues.isOn { requests += cues.requests(for: receipts, name: name) }
    }

    /// Notes a cue, unless it is noted already.
    package func note(_ cue: Cue) { requests += cues.sound(cue).filter { !requests.contains($0) } }

    /// Notes a text that the user asked for.
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

    /// Adds the descriptors to wait for.
    package func watch(_ polled: inout PollSet) { client.watch(&polled) }

    /// When to call `receive` though nothing happened; `nil` at rest.
    package var deadline: MonotonicTime? { events.isEmpty ? client.deadline : MonotonicTime(microseconds: 0) }

    /// What has happened since the last call.
    package func receive(at now: MonotonicTime) -> [Event] {
        take(client.receive(at: now))
        defer { events = [] }
        return events
    }

    /// Adds an event, once.
    private func add(_ event: Event) {
        if !events.contains(event) { events.append(event) }
    }

    private func take(_ news: [RingerClient.Event]) {
        for event in news {
            switch event {
            case .trouble(let text):
                add(.trouble(text))
                add(.notShown)
            case .unheard: add(.bell)
            case .missing(.bus, _), .missing(.notifications, _): add(.notShown)
            case .missing(let part, let reason):
                if part == .sound { add(.bell) }
                guard isReported.insert(part).inserted else { continue }
                add(.trouble("no \(part.rawValue): \(reason); counter doctor tells more"))
            }
        }
    }
}
