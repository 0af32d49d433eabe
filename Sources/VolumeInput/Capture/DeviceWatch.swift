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
    }

    /// Where holding is written down; `nil` where it cannot be.
    let ledger: HoldLedger?
    /// Where the nodes are; `nil` where that cannot be watched.
    let directory: NodeDirectory?
    private let failure: CInt
    private var places: (nodes: Int?, ledger: Int?)

    init() {
        ledger = HoldLedger.defaultDirectory.flatMap { try? HoldLedger($0) }
        do throws(SystemCallError) {
            directory = try NodeDirectory()
            failure = 0
        } catch {
            directory = nil
            failure = error.errno
        }
    }

    /// What can be said of `/dev/input` now.
    var environment: InputEnvironment {
        guard let directory else { return .unreadable(errno: failure) }
        return directory.exists ? .ready : .noDirectory
    }

    /// Adds what it waits for.
    func watch(_ polled: inout PollSet) {
        places = (directory.map { polled.add($0.number) }, ledger.map { polled.add($0.number) })
    }

    /// Takes in what came.
    ///
    /// - Throws: `SystemCallError` where the directory can no longer be watched.
    func changes(_ polled: PollSet) throws(SystemCallError) -> Changes {
        var changes = Changes()
        if let directory, let place = places.nodes, !polled.result(at: place).isEmpty {
            changes.nodes = try directory.changes()
        }
        if let ledger, let place = places.ledger, !polled.result(at: place).isEmpty {
            ledger.drain()
            changes.isGivenBack = true
        }
        return changes
    }
}
