import NIOHTTP1
import Transfer

/// What the hub has done since its start, in the text format of Prometheus.
final class Metrics {
    var connections = 0, refusedConnections = 0, timeouts = 0, slowReaders = 0, wrongTokens = 0
    var abandonedLines = 0, failedDeliveries = 0, syncedRows = 0
    private var answers: [UInt: Int] = [:]

    func note(_ status: Status) { answers[status.code, default: 0] += 1 }

    /// The text, with what the server has open.
    func text(_ server: HubServer) -> String {
        var text = ""
        func family(_ name: String, _ help: String, _ samples: [(label: String, value: Int)]) {
            let type = name.hasSuffix("_total") ? "counter" : "gauge"
            text += "# HELP counter_hub_\(name) \(help)\n# TYPE counter_hub_\(name) \(type)\n"
            for (label, value) in samples { text += "counter_hub_\(name)\(label) \(value)\n" }
        }
        func metric(_ name: String, _ help: String, _ value: Int) { family(name, help, [("", value)]) }
        family(
            "answers_total", "Answered requests by status.",
            answers.sorted { $0.key < $1.key }.map { ("{status=\"\($0.key)\"}", $0.value) })
        family(
            "lines_total", "Lines of events and rows by result.",
            ["accepted", "duplicate", "conflict", "ignored", "refused"].map {
                ("{result=\"\($0)\"}", server.session.results[$0] ?? 0)
            })
        metric("abandoned_lines_total", "Lines that could not be stored and got no answer.", abandonedLines)
        metric("connections_total", "Accepted connections.", connections)
        metric("connections_refused_total", "Connections beyond a limit.", refusedConnections)
        metric("timeouts_total", "Connections closed at a deadline.", timeouts)
        metric("slow_readers_total", "Readers of /v1/live that were cut off.", slowReaders)
        metric("wrong_tokens_total", "Requests with a token that is not valid.", wrongTokens)
        metric("synced_rows_total", "Rows that came by /v1/sync.", syncedRows)
        metric("connections", "Open connections.", server.gate.count)
        metric("live_readers", "Open connections to /v1/live.", server.live.count)
        metric("websockets", "Open WebSockets.", server.sockets)
        metric(
            "failed_deliveries_total", "Attempts to store messages of devices that failed.", failedDeliveries)
        if let broker = server.broker {
            metric("broker_connected", "Whether the broker is connected.", broker.isConnected ? 1 : 0)
        }
        if let log = server.log {
            metric("log_connected", "Whether rows can be put into PostgreSQL.", log.isReady ? 1 : 0)
            metric("log_waiting", "Answers that wait for PostgreSQL.", log.waitingAnswers)
            metric("log_rows_total", "Rows that were put into PostgreSQL.", log.rowsSent)
            metric("log_taken_rows_total", "Rows of other hubs that came from PostgreSQL.", log.rowsTaken)
            metric("log_conflicts_total", "Rows in whose place PostgreSQL has others.", log.conflicts)
        }
        metric("syncs", "Open connections of counter sync.", server.syncs.count)
        return text
    }
}
