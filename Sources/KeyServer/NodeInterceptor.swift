import CEvdev
import CLinux
import Glibc
import KeyProtocol
import Linux

/// Intercepts a node's counted keys, and releases it so that no program is left with a key down that is up.
///
/// Other programs would never receive the release of a key that is down when interception begins, so it begins when
/// none is down. A key that is down when a grab ends would be released for them without a press, so its release is
/// written into the node before, for the grabbing descriptor alone. Of a changed key map the kernel does it itself.
final class NodeInterceptor {
    /// Why the node is not intercepted; `nil` while it is.
    private(set) var obstacle: SharedReason? = .waitingForRelease
    /// The descriptors that are readable when it is time to try again; none unless keys are down or another program has
    /// grabbed the node.
    private(set) var waitingDescriptors: [CInt] = []
    private let registry: InterceptionRegistry?
    private var claim: InterceptionClaim?
    /// Only while the node is intercepted, or an attempt is made.
    private var watchdogLease: WatchdogLease?
    // Both stay open as long as it waits: the close watch would take their closing for another program's.
    private var watcher: KeyWatcher?
    private var closeWatch: CloseWatch?

    /// Without a registry, where interceptions are recorded, no key map is changed.
    init(registry: InterceptionRegistry?) { self.registry = registry }

    var canRemap: Bool { registry != nil }

    /// Intercepts the node, or begins to wait; to be called again when one of the descriptors is readable.
    func intercept(_ input: InputNode) {
        waitingDescriptors = []
        do throws(SystemCallError) { obstacle = try attempt(input) } catch { obstacle = .refused }
        if obstacle != nil { watchdogLease = nil }
        if waitingDescriptors.isEmpty { stopWaiting() }
    }

    func release(_ input: InputNode) {
        stopWaiting()
        if obstacle == nil {
            switch input.method {
            case .remap: restore(input)
            case .grab: releaseGrab(of: input)
            case .shared: break
            }
        }
        claim = nil
        watchdogLease = nil
        obstacle = .waitingForRelease
    }

    /// udev's hwdb writes key maps too, whenever udev processes a device again (`udevadm trigger`).
    func releaseIfChanged(_ input: InputNode) {
        guard obstacle == nil, input.method == .remap else { return }
        if !input.remapping.isApplied(to: input.node) { release(input) }
    }

    /// Why the node is not intercepted now; `nil` if it is.
    private func attempt(_ input: InputNode) throws(SystemCallError) -> SharedReason? {
        if case .shared(let reason) = input.method { return reason }
        if let refusal = claimNode(input) { return refusal }
        let watcher = try self.watcher(of: input)
        while try !watcher.waitsForKeys() {
            watchdogLease = watchdogLease ?? registry?.watchdog?.lease()
            if input.method == .remap { return try remap(input) }
            let moment = MonotonicTime.now
            if try input.node.grab() {
                // Other programs have received a key that went down before the grab; it has to come up first.
                if try watcher.keysDown().isEmpty {
                    input.noteInterception(since: moment)
                    return nil
                }
                try input.node.ungrab()
            } else if closeWatch != nil {
                return try waiting(.grabbedElsewhere)
            } else {
                // Tries once more: a close before the watch began was not reported.
                closeWatch = try CloseWatch(input.node.path)
            }
        }
        return try waiting(.waitingForRelease)
    }

    /// While another program has grabbed the node, the watcher receives no releases.
    private func waiting(_ reason: SharedReason) throws(SystemCallError) -> SharedReason {
        try closeWatch?.attemptFailed()
        waitingDescriptors = (watcher.map { [$0.node.number] } ?? []) + (closeWatch?.numbers ?? [])
        return reason
    }

    private func watcher(of input: InputNode) throws(SystemCallError) -> KeyWatcher {
        if let watcher { return watcher }
        let new = try KeyWatcher(input.node.path, keys: input.interceptedCodes)
        watcher = new
        return new
    }

    private func stopWaiting() {
        waitingDescriptors = []
        watcher = nil
        closeWatch = nil
    }

    /// Records the interception, before anything is changed.
    private func claimNode(_ input: InputNode) -> SharedReason? {
        if claim != nil { return nil }
        let isRemapped = input.method == .remap
        do throws(RegistryDirectory.RecordError) {
            guard let registry, let name = NodeListing.kernelName(of: input.node.path) else {
                throw .unusable
            }
            claim = try registry.claim(name, isRemapped ? input.remapping : Remapping())
            return nil
        } catch {
            switch error {
            case .busy: return .grabbedElsewhere
            // The kernel ends a grab by itself: it needs no record.
            case .unusable: return isRemapped ? .noRuntimeDirectory : nil
            }
        }
    }

    private func remap(_ input: InputNode) throws(SystemCallError) -> SharedReason? {
        // Another program has changed the map since it was read: restoring it later would undo that change.
        guard input.remapping.isApplicable(to: input.node) else { return .refused }
        // A stand-in that the kernel gave a time before the interception would not count.
        try? input.node.endFrame()
        input.noteInterception(since: .now)
        do throws(SystemCallError) {
            try input.remapping.apply(input.node)
            return nil
        } catch {
            restore(input)
            throw error
        }
    }

    private func restore(_ input: InputNode) {
        input.remapping.restore(input.node)
        input.noteInterception(until: .now)
    }

    /// Ends a grab so that each key is either counted or received by other programs.
    ///
    /// Ending a grab and closing a descriptor block in the kernel for some ten milliseconds (`synchronize_rcu`).
    /// Other programs receive keys from the beginning of that wait; so the grab ends before anything is closed. On a
    /// busy machine this thread may lose the processor between reading the clock and ending the grab; so a second
    /// descriptor, which receives what other programs do, tells when the grab ended.
    private func releaseGrab(of input: InputNode) {
        let watcher = try? KeyWatcher(input.node.path, keys: input.interceptedCodes)
        // Without permission to write, other programs receive a release without a press, which does no harm.
        if input.node.isWritable, let down = try? watcher?.keysDown(), !down.isEmpty {
            try? input.node.writeReleases(of: down)
        }
        let isWatched = (try? watcher?.listen(to: input.countedCodes)) != nil
        let beginning = MonotonicTime.now
        try? input.node.ungrab()
        let end = MonotonicTime.now
        input.noteInterception(until: isWatched ? watcher?.firstKey() ?? end : beginning)
    }
}

/// Tells when another program's grab may have ended: when a program has closed the node.
///
/// The kernel reports a close (`IN_CLOSE`) just before it ends the closer's grab, and on a busy machine time may pass
/// between the two. So a failed attempt after a close is repeated after 20 ms, then after twice as long each time,
/// six times in all. A grab that ends without a close is not reported; the first key received shows it.
final class CloseWatch {
    private static let shortest = Duration.milliseconds(20)
    private static let longest = Duration.milliseconds(640)

    private let closes: DirectoryWatch
    private let timer: TimerDescriptor
    private var pause = shortest
    private var due: MonotonicTime?

    /// Throws if the node is gone or can no longer be read.
    init(_ path: String) throws(SystemCallError) {
        closes = try DirectoryWatch(path, mask: UInt32(IN_CLOSE))
        timer = try TimerDescriptor()
    }

    /// The descriptors to poll. When one is readable, another attempt is due. They change with each attempt.
    var numbers: [CInt] { due == nil ? [closes.number] : [closes.number, timer.number] }

    /// Notes a failed attempt: waits for the next close, or until the next repetition after one.
    func attemptFailed() throws(SystemCallError) {
        let now = MonotonicTime.now
        if !closes.drain().isEmpty {
            pause = Self.shortest
            due = now + pause
        } else if let passed = due, passed <= now {
            pause = pause * 2
            due = pause <= Self.longest ? now + pause : nil
        }
        try timer.arm(due)
    }
}

// MARK: - The way of interception

/// How a node's counted keys are kept from other programs while `counter` captures keys.
enum InterceptionMethod: Hashable, Sendable {
    /// The counted keys are mapped to codes that no program acts on. Other programs still receive all other keys.
    case remap
    /// EVIOCGRAB: no other program receives the node's events. `alsoTakes`: the node has other keys too, which nobody
    /// else receives then.
    case grab(alsoTakes: Bool)
    /// Not intercepted: its keys count, and the system acts on them too.
    case shared(SharedReason)
}

extension InterceptionMethod {
    /// The way that takes the least from other programs. `hasKeyMap`: the driver has a key map that can be changed
    /// (EVIOCGKEYCODE_V2 succeeds); `canRemap`: the map has the counted keys, and there are codes to move them to;
    /// `obstacle`: what forbids a grab.
    init(
        hasOtherKeys: Bool = false, hasKeyMap: Bool = false, canRemap: Bool = false,
        obstacle: SharedReason? = nil
    ) {
        if canRemap && hasOtherKeys {
            self = .remap
        } else if let obstacle {
            self = .shared(obstacle)
        } else {
            self = hasKeyMap && hasOtherKeys ? .shared(.otherKeys) : .grab(alsoTakes: hasOtherKeys)
        }
    }

    private static let letters = [KEY_Q...KEY_P, KEY_A...KEY_L, KEY_Z...KEY_M].joined()
    private static let axes = [
        (EV_REL, REL_X), (EV_REL, REL_Y), (EV_ABS, ABS_X), (EV_ABS, ABS_Y), (EV_ABS, ABS_MT_SLOT),
        (EV_ABS, ABS_MT_POSITION_X),
    ]
    private static let systemKeys = [
        KEY_POWER, KEY_SLEEP, KEY_SUSPEND, KEY_WAKEUP, KEY_BRIGHTNESSDOWN, KEY_BRIGHTNESSUP, KEY_RFKILL,
        KEY_WLAN,
    ]

    /// Finds what forbids a grab, worst first. `hasType` asks for an `EV_…`, `hasCode` for a code of one.
    static func obstacle(
        hasType: (UInt32) -> Bool, hasCode: (_ type: UInt32, _ code: UInt32) -> Bool
    ) -> SharedReason? {
        func hasKey(_ code: CInt) -> Bool { hasCode(UInt32(EV_KEY), UInt32(code)) }
        if letters.contains(where: hasKey) { return .keyboard }
        let points = axes.contains { hasCode(UInt32($0.0), UInt32($0.1)) }
        if points || (BTN_LEFT...BTN_TASK).contains(where: hasKey) { return .pointer }
        if hasType(UInt32(EV_SW)) { return .switches }
        if hasType(UInt32(EV_FF)) { return .forceFeedback }
        return systemKeys.contains(where: hasKey) ? .systemKeys : nil
    }
}
