public import Descriptors

/// Turns the key presses of one source into counts, by the timing table (G1 to G13, see ARCHITECTURE.md).
///
/// A pure value: it is told what happened and what time it is, and knows neither a clock nor a device. Every
/// decision rests on the events' own stamps. What time alone would have decided too early, such as a repeat that
/// fell due before a release that was read late, is taken back.
public struct GestureRecognizer: Sendable {
    let timing: Timing
    var up = KeyState()
    var down = KeyState()
    var resetKey = KeyState()
    /// A chord was struck: nothing counts until both keys have been up for `bounce` (G4).
    var isChordHeld = false
    var wereBothUpAtFrameEnd = true
    private var lastStamp = MonotonicTime(microseconds: .min)
    /// The nodes that have sent something, their places being the bits of `KeyState.nodes`.
    private var nodes: [NodeID?] = []
    var nextCount: UInt64

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
    public var deadline: MonotonicTime? {
        [dueTime(of: up), dueTime(of: down), dueTime(of: resetKey)].compactMap(\.self).min()
    }

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
                release(change.key, on: node, at: now, into: &events)
            }
        }
        endFrame()
    }

    /// Lets time pass: counts the repeats that are due by `now`, ends holds at their limit.
    ///
    /// Everything readable is to be read and handled first (G13).
    public mutating func advance(to now: MonotonicTime, into events: inout [VolumeEvent]) {
        runOut(before: now + .microseconds(1), into: &events)
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
            switch (self[key].nodes & node != 0, keys.contains(CountedKeys(key))) {
            case (false, false): break
            case (true, true): mute(key, at: now, into: &events)
            case (true, false): abandon(key, on: node, at: now, into: &events)
            case (false, true): adopt(key, on: node, at: now, into: &events)
            }
        }
        endFrame()
    }
}

// MARK: - Frames

extension GestureRecognizer {
    private mutating func begin(at stamp: MonotonicTime, into events: inout [VolumeEvent]) -> MonotonicTime {
        lastStamp = max(stamp, lastStamp)
        runOut(before: lastStamp, into: &events)
        return lastStamp
    }

    private mutating func runOut(before end: MonotonicTime, into events: inout [VolumeEvent]) {
        runOut(.up, before: end, into: &events)
        runOut(.down, before: end, into: &events)
        runOut(.reset, before: end, into: &events)
    }

    private mutating func endFrame() {
        up.wasReleasedInFrame = false
        down.wasReleasedInFrame = false
        wereBothUpAtFrameEnd = !up.isDown && !down.isDown
    }

    private mutating func bit(of node: NodeID) -> UInt64 {
        if let place = nodes.firstIndex(of: node) { return 1 << UInt64(min(place, 63)) }
        if let free = nodes.firstIndex(of: nil) {
            nodes[free] = node
            return 1 << UInt64(min(free, 63))
        }
        nodes.append(node)
        return 1 << UInt64(min(nodes.count - 1, 63))
    }
}
