package import KeyProtocol
package import Linux

/// Turns the key frames of one input device into counts, by the timing table (G1 to G13, see docs/gestures.md).
///
/// A pure value: events and times are arguments; it reads no clock and no device.
///
/// All decisions depend on the timestamps of events. The kept state `confirmed` follows from events alone. The predicted
/// state `predicted` adds what time alone causes, such as a repeat, which is emitted when it is due. If an event that is read
/// late contradicts the prediction, counts that were emitted and do not follow from `confirmed` are taken back.
package struct GestureRecognizer: Sendable {
    /// Its bounce is at most its debounce.
    let timing: GestureTiming
    /// Whether both keys together reset. If not, each key counts independently.
    package var admitsChords = true
    /// The kept state: the keys at the last event.
    var confirmed = GestureState()
    /// The predicted state: `confirmed` plus the due events emitted since.
    private var predicted = GestureState()
    /// The due events that lead from `confirmed` to `predicted`, with the counts emitted for them.
    private var emitted: [(due: GestureState.Due, count: CountID?)] = []
    private var lastStamp = MonotonicTime(microseconds: .min)
    /// The nodes that have sent events. A node's index is its bit in `KeyState.nodes`.
    private var nodes: [NodeID?] = []
    private var nextCount: UInt64
    /// Follows a chord until both keys are up; `nil` where the program does not ask for that.
    var heldChord: HeldChord?

    /// The settings have passed `GestureTiming.validate()`. `CountID`s are consecutive from `firstCount`. Without
    /// `heldChord`, the time after which `bothHeld` is reported, neither `bothHeld` nor `bothReleased` is.
    package init(timing: GestureTiming, firstCount: UInt64 = 0, heldChord: Duration? = nil) {
        var timing = timing
        timing.bounce = min(timing.bounce, timing.debounce)
        self.timing = timing
        self.heldChord = heldChord.map(HeldChord.init)
        nextCount = firstCount
    }

    /// When `advance` has to be called if no event comes; `nil` while no key is down.
    package var deadline: MonotonicTime? {
        [predicted.nextDue?.moment, heldChord?.deadline].compactMap(\.self).min()
    }

    /// Processes one frame of a node. One that is earlier than the last counts as simultaneous with it (G13).
    package mutating func handle(_ frame: KeyFrame, into events: inout [VolumeEvent]) {
        let now = begin(at: frame.stamp, into: &events)
        let node = bit(of: frame.node)
        for change in frame.changes {
            if change.isDown {
                press(change.key, on: node, at: now, into: &events)
            } else {
                release(change.key, on: node, at: now)
            }
        }
        end(at: now, into: &events)
        heldChord?.endFrame(down: confirmed.chordKeys, at: now, bounce: timing.bounce, into: &events)
    }

    /// Advances the time to `now`: counts repeats that are due, ends holds at their limit.
    ///
    /// The caller reads and handles all readable frames first (G13).
    package mutating func advance(to now: MonotonicTime, into events: inout [VolumeEvent]) {
        while let due = predicted.nextDue, due.moment <= now {
            predicted.pass(due, repeatInterval: timing.repeatInterval)
            emitted.append((due, emit(due, into: &events)))
        }
        heldChord?.advance(to: now, into: &events)
    }

    /// The node was removed or is no longer reported: its keys count as released (G12).
    package mutating func cancel(_ node: NodeID, at stamp: MonotonicTime, into events: inout [VolumeEvent]) {
        resynchronize(node, down: [], at: stamp, into: &events)
        if let index = nodes.firstIndex(of: node) { nodes[index] = nil }
    }

    /// The kernel dropped events (SYN_DROPPED); `keys` are the keys that are down on the node now (G12).
    package mutating func resynchronize(
        _ node: NodeID, down keys: CountedKeys, at stamp: MonotonicTime, into events: inout [VolumeEvent]
    ) {
        let now = begin(at: stamp, into: &events)
        let node = bit(of: node)
        for key in CountedKey.allCases {
            switch (confirmed[key].nodes & node != 0, keys.contains(key)) {
            case (false, false): break
            case (true, true): confirmed[key].mute()
            case (true, false): abandon(key, on: node, at: now)
            case (false, true): adopt(key, on: node, at: now, into: &events)
            }
        }
        end(at: now, into: &events)
        heldChord?.cancel()
    }
}

// MARK: - Time

extension GestureRecognizer {
    private mutating func begin(at stamp: MonotonicTime, into events: inout [VolumeEvent]) -> MonotonicTime {
        lastStamp = max(stamp, lastStamp)
        confirm(before: lastStamp, into: &events)
        return lastStamp
    }

    /// Applies everything due before `now` to the kept state, and emits what has not been emitted yet. A hold ends at
    /// its limit, before events at the same instant; a repeat due at that instant comes after them (G5, G11).
    mutating func confirm(before now: MonotonicTime, into events: inout [VolumeEvent]) {
        var kept = 0
        while let due = confirmed.nextDue, due.moment < now || due.isLimit && due.moment == now {
            confirmed.pass(due, repeatInterval: timing.repeatInterval)
            if kept < emitted.count, emitted[kept].due == due {
                kept += 1
            } else {
                _ = emit(due, into: &events)
            }
        }
        if kept > 0 { emitted.removeFirst(kept) }
    }

    /// Predicts again from the kept state. Emitted counts that do not follow from it are taken back (G13).
    private mutating func end(at now: MonotonicTime, into events: inout [VolumeEvent]) {
        confirmed.endFrame()
        predicted = confirmed
        if emitted.isEmpty { return }
        var stays = 0
        while stays < emitted.count, let due = predicted.nextDue, due == emitted[stays].due {
            predicted.pass(due, repeatInterval: timing.repeatInterval)
            stays += 1
        }
        takeBack(emitted[stays...].compactMap(\.count), at: now, into: &events)
        emitted.removeSubrange(stays...)
    }

    private mutating func emit(_ due: GestureState.Due, into events: inout [VolumeEvent]) -> CountID? {
        if !due.isLimit { return emitCount(of: due.key, at: due.moment, isRepeat: true, into: &events) }
        events.append(VolumeEvent(.holdLimitReached(due.key), at: due.moment))
        return nil
    }
}

// MARK: - Counts

extension GestureRecognizer {
    mutating func emitCount(
        of key: CountedKey, at moment: MonotonicTime, isRepeat: Bool, into events: inout [VolumeEvent]
    ) -> CountID {
        let id = CountID(rawValue: nextCount)
        nextCount += 1
        let type: VolumeEventType =
            key == .up ? .volumeUp(id, isRepeat: isRepeat) : .volumeDown(id, isRepeat: isRepeat)
        events.append(VolumeEvent(type, at: moment))
        return id
    }

    func takeBack(_ counts: [CountID], at moment: MonotonicTime, into events: inout [VolumeEvent]) {
        if !counts.isEmpty { events.append(VolumeEvent(.takenBack(counts), at: moment)) }
    }

    /// Removes and returns the counts that were emitted ahead of events.
    mutating func forgetEmittedCounts() -> [CountID] {
        if emitted.isEmpty { return [] }
        defer { emitted.removeAll { $0.count != nil } }
        return emitted.compactMap(\.count)
    }

    private mutating func bit(of node: NodeID) -> UInt64 {
        let index = nodes.firstIndex(of: node) ?? nodes.firstIndex(of: nil) ?? nodes.endIndex
        if index == nodes.endIndex { nodes.append(node) } else { nodes[index] = node }
        return 1 << UInt64(min(index, 63))
    }
}

// MARK: - What it recognises

/// Identifies one count, so that it can be taken back. Unique in the life of the process.
package struct CountID: Hashable, Sendable {
    package let rawValue: UInt64
}

package enum VolumeEventType: Hashable, Sendable {
    case volumeUp(CountID, isRepeat: Bool)
    case volumeDown(CountID, isRepeat: Bool)
    /// Both keys together: reset. The counts of the two presses have been taken back just before.
    case simultaneousBoth
    case reset
    /// Takes counts back; they appear in no total.
    case takenBack([CountID])
    /// A key was down beyond the hold limit, so its release was probably lost; the key counts as released.
    case holdLimitReached(CountedKey)
    /// Both keys of a chord have been down for the duration that the program asked for. Only where it asked for one.
    case bothHeld
    /// Both keys of a chord are up again. Only where the program asked for `bothHeld`.
    case bothReleased(wereHeld: Bool)
}

package struct VolumeEvent: Hashable, Sendable {
    package let type: VolumeEventType
    /// When the key went down or the repeat was due, not when the event was read.
    package let timestamp: MonotonicTime

    init(_ type: VolumeEventType, at timestamp: MonotonicTime) {
        self.type = type
        self.timestamp = timestamp
    }
}
