import Descriptors
import Glibc

/// A node of interest as the key server keeps it: open or not, held or not.
final class NodeRecord {
    /// The node's file name, `eventN`.
    let file: String
    let source: SourceID
    private let path: String
    private let identity: DeviceIdentity
    private let stableID: String
    private let keys: CountedKeys
    private let id: NodeID
    /// What can be read; `nil` where the node could not be opened.
    let input: InputNode?
    /// The state of a node that is not read.
    private let unreadState: NodeState?
    private let holder: NodeHolder
    private var wish = Attention.away

    /// A node that was opened.
    init(file: String, input: InputNode, source: SourceID, stableID: String, ledger: HoldLedger?) {
        self.file = file
        self.source = source
        self.stableID = stableID
        self.input = input
        path = input.node.path
        identity = input.identity
        keys = input.abilities.countedKeys
        id = input.id
        unreadState = nil
        holder = NodeHolder(ledger: ledger)
    }

    /// A node that is only known of: it could not be opened, or another program has its keys.
    init(
        file: String, path: String, id: NodeID, identity: DeviceIdentity, keys: CountedKeys, state: NodeState,
        source: SourceID, stableID: String
    ) {
        self.file = file
        self.source = source
        self.stableID = stableID
        self.path = path
        self.id = id
        self.identity = identity
        self.keys = keys
        unreadState = state
        holder = NodeHolder(ledger: nil)
        input = nil
    }

    var nodeID: NodeID { id }

    /// The descriptor that tells when a grab may be tried again; `nil` where none waits.
    var waitingDescriptor: CInt? {
        guard case .waiting(let descriptor) = holder.state else { return nil }
        return descriptor
    }

    /// Holds the node, or lets go of it. Where it is held as wished already, nothing happens.
    func apply(_ wish: Attention) {
        self.wish = wish
        guard let input else { return }
        switch wish {
        case .holding: if holder.state != .held { holder.take(input) }
        case .shared, .away: holder.giveBack(input)
        }
    }

    var report: NodeReport {
        NodeReport(
            node: id, source: source, name: identity.name, stableID: stableID, path: path,
            bus: identity.busName,
            keys: keys, state: state, plan: plan)
    }

    private var plan: NodeState {
        guard let input else { return unreadState ?? .shared(.refused) }
        switch input.abilities.holdMethod {
        case .swap: return holder.canSwap ? .held(alsoTakes: false) : .shared(.noRuntimeDirectory)
        case .grab(let alsoTakes): return .held(alsoTakes: alsoTakes)
        case .shared(let reason): return .shared(reason)
        }
    }

    private var state: NodeState {
        guard input != nil else { return unreadState ?? .shared(.refused) }
        switch wish {
        case .away: return .shared(.inBackground)
        case .shared: return .shared(.asConfigured)
        case .holding: break
        }
        switch holder.state {
        case .held: return plan
        case .released, .waiting: return .shared(.waitingForRelease)
        case .refused(let reason): return .shared(reason)
        }
    }
}
