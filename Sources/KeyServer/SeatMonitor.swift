import System

/// Follows who is at the machine's seats, by `inotify(7)` on logind's files.
final class SeatMonitor {
    private let directory: String
    private var seatWatch: DirectoryWatch?
    private var index: Int?

    /// - Parameter directory: where logind keeps its files.
    init(_ directory: String = LoginRecord.directory) {
        self.directory = directory
        seatWatch = LoginRecord.watchSeats(in: directory)
    }

    /// Adds what it waits for.
    func watch(_ polled: inout PollSet) {
        index = seatWatch.map { polled.add($0.number) }
    }

    /// Who is at the seats now. logind may have been started after us.
    var seats: Seats {
        if seatWatch == nil { seatWatch = LoginRecord.watchSeats(in: directory) }
        return Seats(readingFrom: directory)
    }

    /// Who is at the seats now, where that may have changed. Every client is to be told: who is not goes on hearing keys.
    func seatsWhenChanged(_ polled: PollSet) -> Seats? {
        guard let seatWatch, let index, !polled.result(at: index).isEmpty else { return nil }
        // Before reading: what changes later is told again.
        _ = seatWatch.drain()
        return seats
    }
}
