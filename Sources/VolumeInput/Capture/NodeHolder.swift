import Descriptors
import Glibc

/// Keeps the counted keys of a node from everybody else, and gives them back, so that nobody is left with a key down
/// that is up.
///
/// A key that is down while the hold begins would never come up for the others; so it waits until none is. A key that
/// is down when a grab ends would come up for them without ever having gone down; so its release is written into the
/// node first, which only the holder sees. When a key map changes, the kernel sends such releases by itself.
final class NodeHolder {
    enum State: Hashable {
        case released
        /// Keys are down; `descriptor` becomes readable when one of them goes up.
        case waiting(descriptor: CInt)
        case held
        /// Why it cannot be held now.
        case refused(SharedReason)
    }

    private(set) var state = State.released
    private let ledger: HoldLedger?
    private var claim: HoldClaim?
    private var watcher: KeyWatcher?

    /// - Parameter ledger: where holding is written down; without one nothing can be swapped.
    init(ledger: HoldLedger?) { self.ledger = ledger }

    /// There is a place to write a swap down.
    var canSwap: Bool { ledger != nil }

    /// Takes the node, or begins to wait for its keys to come up. Also to be called when `descriptor` is readable.
    func take(_ input: InputNode) {
        do throws(SystemCallError) {
            state = try attempt(input)
        } catch {
            state = .refused(error.errno == EBUSY ? .heldElsewhere : .refused)
        }
        if case .waiting = state { return }
        watcher = nil
    }

    /// Gives the node back, if it is held.
    func giveBack(_ input: InputNode) {
        watcher = nil
        if state == .held {
            switch input.abilities.holdMethod {
            case .swap: for key in input.swapPlan { key.restore(input.node) }
            case .grab: ungrab(input.node)
            case .shared: break
            }
        }
        claim = nil
        state = .released
    }

    private func attempt(_ input: InputNode) throws(SystemCallError) -> State {
        let method = input.abilities.holdMethod
        if case .shared(let reason) = method { return .refused(reason) }
        if let refusal = claimNode(input, method) { return .refused(refusal) }
        if watcher == nil {
            watcher = try KeyWatcher(input.node.path, keys: method == .swap ? input.countedCodes : nil)
        }
        guard let watcher else { return .released }
        while true {
            if try watcher.waitsForKeys() { return .waiting(descriptor: watcher.node.number) }
            if method == .swap { return try swap(input) }
            try input.node.grab(true)
            // A key that went down before the grab took hold is known to the others; it has to come up first.
            if try watcher.keysDown().isEmpty { return .held }
            try input.node.grab(false)
        }
    }

    /// Writes down that the node is held, before anything is changed.
    private func claimNode(_ input: InputNode, _ method: HoldMethod) -> SharedReason? {
        if claim != nil { return nil }
        guard let ledger, let name = input.kernelName else {
            return method == .swap ? .noRuntimeDirectory : nil
        }
        do throws(HoldLedger.Refusal) {
            claim = try ledger.claim(name, method == .swap ? input.swapPlan : [])
            return nil
        } catch {
            switch error {
            case .busy: return .heldElsewhere
            case .unusable: return method == .swap ? .noRuntimeDirectory : nil
            }
        }
    }

    private func swap(_ input: InputNode) throws(SystemCallError) -> State {
        do throws(SystemCallError) {
            for key in input.swapPlan { try key.apply(input.node) }
            return .held
        } catch {
            for key in input.swapPlan { key.restore(input.node) }
            throw error
        }
    }

    private func ungrab(_ node: borrowing NodeDescriptor) {
        // Where writing is not allowed the others see a release without a press, which does no harm.
        if node.isWritable, let down = try? KeyWatcher(node.path).keysDown(), !down.isEmpty {
            try? node.writeReleases(of: down)
        }
        try? node.grab(false)
    }
}
