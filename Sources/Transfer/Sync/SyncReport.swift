import CounterModel
package import CounterStore
import Glibc
package import Linux

/// Writes what screens and commands say of a connection.
package final class SyncReport {
    /// How long rows may travel before that is written again.
    private let pause: Duration

    private let directory: String
    /// As the user has named it; nil for one that has reached this machine.
    private let peer: String?
    private var status: SyncStatus?
    private var written: MonotonicTime?

    package init(_ journal: SQLiteJournal, peer: String? = nil, pause: Duration = .seconds(1)) {
        (directory, self.peer, self.pause) = (journal.directory, peer, pause)
        status = peer.map { SyncStatus(of: $0, in: directory) }
    }

    /// How it is called in messages.
    package var name: String { status?.name ?? "" }

    /// Writes what has changed. Returns when it is to be called again for what has not been written.
    package func note(_ session: SyncSession) -> MonotonicTime? {
        guard let known = status ?? session.peer.map({ SyncStatus(of: $0.name, in: directory) }) else {
            return nil
        }
        var new = known
        new.machine = session.peer?.name ?? known.machine
        new.journal = session.peer?.journalId ?? known.journal
        new.isConnected = session.isLive
        new.lastContact = session.lastContact ?? known.lastContact
        (new.notices, new.secondsAhead) = (session.notices, session.secondsAhead)
        new.offers = session.peerShares ?? known.offers
        if session.isLive {
            (new.acknowledged, new.why, new.remedy, new.forkedAt) = (session.acknowledged, nil, nil, nil)
        }
        if new == status { return nil }
        let isUrgent = new.isConnected != status?.isConnected || new.notices != status?.notices
        if let written, !isUrgent, .now < written + pause { return written + pause }
        if peer != nil {
            for notice in new.notices where !known.notices.contains(notice) {
                Output.complain(ProgramError(notice, status: EX_OK))
            }
        }
        write(new)
        return nil
    }

    /// The connection has ended, or there was none.
    package func end(_ session: SyncSession? = nil, _ error: (any Error)? = nil) {
        let failure = error.map { ProgramError(ofSync: $0) }
        written = nil
        if let session { _ = note(session) }
        guard var new = status else { return }
        new.isConnected = false
        (new.why, new.remedy) = (failure?.message, failure?.remedy)
        new.forkedAt = (error as? SyncFork)?.at
        write(new)
    }

    private func write(_ new: SyncStatus) {
        new.write(at: Timestamp(microseconds: Clock.realtime.microseconds))
        (status, written) = (new, .now)
    }
}

extension SQLiteJournal {
    /// The name of the journal, or else of this machine, without its domain.
    package func nameOrHost() throws(JournalError) -> String {
        try name() ?? HostName.current?.split(separator: ".").first.map(String.init) ?? "localhost"
    }
}
