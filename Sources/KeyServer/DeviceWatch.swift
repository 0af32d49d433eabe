import KeyProtocol
import System

/// What tells all clients of a key server of devices: the watch on their directory, and the one on who holds what.
///
/// The kernel gives a user few inotify instances (128), so there is one of each, however many clients there are.
final class DeviceWatch {
    /// What has happened since the last look.
    struct Changes {
        var nodes: [NodeDirectory.Change] = []
        /// Somebody has given a node back.
        var isGivenBack = false
        /// udev has looked at devices again.
        var isDatabaseChanged = false
    }

    /// Where interceptions are written down; `nil` where they cannot be.
    let registry: InterceptionRegistry?
    private let watchdog: Watchdog?
    private let isService: Bool
    /// Where the nodes are; `nil` where that cannot be watched.
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

    /// Restores what programs left remapped that are no more.
    func restoreAbandoned() { InterceptionRegistry.restoreAllAbandoned(isService: isService) }

    /// What can be said of `/dev/input` now.
    var environment: InputEnvironment {
        guard let directory else { return .unreadable(errno: failure) }
        return directory.exists ? .ready : .noDirectory
    }

    /// Adds what it waits for.
    func watch(_ polled: inout PollSet) {
        watchdog?.watch(&polled)
        indices = (
            directory.map { polled.add($0.number) }, registry.map { polled.add($0.number) },
            database.map { polled.add($0.number) }
        )
    }

    /// Takes in what came.
    ///
    /// - Throws: `SystemCallError` where the directory can no longer be watched.
    func changes(_ polled: PollSet) throws(SystemCallError) -> Changes {
        var changes = Changes()
        watchdog?.keepAlive(polled)
        if let directory, let index = indices.nodes, !polled.result(at: index).isEmpty {
            changes.nodes = try directory.changes()
        }
        if let registry, let index = indices.registry, !polled.result(at: index).isEmpty {
            registry.drain()
            changes.isGivenBack = true
        }
        if let database, let index = indices.database, !polled.result(at: index).isEmpty {
            changes.isDatabaseChanged = database.drain().contains(where: DeviceSeat.concernsInput)
        }
        return changes
    }
}
