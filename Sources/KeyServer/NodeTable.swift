import Glibc
import KeyProtocol
import System

/// All nodes of interest: opens them as they come, closes them as they go, and groups them into sources.
final class NodeTable {
    private let directory: NodeDirectory
    private let registry: InterceptionRegistry?
    private let meanings: KeyMeanings
    /// The paths that `--device` named; all nodes where it is empty.
    private let onlyPaths: [String]
    private var ignoredSources: Set<String>
    /// What the client may have of the devices of each seat.
    var rights: SeatRights
    private(set) var records: [NodeRecord] = []
    private var sources: [SourceKey: SourceID] = [:]
    private var lastNode: UInt32 = 0
    private var lastSource: UInt32 = 0
    /// What happened to the nodes since it was last asked for.
    private var news: [ServerMessage] = []

    init(
        directory: NodeDirectory, registry: InterceptionRegistry?, meanings: KeyMeanings,
        only paths: [String],
        ignoring sources: Set<String>, _ rights: SeatRights
    ) {
        self.rights = rights
        self.directory = directory
        self.registry = registry
        self.meanings = meanings
        onlyPaths = paths
        ignoredSources = sources
    }

    /// Brings the table in line with the directory as it is now.
    func scan(_ captureMode: CaptureMode) {
        let present = directory.nodes()
        for record in records where !present.contains(record.file) { remove(record) }
        let current = Set(records.filter(\.isCurrent).map(\.file))
        for file in present where !current.contains(file) { open(file, captureMode) }
    }

    /// Takes in what the directory tells.
    func follow(_ changes: [NodeDirectory.Change], _ captureMode: CaptureMode) {
        for change in changes {
            switch change {
            case .lookAgain: scan(captureMode)
            case .node(let file):
                // One that has come may have been found already, by looking at everything.
                if let known = records.first(where: { $0.file == file && $0.isCurrent }) {
                    update(known, captureMode)
                } else {
                    open(file, captureMode)
                }
            }
        }
    }

    /// Leaves a source alone from now on, or no longer.
    func ignore(_ stableID: String, _ isIgnored: Bool, _ captureMode: CaptureMode) {
        if isIgnored {
            ignoredSources.insert(stableID)
            for record in records where record.report.stableID == stableID { remove(record) }
        } else if ignoredSources.remove(stableID) != nil {
            scan(captureMode)
        }
    }

    /// Applies a wish to all nodes, and notes what has changed by it.
    func apply(_ captureMode: CaptureMode) {
        for record in records { apply(captureMode, to: record) }
    }

    /// Applies a wish to a node, and notes what has changed by it. A node that has left the table stays gone.
    func apply(_ captureMode: CaptureMode, to record: NodeRecord) {
        guard records.contains(where: { $0 === record }) else { return }
        let before = record.report
        record.apply(captureMode, atMost: rights.limit(at: record.seat))
        if record.report != before { news.append(.node(record.report)) }
    }

    /// udev has looked at devices again: they may belong to other seats now, or have their key maps back.
    func update(_ captureMode: CaptureMode) {
        for record in records { update(record, captureMode) }
    }

    private func update(_ record: NodeRecord, _ captureMode: CaptureMode) {
        record.update()
        apply(captureMode, to: record)
    }

    /// A node is gone, or what it says is not for us any more. What is held of it is given back.
    func remove(_ record: NodeRecord) {
        guard records.contains(where: { $0 === record }) else { return }
        record.apply(.off)
        records.removeAll { $0 === record }
        if !records.contains(where: { $0.source == record.source }) {
            sources = sources.filter { $0.value != record.source }
        }
        news.append(.nodeGone(record.nodeID, at: .now))
    }

    /// What has happened to the nodes since the last call.
    func takeNews() -> [ServerMessage] {
        defer { news = [] }
        return news
    }
}

// MARK: - Opening

extension NodeTable {
    /// Opens a node, or opens it again. Its former record goes only then: a source that is there all the time
    /// must not seem gone for a moment. Where there is nothing to open it goes too.
    private func open(_ file: String, _ captureMode: CaptureMode) {
        let former = records.first { $0.file == file }
        let record = isWanted(directory.path(of: file)) ? makeRecord(of: file) : nil
        if let record, let former, record.isAsUnreadable(as: former) { return }
        if let record { add(record, captureMode) }
        if let former { remove(former) }
    }

    private func makeRecord(of file: String) -> NodeRecord? {
        if isOfNoInterest(file) { return nil }
        lastNode += 1
        let id = NodeID(rawValue: lastNode)
        let path = directory.path(of: file)
        let before = keysElsewhere(file)
        do throws(SystemCallError) {
            let input = try InputNode(opening: path, id: id, meanings: meanings)
            // Before and after: what was read in between may be of either map.
            if let remapped = before ?? keysElsewhere(file) { return recordRemapped(input, file, remapped) }
            if input.abilities.countedKeys.isEmpty { return nil }
            guard let (source, stableID) = source(of: input.identity, file: file) else { return nil }
            return NodeRecord(
                file: file, input: input, source: source, stableID: stableID, registry: registry)
        } catch {
            // Gone again already: its removal has been told or will be.
            if error.errno == ENOENT || error.errno == ENODEV || error.errno == ENXIO { return nil }
            return recordUnreadable(file, path: path, id: id, error: error.errno)
        }
    }

    /// It has no keys that count, and nobody has moved them away. That is known without opening it: opening all of a
    /// machine's nodes takes long, closing one some ten milliseconds, and others wait meanwhile.
    private func isOfNoInterest(_ file: String) -> Bool {
        guard let keys = NodeListing.countedKeys(of: file, meanings), keys.isEmpty else { return false }
        guard let registry, let name = NodeListing.kernelName(of: file) else { return true }
        return !registry.knows(name)
    }

    /// A node that cannot be opened is told of only if it has keys that count.
    private func recordUnreadable(_ file: String, path: String, id: NodeID, error: CInt) -> NodeRecord? {
        guard let listing = NodeListing(node: file, meanings: meanings), !listing.countedKeys.isEmpty,
            let (source, stableID) = source(of: listing.identity, file: file)
        else { return nil }
        return NodeRecord(
            file: file, path: path, id: id, identity: listing.identity, keys: listing.countedKeys,
            state: .noAccess(errno: error), source: source, stableID: stableID)
    }

    /// What another program has remapped on a node; `nil` where none has. What a crash left is restored first.
    private func keysElsewhere(_ file: String) -> [RemappedKey]? {
        guard let registry, let name = NodeListing.kernelName(of: file), registry.knows(name) else {
            return nil
        }
        registry.restoreAbandoned()
        return registry.keysRemappedElsewhere(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Its map is not to be planned with: it is looked at again when the other program gives it back.
    private func recordRemapped(_ input: InputNode, _ file: String, _ remapped: [RemappedKey]) -> NodeRecord?
    {
        let keys = CountedKeys(remapped.compactMap { meanings.key(for: $0.original) }.map(CountedKeys.init))
            .union(input.abilities.countedKeys)
        guard !keys.isEmpty, let (source, stableID) = source(of: input.identity, file: file) else {
            return nil
        }
        return NodeRecord(
            file: file, path: input.node.path, id: input.id, identity: input.identity, keys: keys,
            state: .shared(.grabbedElsewhere), source: source, stableID: stableID)
    }

    /// Another program has given a node back: what could not be held or read may be now.
    func retry(_ captureMode: CaptureMode) {
        scan(captureMode)
        apply(captureMode)
    }

    private func add(_ record: NodeRecord, _ captureMode: CaptureMode) {
        records.append(record)
        record.apply(captureMode, atMost: rights.limit(at: record.seat))
        news.append(.node(record.report))
    }

    /// The source that a node belongs to; `nil` where that is ignored.
    private func source(of identity: DeviceIdentity, file: String) -> (SourceID, stableID: String)? {
        let key = SourceKey(of: identity, node: file)
        let stableID = identity.stableID(of: key)
        if ignoredSources.contains(stableID) { return nil }
        if let known = sources[key] { return (known, stableID) }
        lastSource += 1
        sources[key] = SourceID(rawValue: lastSource)
        return (SourceID(rawValue: lastSource), stableID)
    }

    private func isWanted(_ path: String) -> Bool {
        onlyPaths.isEmpty || onlyPaths.contains { $0 == path || Self.target(of: $0) == path }
    }

    /// Where a path such as `/dev/input/by-id/…` leads. The corresponding C function is `realpath(3)`.
    private static func target(of path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
