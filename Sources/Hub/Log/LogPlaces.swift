import Glibc
import Linux

/// Which log it is, and where.
struct LogPlace: Sendable {
    var id = ""
    /// Its cluster: a standby has the same as its primary.
    var cluster = ""
    /// How often another server of the cluster has become the primary.
    var timeline = 0

    /// Why a primary is refused in whose place another one was seen; nil for any other.
    func refusal(of new: LogPlace) -> LogFailure? {
        guard new.cluster == cluster, new.timeline < timeline else { return nil }
        return LogFailure(
            "the server is an old primary (timeline \(new.timeline)), which another one (\(timeline)) has replaced",
            remedy: "Stop it, and take it out of --log: what is written there is lost.", passes: true)
    }
}

/// How far the rows of each hub were read, in a file beside the journal. Without it all are read again, which changes nothing.
struct LogPlaces {
    private let path: String
    private(set) var place = LogPlace()
    /// The highest number of each hub that is here; of this one, that is in the log.
    var hubs: [String: Int64] = [:]

    init(directory: String) {
        path = "\(directory)/hub-log"
        guard let text = try? TextFile(path: path, name: path).text else { return }
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words.count == 4, words[0] == "log" {
                place = LogPlace(id: words[1], cluster: words[2], timeline: Int(words[3]) ?? 0)
            } else if words.count == 2 {
                hubs[words[0]] = Int64(words[1])
            }
        }
    }

    /// Compares the log with the one of last time.
    ///
    /// - returns: What the user should know.
    mutating func open(_ new: LogPlace, _ hub: String, known: Int64) -> String? {
        let old = place
        place = new
        if old.id != new.id {
            hubs = [:]
            return old.id.isEmpty ? nil : "it is another log than before: it gets all rows of this journal"
        }
        let before = hubs[hub] ?? 0
        return known < before
            ? "the log has lost rows that it had confirmed, \(before - known) at most: they are put there again"
            : nil
    }

    func save() {
        let lines =
            ["log \(place.id) \(place.cluster) \(place.timeline)"]
            + hubs.sorted { $0.key < $1.key }.map { "\($0) \($1)" }
        do throws(SystemCallError) {
            try TextFile.replace(path, by: lines.joined(separator: "\n") + "\n", isDurable: false)
        } catch { Output.complain(ProgramError("\(path): \(error.reason)", status: EX_IOERR)) }
    }
}
