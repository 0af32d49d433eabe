import Foundation
import Glibc
import TestSupport
import Testing

/// `counter ingest`: events of devices, line by line, each answered once it is stored.
@Suite final class IngestTests: NewPlace {
    /// How many devices are connected.
    private static let open = "SELECT count(*) FROM presence WHERE until IS NULL"

    @Test func `Each line is told what became of it`() throws {
        let lines = [
            event(1, number: 1), event(2, number: 2), event(1, number: 1), event(9, number: 2), event(-3), "",
            event(3, location: "Cellar"), "no JSON", #"{"delta":1}"#,
            #"{"timestamp":"2026-01-14T13:03:59Z","delta":2,"deviceId":"door"}"#,
            #"{"timestamp":"yesterday","delta":1,"deviceId":"door"}"#,
            #"{"timestamp":"2026-01-14T13:03:59Z","delta":1}"#,
            #"{"timestamp":"2026-01-14T13:03:59Z","delta":"1","deviceId":"door"}"#,
            #"{"timestamp":"2026-01-14T13:03:59Z","delta":1,"deviceId":5}"#,
        ]
        let outcome = try place.run("ingest", input: lines.joined(separator: "\n"))
        #expect(
            outcome.output.split(separator: "\n").map(String.init) == [
                #"{"line":1,"result":"accepted","position":1}"#,
                #"{"line":2,"result":"accepted","position":2}"#,
                #"{"line":3,"result":"duplicate","position":1}"#,
                #"{"line":4,"result":"conflict","why":"the number is another event's: the device has started again","position":3,"epoch":1}"#,
                #"{"line":5,"result":"accepted","position":4}"#,
                #"{"line":7,"result":"refused","why":"there is no location with the id 'Cellar'; add it with: counter location add Cellar"}"#,
                #"{"line":8,"result":"refused","why":"is no JSON object (column 1)"}"#,
                #"{"line":9,"result":"refused","why":"deviceId is missing"}"#,
                #"{"line":10,"result":"refused","why":"delta is 1 or -1, not 2"}"#,
                #"{"line":11,"result":"refused","why":"timestamp 'yesterday' is no time such as 2026-01-14T13:03:59Z"}"#,
                #"{"line":12,"result":"refused","why":"deviceId is missing"}"#,
                #"{"line":13,"result":"refused","why":"delta is a number, without quotation marks"}"#,
                #"{"line":14,"result":"refused","why":"deviceId is a text, in quotation marks"}"#,
            ])
        #expect(outcome.status == .exited(65))
        #expect(try place.show() == "2")
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `Lines count where they say, else where their device is assigned, else where --location says`()
        throws
    {
        for name in ["Hall", "Gate", "Yard"] { try place.run("location", "add", name) }
        #expect(try place.run("ingest", input: event(1)).status == .exited(0))
        try place.run("device", "assign", "door", "Hall")
        let input = [event(2), event(3, location: "Gate"), event(4, device: "other")]
        let outcome = try place.run(
            "ingest", "--location", "Yard", input: input.joined(separator: "\n"))
        #expect(outcome.status == .exited(0))
        let note = #","note":"the device is not assigned: it counts in 'Yard'"}"#
        #expect(outcome.output.split(separator: "\n").map { $0.hasSuffix(note) } == [false, false, true])
        for name in ["default", "Hall", "Gate", "Yard"] {
            #expect(try place.location(name)["count"] as? Int == 1)
        }
        try place.run("device", "disable", "door")
        let refused = try place.run("ingest", input: event(5))
        #expect(
            refused.output
                == "{\"line\":1,\"result\":\"refused\",\"why\":\"the device 'door' is disabled\"}\n")
    }

    @Test func `What was answered is there after a kill`() throws {
        var before = 0
        for round in 1...8 {
            let program = try place.ingest()
            try program.write((0..<20).map { event(round * 100 + $0) + "\n" }.joined())
            let answered = try (1...(round * 2)).map { _ in try #require(try program.readLine()) }
            try program.signal(SIGKILL)
            try program.wait()
            #expect(answered.allSatisfy { $0.contains("accepted") })
            let kept = try #require(Int(try place.show()))
            #expect(kept - before >= answered.count)
            before = kept
        }
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `Nothing is answered before it is stored`() throws {
        try place.run("show")
        let program = try place.ingest()
        try program.write(event(1) + "\n")
        #expect(try program.readLine() == #"{"line":1,"result":"accepted","position":1}"#)
        let journal = try place.database()
        // The program may still be recording the device's presence.
        try eventually("the journal to be free") { (try? journal.execute("BEGIN IMMEDIATE")) != nil }
        try program.write(event(2) + "\n")
        #expect(throws: SupportError.self) { try program.readLine(timeout: .milliseconds(500)) }
        try journal.execute("COMMIT")
        #expect(try program.readLine() == #"{"line":2,"result":"accepted","position":2}"#)
    }

    @Test func `A device is connected while its connection is open, and only then`() throws {
        let (program, path) = try place.ingestAtSocket()
        defer { program.end() }
        let journal = try place.database()
        var clients = try (1...2).map { _ in try SocketClient(path) }
        for client in clients {
            try client.answer(to: event(1))
        }
        try eventually("the device to be connected") { try journal.number(Self.open) == 1 }
        clients.removeLast()
        // The producer has sent on the other connection too. The second answer comes after all that the first turn of
        // the loop did.
        for second in 2...3 {
            try clients[0].answer(to: event(second))
        }
        #expect(try journal.number(Self.open) == 1)
        clients = []
        try eventually("it to be gone") { try journal.number(Self.open) == 0 }
    }

    @Test func `A connection that ends while the journal is locked is recorded once it is free`() throws {
        let (program, path) = try place.ingestAtSocket()
        var client: SocketClient? = try SocketClient(path)
        try client?.answer(to: event(1))
        let journal = try place.database()
        try eventually("the device to be connected") { try journal.number(Self.open) == 1 }
        let descriptors = program.process.openDescriptors
        try journal.execute("BEGIN IMMEDIATE")
        client = nil
        try eventually("the connection to be closed") { program.process.openDescriptors < descriptors }
        // For 3 s after a write, it looks for commits of others, and would try again by that.
        pause(.seconds(4))
        #expect(try journal.number(Self.open) == 1)
        try journal.execute("COMMIT")
        try eventually("it to be gone") { try journal.number(Self.open) == 0 }
    }

    @Test func `However many producers send at once, a transaction has few rows, and each gets its turn`()
        throws
    {
        let (program, path) = try place.ingestAtSocket()
        defer { program.end() }
        let journal = try place.database()
        let first = try SocketClient(path)
        try journal.execute("BEGIN IMMEDIATE")
        // While this line waits for the lock, no others are read.
        try first.send(event(1) + "\n")
        let clients = try (0..<30).map { _ in try SocketClient(path) }
        for (number, client) in clients.enumerated() {
            try client.send((0..<700).map { event($0 % 60, device: "door-\(number)") + "\n" }.joined())
        }
        try journal.execute("COMMIT")
        _ = try first.readLine()
        for client in clients { for _ in 0..<700 { _ = try client.readLine() } }
        // The rows of a transaction have one time of receipt.
        let rows =
            "FROM (SELECT count(*) AS rows, count(DISTINCT deviceKey) AS devices FROM journal GROUP BY receivedAt)"
        #expect(try journal.number("SELECT max(rows) \(rows)") <= 2_000 + 31)
        #expect(try journal.number("SELECT max(devices) \(rows)") > 1)
        #expect(try journal.number("SELECT count(*) FROM journal") == 30 * 700 + 1)
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func `It ends well when it is asked to, and its socket goes`(signal: Int32) throws {
        let (program, path) = try place.ingestAtSocket()
        let client = try SocketClient(path)
        #expect(try client.answer(to: event(1)).contains("accepted"))
        try program.signal(signal)
        #expect(try program.wait() == .exited(0))
        #expect(try client.readLine() == nil)
        #expect(access(path, F_OK) != 0)
    }

    @Test func `A name after an @ is a file too, since any user may connect to an abstract one`() throws {
        let command = #"cd "$0" && exec "$1" ingest --socket @socket"#
        let program = try ChildProcess(
            ["sh", "-c", command, place.directory, BuiltProducts.counter], environment: place.environment)
        defer { program.end() }
        try eventually("the file") { access(place.directory + "/@socket", F_OK) == 0 }
    }

    @Test func `A socket that is in use, or cannot be, is named with the reason`() throws {
        let (program, path) = try place.ingestAtSocket()
        expectFailure(try place.run("ingest", "--socket", path), 69, "\(path): is already in use")
        expectFailure(
            try place.run("ingest", "--socket", "/nowhere/socket"), 73,
            "/nowhere/socket: No such file or directory", "Make its folder first.")
        try place.write("file", [])
        expectFailure(
            try place.run("ingest", "--socket", place.directory + "/file"), 73,
            "exists and is not a socket")
        expectFailure(
            try place.run("ingest", "--socket", "/" + String(repeating: "x", count: 107)), 73,
            "107 bytes at most")
        expectFailure(try place.run("ingest", "--socket", ""), 64, "--socket wants a path")
        try program.signal(SIGKILL)
        try program.wait()
        // What a kill leaves behind does not hinder the next start.
        let (next, _) = try place.ingestAtSocket()
        next.end()
    }
}

/// A count event, as a device writes it.
func event(_ second: Int, number: Int? = nil, device: String = "door", location: String? = nil) -> String {
    let time = String(format: "2026-01-14T13:%02d:%02dZ", abs(second) / 60 % 60, abs(second) % 60)
    let numbered = number.map { ",\"sequenceNumber\":\($0)" } ?? ""
    let located = location.map { ",\"locationId\":\"\($0)\"" } ?? ""
    let delta = second < 0 ? -1 : 1
    return "{\"timestamp\":\"\(time)\",\"delta\":\(delta),\"deviceId\":\"\(device)\"\(located)\(numbered)}"
}

extension Workplace {
    /// `counter ingest` on standard input.
    func ingest(_ options: [String] = []) throws -> ChildProcess {
        try start(["ingest"] + options)
    }

    /// `counter ingest` at a socket, once the socket exists.
    func ingestAtSocket() throws -> (ChildProcess, path: String) {
        let path = directory + "/ingest.socket"
        let program = try ingest(["--socket", path])
        try eventually("the socket") { (try? SocketClient(path)) != nil }
        return (program, path)
    }
}
