import CounterModel
import Linux

/// Records requests, gives each the next position, and fails on demand.
final class RecordingRepository: JournalRepository {
    struct DiskFull: Error {}

    var isFull = false
    private(set) var transactions: [[Request]] = []
    private var position: Int64 = 0

    func append(_ requests: [Request], receivedAt: Timestamp) throws(DiskFull) -> [Answer] {
        if isFull { throw DiskFull() }
        transactions.append(requests)
        return requests.map { request in
            if case .entries(_, let count) = request.change {
                position += Int64(count)
            } else {
                position += 1
            }
            return Answer(.accepted(Position(position)), level: 0)
        }
    }

    func state(of locationId: Identifier) throws(DiskFull) -> CounterState? { nil }
}
