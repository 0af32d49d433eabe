import Linux

/// Follows which users have sessions at the machine's seats, by `inotify(7)` on logind's files.
final class SeatMonitor {
    private let directory: String
    private var seatWatch: DirectoryWatch?
    private var index: Int?

    /// - Parameter directory: the directory of logind's files.
    init(_ directory: String = LoginRecord.directory) {
        self.directory = directory
        seatWatch = LoginRecord.watchSeats(in: directory)
    }

    /// Adds its descriptor.
    func watch(_ polled: inout PollSet) {
        index = seatWatch.map { polled.add($0.number) }
    }

    /// The users at the seats now. The watch is begun again if there was none: logind may have started later than
    /// this process.
    var seats: Seats {
        if seatWatch == nil { seatWatch = LoginRecord.watchSeats(in: directory) }
        return Seats(readingFrom: directory)
    }

    /// The users at the seats now, if that may have changed; else `nil`. The caller must apply it to every client.
    func seatsWhenChanged(_ polled: PollSet) -> Seats? {
        guard let seatWatch, let index, !polled.result(at: index).isEmpty else { return nil }
        // Drained before the files are read: a later change is reported again.
        _ = seatWatch.drain()
        return seats
    }
}
