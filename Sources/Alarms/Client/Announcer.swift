package import CounterModel
package import Linux
package import Sound

/// Has the ringer tell by sound and speech what was counted. Without a ringer, or where everything is silent, it does nothing.
package final class Announcer {
    package var cues: CountCues
    private let client: RingerClient
    private var requests: [RingerRequest] = []
    private var events: [RingerClient.Event] = []
    private var nextEnd: Timestamp?
    private var mustLookAtTimers = false

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

    package func receive(at now: MonotonicTime) -> [RingerClient.Event] {
        take(client.receive(at: now))
        defer { events = [] }
        return events
    }

    private func take(_ news: [RingerClient.Event]) {
        for event in news where !events.contains(event) { events.append(event) }
    }
}
