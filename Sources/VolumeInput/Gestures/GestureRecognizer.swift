public import System

/// Turns the key presses of one source into counts, by the timing table (G1 to G13, see ARCHITECTURE.md).
///
/// A pure value: it is told what happened and what time it is, and knows neither a clock nor a device.
///
/// Every decision rests on the events' own stamps: `settled` follows from the events alone. What time adds to it,
/// such as a repeat that falls due, is foreseen and told when it is due. If an event that was read late says
/// otherwise, what was told and does not follow from `settled` any more is taken back.
public struct GestureRecognizer: Sendable {
    let timing: Timing
    /// Whether both keys together reset. Where they do not, each counts for itself.
    public var admitsChords = true
    /// The keys at the last event.
    var settled = SourceState()
    /// `settled`, and what time has brought since, as far as it has been told.
    private var foreseen = SourceState()
    /// What leads from `settled` to `foreseen`, with the counts that it was told as.
    private var told: [(due: SourceState.Due, count: CountID?)] = []
    private var lastStamp = MonotonicTime(microseconds: .min)
    /// The nodes that have sent something, their places being the bits of `KeyState.nodes`.
    private var nodes: [NodeID?] = []
    private var nextCount: UInt64

    /// A recogniser with nothing pressed.
    ///
    /// - Parameters:
    ///   - timing: settings that have passed `GestureTiming.validate()`.
    ///   - firstCount: the number of its first `CountID`; later ones follow.
    public init(timing: GestureTiming, firstCount: UInt64 = 0) {
        self.timing = Timing(timing)
        nextCount = firstCount
    }

    /// When something falls due if no event comes; `nil` while no key is down.
    public var deadline: MonotonicTime? { foreseen.nextDue?.moment }

    /// Takes one frame of a node of this source.
    ///
    /// - Parameters:
    ///   - frame: frames in the order of their stamps; a stamp that goes backwards is taken as the last one (G13).
    ///   - events: what follows from it is appended here.
    public mutating func handle(_ frame: KeyFrame, into events: inout [VolumeEvent]) {
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
    }

    /// Lets time pass: counts the repeats that are due by `now`, ends holds at their limit.
    ///
    /// Everything readable is to be read and handled first (G13).
    public mutating func advance(to now: MonotonicTime, into events: inout [VolumeEvent]) {
        while let due = foreseen.nextDue, due.moment <= now {
            foreseen.pass(due, repeatInterval: timing.repeatInterval)
            told.append((due, tell(due, into: &events)))
        }
    }

    /// The node is gone, or its events are not ours any more: its keys are taken as released (G12).
    public mutating func cancel(_ node: NodeID, at stamp: MonotonicTime, into events: inout [VolumeEvent]) {
        resynchronize(node, down: [], at: stamp, into: &events)
        if let place = nodes.firstIndex(of: node) { nodes[place] = nil }
    }

    /// The kernel dropped events (SYN_DROPPED); `keys` are those that the node reports down now (G12).
    public mutating func resynchronize(
        _ node: NodeID, down keys: CountedKeys, at stamp: MonotonicTime, into events: inout [VolumeEvent]
    ) {
        let now = begin(at: stamp, into: &events)
        let node = bit(of: node)
        for key in CountedKey.allCases {
            switch (settled[key].nodes & node != 0, keys.contains(CountedKeys(key))) {
            case (false, false): break
            case (true, true): settled[key].mute()
            case (true, false): abandon(key, on: node, at: now)
            case (false, true): adopt(key, on: node, at: now, into: &events)
            }
        }
        end(at: now, into: &events)
    }
}

// MARK: - Time

extension GestureRecognizer {
    private mutating func begin(at stamp: MonotonicTime, into events: inout [VolumeEvent]) -> MonotonicTime {
        lastStamp = max(stamp, lastStamp)
        settle(before: lastStamp, into: &events)
        return lastStamp
    }

    /// Lives through what was due before `now`, and tells what has not been told. A hold ends at its limit, before
    /// what happens in that instant; a repeat that is due in that instant comes after it, if it comes (G5, G11).
    mutating func settle(before now: MonotonicTime, into events: inout [VolumeEvent]) {
        var confirmed = 0
        while let due = settled.nextDue, due.moment < now || due.isLimit && due.moment == now {
            settled.pass(due, repeatInterval: timing.repeatInterval)
            if confirmed < told.count, told[confirmed].due == due {
                confirmed += 1
            } else {
                _ = tell(due, into: &events)
            }
        }
        if confirmed > 0 { told.removeFirst(confirmed) }
    }

    /// Looks ahead again from here. What was told and will not be so is taken back (G13).
    private mutating func end(at now: MonotonicTime, into events: inout [VolumeEvent]) {
        settled.endFrame()
        foreseen = settled
        if told.isEmpty { return }
        var stays = 0
        while stays < told.count, let due = foreseen.nextDue, due == told[stays].due {
            foreseen.pass(due, repeatInterval: timing.repeatInterval)
            stays += 1
        }
        takeBack(told[stays...].compactMap(\.count), at: now, into: &events)
        told.removeSubrange(stays...)
    }

    private mutating func tell(_ due: SourceState.Due, into events: inout [VolumeEvent]) -> CountID? {
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

    /// The counts that were told ahead of the events; they are told no more.
    mutating func forgetToldCounts() -> [CountID] {
        if told.isEmpty { return [] }
        defer { told.removeAll { $0.count != nil } }
        return told.compactMap(\.count)
    }

    private mutating func bit(of node: NodeID) -> UInt64 {
        let place = nodes.firstIndex(of: node) ?? nodes.firstIndex(of: nil) ?? nodes.endIndex
        if place == nodes.endIndex { nodes.append(node) } else { nodes[place] = node }
        return 1 << UInt64(min(place, 63))
    }
}
