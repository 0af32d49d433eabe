import Glibc
import KeyProtocol
import Linux

/// A client's nodes: opens them as they come, closes them as they go, and groups them into input devices.
final class NodeTable {
    private let directory: NodeDirectory
    private let registry: InterceptionRegistry?
    private var settings: KeyClientSettings
    private var rights: SeatRights
    private var captureMode: CaptureMode
    private(set) var records: [NodeRecord] = []
    private var inputDevices: [DeviceKey: InputDeviceID] = [:]
    /// Where this client takes precedence, by the kernel's name for the device.
    private var claims: [String: InterceptionClaim] = [:]
    private var lastNode: UInt32 = 0
    private var lastDevice: UInt32 = 0
    /// The messages to the client that were not sent yet.
    private var news: [ServerMessage] = []

    /// Opens the nodes that exist.
    init(
        directory: NodeDirectory, registry: InterceptionRegistry?, _ settings: KeyClientSettings,
        _ rights: SeatRights, _ captureMode: CaptureMode
    ) {
        (self.directory, self.registry, self.settings) = (directory, registry, settings)
        (self.rights, self.captureMode) = (rights, captureMode)
        scan()
    }

    /// Opens and removes nodes until the table has those of the directory.
    private func scan() {
        let present = directory.nodes()
        for record in records where !present.contains(record.file) { remove(record) }
        let current = Set(records.filter(\.isCurrent).map(\.file))
        for file in present where !current.contains(file) { open(file) }
    }

    func follow(_ changes: [NodeDirectory.Change]) {
        for change in changes {
            switch change {
            case .lookAgain: scan()
            case .node(let file):
                // A scan may have found a new node already.
                if let known = records.first(where: { $0.file == file && $0.isCurrent }) {
                    update(known)
                } else {
                    open(file)
                }
            }
        }
    }

    /// Closes the nodes of an input device and ignores it from now on, or opens them again.
    func ignore(_ stableID: Identifier, _ isIgnored: Bool) {
        guard settings.ignore(stableID, isIgnored) else { return }
        if isIgnored {
            for record in records where record.stableID == stableID { remove(record) }
        } else {
            scan()
        }
    }

    /// Changes what the client captures.
    func apply(_ captureMode: CaptureMode) {
        if captureMode != self.captureMode { serve(rights, captureMode) }
    }

    /// Changes what the client may have too, and tries again to intercept what waits.
    func serve(_ rights: SeatRights, _ captureMode: CaptureMode) {
        (self.rights, self.captureMode) = (rights, captureMode)
        for record in records { apply(to: record) }
    }

    /// Applies the capture mode to a node, and notes whether its state changed. A removed node stays removed.
    func apply(to record: NodeRecord) {
        guard records.contains(where: { $0 === record }) else { return }
        let before = record.report
        capture(record)
        if record.report == before { return }
        news.append(.node(record.report))
        // A key that is down counts no more: its release is not sent.
        if record.report.state == .shared(.yielded) {
            news.append(.resynchronized(record.id, down: [], at: .now))
        }
    }

    private func capture(_ record: NodeRecord) {
        let limit = rights.limit(at: record.seat)
        let isCaptured = min(captureMode, limit) > .off && record.isReadable
        if isCaptured { claimPrecedence(on: record) }
        record.apply(
            captureMode, atMost: limit, isYielded: isCaptured && isPrecedenceElsewhere(on: record))
        if !isCaptured { releasePrecedence(on: record) }
    }

    /// To be called when udev has processed devices again: seats may have changed, or key maps been restored.
    func update() {
        for record in records { update(record) }
    }

    private func update(_ record: NodeRecord) {
        record.update()
        apply(to: record)
    }

    /// Removes a node that is gone or no longer wanted, after releasing it.
    func remove(_ record: NodeRecord) {
        guard records.contains(where: { $0 === record }) else { return }
        record.apply(.off)
        records.removeAll { $0 === record }
        if !records.contains(where: { $0.kernelName == record.kernelName }) { releasePrecedence(on: record) }
        if !records.contains(where: { $0.device == record.device }) {
            inputDevices = inputDevices.filter { $0.value != record.device }
        }
        news.append(.nodeGone(record.id, at: .now))
    }

    var hasYielded: Bool { news.contains { if case .resynchronized = $0 { true } else { false } } }

    func takeNews() -> [ServerMessage] {
        defer { news = [] }
        return news
    }
}

// MARK: - Opening

extension NodeTable {
    /// Opens a node, or opens it again. Its former record is removed only afterwards, or if nothing was opened: an
    /// input device that stays connected must not seem gone for a moment.
    private func open(_ file: String) {
        let former = records.first { $0.file == file }
        let record = isWanted(directory.path(of: file)) ? makeRecord(of: file) : nil
        if let record, let former, record.isAsUnreadable(as: former) { return }
        if let record { add(record) }
        if let former { remove(former) }
    }

    private func makeRecord(of file: String) -> NodeRecord? {
        if isOfNoInterest(file) { return nil }
        lastNode += 1
        let id = NodeID(rawValue: lastNode)
        let path = directory.path(of: file)
        let before = keysElsewhere(file)
        do throws(SystemCallError) {
            let input = try InputNode(opening: path, id: id, meanings: settings.meanings)
            // Asked before and after opening: another program may have changed the map in between.
            if let remapped = before ?? keysElsewhere(file) { return recordRemapped(input, file, remapped) }
            return report(of: file, id, input.identity, input.countedKeys).map {
                NodeRecord(file: file, $0, input: input, registry: registry)
            }
        } catch {
            // Gone again already: the directory watch reports its removal.
            if error.errno == ENOENT || error.errno == ENODEV || error.errno == ENXIO { return nil }
            // What cannot be opened is listed.
            guard let listing = NodeListing(node: file, meanings: settings.meanings) else { return nil }
            return report(
                of: file, id, listing.identity, listing.countedKeys, state: .noAccess(errno: error.errno)
            ).map { NodeRecord(file: file, $0) }
        }
    }

    /// Whether it has no counted keys, and none that a program has remapped. sysfs says so without opening it:
    /// opening all nodes of a machine takes long, closing one takes some ten milliseconds, and other clients wait.
    private func isOfNoInterest(_ file: String) -> Bool {
        guard let keys = NodeListing.countedKeys(of: file, settings.meanings), keys.isEmpty else {
            return false
        }
        guard let registry, let name = NodeListing.kernelName(of: file) else { return true }
        return !registry.knows(name)
    }

    /// The keys that another program has remapped on a node; `nil` if none has. What a crash left is restored first.
    private func keysElsewhere(_ file: String) -> [RemappedKey]? {
        guard let registry, let name = NodeListing.kernelName(of: file), registry.knows(name) else {
            return nil
        }
        registry.restoreAbandoned()
        return registry.keysRemappedElsewhere(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Lists a node that another program has remapped; it is opened again when that program releases it.
    private func recordRemapped(_ input: InputNode, _ file: String, _ remapped: [RemappedKey]) -> NodeRecord?
    {
        let keys = CountedKeys(remapped.compactMap { settings.meanings.key(for: $0.original) })
        return report(
            of: file, input.id, input.identity, keys.union(input.countedKeys),
            state: .shared(.grabbedElsewhere)
        ).map { NodeRecord(file: file, $0) }
    }

    /// Tries again what could not be opened or intercepted; to be called when another program has released a node.
    func retry() {
        scan()
        serve(rights, captureMode)
    }

    private func add(_ record: NodeRecord) {
        records.append(record)
        capture(record)
        news.append(.node(record.report))
    }

    /// What to tell of a node; `nil` if it has no counted keys, or its input device is ignored.
    private func report(
        of file: String, _ id: NodeID, _ identity: DeviceIdentity, _ keys: CountedKeys,
        state: NodeState = .shared(.refused)
    ) -> NodeReport? {
        let key = DeviceKey(of: identity, node: file)
        let stableID = identity.stableID(of: key)
        if keys.isEmpty || settings.ignoredDevices.contains(stableID) { return nil }
        if inputDevices[key] == nil {
            lastDevice += 1
            inputDevices[key] = InputDeviceID(rawValue: lastDevice)
        }
        return NodeReport(
            node: id, device: inputDevices[key] ?? InputDeviceID(rawValue: lastDevice), name: identity.name,
            stableID: stableID, path: directory.path(of: file), bus: identity.busName, keys: keys,
            state: state,
            plan: state)
    }

    /// A path of `--device` may be a link, such as one of `/dev/input/by-id`.
    private func isWanted(_ path: String) -> Bool {
        settings.onlyPaths.isEmpty || settings.onlyPaths.contains { $0 == path || realPath($0) == path }
    }
}

// MARK: - Precedence

/// While a client that takes precedence captures a device's keys, the same user's other clients yield them.
///
/// The registry's files tell all servers that use its directory; a file without a lock is left from a crash and means
/// nothing. Without a registry there is no precedence. Clients of other users are not concerned: for them the seat decides.
extension NodeTable {
    private func claimPrecedence(on record: NodeRecord) {
        guard settings.takesPrecedence, let input = record.kernelName, claims[input] == nil else { return }
        claims[input] = registry?.claimPrecedence(of: rights.user, on: input)
    }

    /// To be called after the node has been released.
    private func releasePrecedence(on record: NodeRecord) {
        if let input = record.kernelName { claims[input] = nil }
    }

    /// Whether another client has precedence on a node's device, and this one does not take it.
    private func isPrecedenceElsewhere(on record: NodeRecord) -> Bool {
        guard !settings.takesPrecedence, let registry, let input = record.kernelName else { return false }
        return registry.hasPrecedence(rights.user, on: input)
    }
}
