import KeyProtocol
import Linux

/// What all clients of a key server share of devices: the watches on `/dev/input`, the interception registry and
/// udev's database.
///
/// The kernel gives a user few inotify instances (128), so there is one of each for all clients.
final class DeviceWatch {
    /// What has happened since the last look.
    struct Changes {
        var nodes: [NodeDirectory.Change] = []
        /// A program has released a node that it intercepted, or a client has taken or given up precedence.
        var isRegistryChanged = false
        /// udev has changed its database.
        var isDatabaseChanged = false
    }

    /// Where interceptions are recorded; `nil` if they cannot be.
    let registry: InterceptionRegistry?
    private let watchdog: Watchdog?
    private let isService: Bool
    /// The directory of the nodes; `nil` if it cannot be watched.
    let directory: NodeDirectory?
    private let database = DeviceSeat.watchDatabase()
    private let failure: CInt
    private var indices: (nodes: Int?, registry: Int?, database: Int?)

    /// - Parameter isService: the server is the system's service.
    init(isService: Bool) {
        self.isService = isService
        registry = InterceptionRegistry.first(isService: isService)
        watchdog = isService ? Watchdog.ofService() : nil
        registry?.watchdog = watchdog
        do throws(SystemCallError) {
            directory = try NodeDirectory()
            failure = 0
        } catch {
            directory = nil
            failure = error.errno
        }
    }

    /// Restores the key maps that programs left changed when they crashed.
    func restoreAbandoned() { InterceptionRegistry.restoreAllAbandoned(isService: isService) }

    /// The state of `/dev/input` now.
    var environment: InputEnvironment {
        guard let directory else { return .unreadable(errno: failure) }
        return directory.exists ? .ready : .noDirectory
    }

    /// When `changes` is to be called even if nothing is readable.
    var deadline: MonotonicTime? { registry?.restoring }

    /// Adds its descriptors.
    func watch(_ polled: inout PollSet) {
        watchdog?.watch(&polled)
        indices = (
            directory.map { polled.add($0.number) }, registry.map { polled.add($0.number) },
            database.map { polled.add($0.number) }
        )
    }

    /// Reads what the polled descriptors report.
    ///
    /// - Throws: `SystemCallError` if the directory can no longer be watched.
    func changes(_ polled: PollSet) throws(SystemCallError) -> Changes {
        var changes = Changes()
        watchdog?.keepAlive(polled)
        if let directory, let index = indices.nodes, !polled.result(at: index).isEmpty {
            changes.nodes = try directory.changes()
        }
        if let registry, let index = indices.registry, !polled.result(at: index).isEmpty {
            changes.isRegistryChanged = registry.drain()
        }
        if registry?.isRestoringDue() ?? false {
            restoreAbandoned()
            changes.isRegistryChanged = true
        }
        if let database, let index = indices.database, !polled.result(at: index).isEmpty {
            changes.isDatabaseChanged = database.drain().contains(where: DeviceSeat.concernsInput)
        }
        return changes
    }
}
