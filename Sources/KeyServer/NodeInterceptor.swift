import Glibc
import KeyProtocol
import System

/// Keeps the counted keys of a node from everybody else, and gives them back, so that nobody is left with a key down
/// that is up.
///
/// A key that is down while the hold begins would never come up for the others; so it waits until none is. A key that
/// is down when a grab ends would come up for them without ever having gone down; so its release is written into the
/// node first, which only the interceptor sees. When a key map changes, the kernel sends such releases by itself.
final class NodeInterceptor {
    enum State: Hashable {
        case released
        /// Keys are down, or another program has grabbed it; when to try again, one of the descriptors is readable.
        case waiting(SharedReason, descriptors: [CInt])
        case exclusive
        /// Why it cannot be held now.
        case refused(SharedReason)
    }

    private(set) var state = State.released
    private let registry: InterceptionRegistry?
    private var claim: InterceptionClaim?
    /// Only while something is intercepted, or tried.
    private var watchdogLease: WatchdogLease?
    // Both are kept as long as it waits: their own closes would look like those of another program.
    private var watcher: KeyWatcher?
    private var closeWatch: CloseWatch?

    /// - Parameter registry: where holding is written down; without one nothing can be remapped.
    init(registry: InterceptionRegistry?) { self.registry = registry }

    /// There is a directory in which a remap can be written down.
    var canRemap: Bool { registry != nil }

    /// Takes the node, or begins to wait until it can be taken. Also to be called when one of the
    /// descriptors is readable.
    func take(_ input: InputNode) {
        do throws(SystemCallError) {
            state = try attempt(input)
        } catch {
            state = .refused(.refused)
        }
        if state != .exclusive { watchdogLease = nil }
        if case .waiting = state { return }
        stopWaiting()
    }

    /// Gives the node back, if it is held.
    func giveBack(_ input: InputNode) {
        stopWaiting()
        if state == .exclusive {
            switch input.abilities.interceptionMethod {
            case .remap: restore(input)
            case .grab: giveBackGrab(of: input)
            case .shared: break
            }
        }
        claim = nil
        watchdogLease = nil
        state = .released
    }

    /// Gives the node back where its key map is not as this program has left it: udev's hwdb writes maps too, whenever it looks at
    /// a device again (`udevadm trigger`).
    func giveBackIfChanged(_ input: InputNode) {
        guard state == .exclusive, input.abilities.interceptionMethod == .remap else { return }
        if !input.remapping.isApplied(to: input.node) { giveBack(input) }
    }

    private func attempt(_ input: InputNode) throws(SystemCallError) -> State {
        let method = input.abilities.interceptionMethod
        if case .shared(let reason) = method { return .refused(reason) }
        if let refusal = claimNode(input, method) { return .refused(refusal) }
        let watcher = try self.watcher(of: input)
        while try !watcher.waitsForKeys() {
            watchdogLease = watchdogLease ?? registry?.watchdog?.lease()
            if method == .remap { return try remap(input) }
            let moment = MonotonicTime.now
            if try input.node.grab() {
                // A key that went down before the grab took hold is known to the others; it has to come up first.
                if try watcher.keysDown().isEmpty {
                    input.noteHold(since: moment)
                    return .exclusive
                }
                try input.node.ungrab()
            } else if closeWatch != nil {
                return try waiting(.grabbedElsewhere)
            } else {
                // Then once more: a close before the watch is not reported.
                closeWatch = try CloseWatch(input.node.path)
            }
        }
        return try waiting(.waitingForRelease)
    }

    /// While another program has grabbed the node, the watcher is not told of releases.
    private func waiting(_ reason: SharedReason) throws(SystemCallError) -> State {
        try closeWatch?.attemptFailed()
        let keys = watcher.map { [$0.node.number] } ?? []
        return .waiting(reason, descriptors: keys + (closeWatch?.numbers ?? []))
    }

    private func watcher(of input: InputNode) throws(SystemCallError) -> KeyWatcher {
        if let watcher { return watcher }
        let new = try KeyWatcher(input.node.path, keys: input.interceptedCodes)
        watcher = new
        return new
    }

    private func stopWaiting() {
        watcher = nil
        closeWatch = nil
    }

    /// Writes down that the node is held, before anything is changed.
    private func claimNode(_ input: InputNode, _ method: InterceptionMethod) -> SharedReason? {
        if claim != nil { return nil }
        guard let registry, let name = input.kernelName else {
            return method == .remap ? .noRuntimeDirectory : nil
        }
        do throws(RegistryDirectory.Refusal) {
            claim = try registry.claim(name, method == .remap ? input.remapping : Remapping())
            return nil
        } catch {
            switch error {
            case .busy: return .grabbedElsewhere
            case .unusable: return method == .remap ? .noRuntimeDirectory : nil
            }
        }
    }

    private func remap(_ input: InputNode) throws(SystemCallError) -> State {
        // Somebody has written the map since it was read: to bring back what it was then would undo that.
        guard input.remapping.isApplicable(to: input.node) else { return .refused(.refused) }
        input.noteHold(since: .now)
        do throws(SystemCallError) {
            try input.remapping.apply(input.node)
            return .exclusive
        } catch {
            restore(input)
            throw error
        }
    }

    private func restore(_ input: InputNode) {
        input.remapping.restore(input.node)
        input.noteHold(until: .now)
    }

    /// The end of a grab, and closing a descriptor, wait in the kernel until no processor is on its way to us any more
    /// (`synchronize_rcu`): some ten milliseconds. Others hear the keys from the beginning of that wait; so the grab
    /// ends before anything is closed. When it began is told by a witness, who is one of the others: between a look at
    /// the clock and the end of the grab a busy machine may keep us for long.
    private func giveBackGrab(of input: InputNode) {
        let witness = try? KeyWatcher(input.node.path, keys: input.interceptedCodes)
        // Where writing is not allowed the others see a release without a press, which does no harm.
        if input.node.isWritable, let down = try? witness?.keysDown(), !down.isEmpty {
            try? input.node.writeReleases(of: down)
        }
        let isWitnessed = (try? witness?.listen(to: input.countedCodes)) != nil
        let beginning = MonotonicTime.now
        try? input.node.ungrab()
        let end = MonotonicTime.now
        input.noteHold(until: isWitnessed ? witness?.firstHeard() ?? end : beginning)
    }
}
