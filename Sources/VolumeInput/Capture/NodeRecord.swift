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
    private let openError: CInt
    private let grab = NodeGrab()
    private var wish = Attention.away

    /// A node that was opened.
    init(file: String, input: InputNode, source: SourceID, stableID: String) {
        self.file = file
        self.source = source
        self.stableID = stableID
        self.input = input
        path = input.node.path
        identity = input.identity
        keys = input.abilities.countedKeys
        id = input.id
        openError = 0
    }

    /// A node that sysfs lists, and that could not be opened.
    init(
        file: String, path: String, id: NodeID, listing: NodeListing, openError: CInt, source: SourceID,
        stableID: String
    ) {
        self.file = file
        self.source = source
        self.stableID = stableID
        self.path = path
        self.id = id
        self.openError = openError
        identity = listing.identity
        keys = listing.countedKeys
        input = nil
    }

    var nodeID: NodeID { id }

    /// The descriptor that tells when a grab may be tried again; `nil` where none waits.
    var waitingDescriptor: CInt? {
        guard case .waiting(let descriptor) = grab.state else { return nil }
        return descriptor
    }

    /// Holds the node, or lets go of it. Where it is held as wished already, nothing happens.
    func apply(_ wish: Attention) {
        self.wish = wish
        guard let input else { return }
        switch (wish, input.abilities.holdMethod) {
        case (.holding, .grab): if grab.state != .held { grab.take(input.node) }
        case (.holding, .shared), (.shared, _), (.away, _): grab.giveBack(input.node)
        }
    }

    var report: NodeReport {
        NodeReport(
            node: id, source: source, name: identity.name, stableID: stableID, path: path, bus: identity.busName,
            keys: keys, state: state, plan: plan)
    }

    private var plan: NodeState {
        guard let input else { return .noAccess(errno: openError) }
        switch input.abilities.holdMethod {
        case .grab(let alsoTakes): return .held(alsoTakes: alsoTakes)
        case .shared(let reason): return .shared(reason)
        }
    }

    private var state: NodeState {
        guard let input else { return .noAccess(errno: openError) }
        switch (wish, input.abilities.holdMethod) {
        case (.away, _): return .shared(.inBackground)
        case (.shared, _): return .shared(.asConfigured)
        case (.holding, .shared(let reason)): return .shared(reason)
        case (.holding, .grab(let alsoTakes)): return state(ofGrabTaking: alsoTakes)
        }
    }

    private func state(ofGrabTaking alsoTakes: Bool) -> NodeState {
        switch grab.state {
        case .held: .held(alsoTakes: alsoTakes)
        case .released, .waiting: .shared(.waitingForRelease)
        case .refused(errno: EBUSY): .shared(.heldElsewhere)
        case .refused: .shared(.refused)
        }
    }
}
