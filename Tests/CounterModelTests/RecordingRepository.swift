import CounterModel

/// Keeps what it is asked, gives each request the next position, and fails on demand.
final class RecordingRepository: JournalRepository {
    struct DiskFull: Error {}

    var isFull = false
    private(set) var transactions: [[Request]] = []
    private var position: Int64 = 0

    func append(_ requests: [Request], receivedAt: Timestamp) throws(DiskFull) -> [Outcome] {
        if isFull { throw DiskFull() }
        transactions.append(requests)
        return requests.map { _ in
            position += 1
            return .accepted(Position(position))
        }
    }

    func state(of locationId: String) throws(DiskFull) -> CounterState? { nil }
}
