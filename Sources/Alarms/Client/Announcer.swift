package import CounterModel
package import Linux
package import Sound

/// Has the ringer tell by sound and speech what was counted. Without a ringer, or where everything is silent, it does nothing.
package final class Announcer {
    package var cues: CountCues
    private let client: RingerClient
    private var requests: [RingerRequest] = []
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
        if !requests.isEmpty { client.send(requests, at: now) }
        requests = []
    }

    package func watch(_ polled: inout PollSet) { client.watch(&polled) }

    package var deadline: MonotonicTime? { client.deadline }

    package func receive(at now: MonotonicTime) -> [RingerClient.Event] { client.receive(at: now) }
}

// MARK: - What is heard of which change

/// Which changes are heard, and how: rules from what was stored to requests for the ringer.
package struct CountCues: Hashable, Sendable {
    package enum Spoken: String, CaseIterable, Sendable {
        case never
        case each
        /// When it is a multiple of ten.
        case tenth
        /// When the user asks for it with a key.
        case key
    }

    package var sounds: Set<Cue> = []
    /// The volume of the sounds in percent, 0...100.
    package var volume = 80
    package var spoken = Spoken.never

    package init() {}

    /// The cues that sound: `none`, `all`, or their names with commas between them.
    package var soundsText: String {
        if sounds.isEmpty { return "none" }
        let all = Cue.allCases
        return sounds.count == all.count
            ? "all" : all.filter(sounds.contains).map(\.rawValue).joined(separator: ",")
    }

    /// Whether anything may be heard, so that a ringer may be needed.
    package var isOn: Bool { !sounds.isEmpty || spoken != .never }

    package func sound(_ cue: Cue) -> [RingerRequest] {
        sounds.contains(cue) ? [.sound(cue, volume: volume)] : []
    }

    /// The requests for changes that were stored together: one sound for each kind of change in a row, then the last count
    /// behind the name of its location, which is `nil` for the one that is shown.
    package func requests(
        for receipts: [Receipt], name: (_ location: Identifier) -> String?
    ) -> [RingerRequest] {
        var requests: [RingerRequest] = []
        for cue in receipts.compactMap(\.cue) {
            let sound = sound(cue)
            if requests.last != sound.first { requests += sound }
        }
        guard let last = receipts.last(where: isSpoken) else { return requests }
        let prefix = last.request.row.locationId.flatMap(name).map { "\($0) " } ?? ""
        return requests + [.speak(prefix + String(last.level))]
    }

    private func isSpoken(_ receipt: Receipt) -> Bool {
        guard receipt.changesCount else { return false }
        switch spoken {
        case .never, .key: return false
        case .each: return true
        case .tenth: return receipt.level % 10 == 0
        }
    }
}

extension Receipt {
    /// The cue of the change; `nil` for one that nobody made just now.
    fileprivate var cue: Cue? {
        switch (outcome, request.row.content) {
        case (.accepted, .entry(let entry)), (.acceptedInNewEpoch, .entry(let entry)):
            entry.type == .in ? .up : .down
        case (.accepted, .reset), (.corrected, _), (.undone, _), (.redone, _): .reset
        case (.refused, _), (.nothingToUndo, _), (.nothingToRedo, _): .error
        case (.accepted, _), (.acceptedInNewEpoch, _), (.duplicate, _), (.nothingToVoid, _): nil
        }
    }

    fileprivate var changesCount: Bool {
        if case .setting = request.row.content { false } else { outcome.isAccepted }
    }
}
