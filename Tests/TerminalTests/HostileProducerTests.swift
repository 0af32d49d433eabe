import Glibc
import TestSupport
import Testing

/// A hostile producer at the socket of `counter ingest` harms no other.
@Suite final class HostileProducerTests: NewPlace {
    /// The kinds of hostile producers: what each sends at first, and then again and again.
    enum Manner: CaseIterable {
        case stopsInTheMiddleOfALine, neverReads, sendsGarbage, sendsNoEndOfLine, sendsZeros, closesAtOnce
        case sendsBlankLines, sendsBrokenText, connectsAgainAndAgain
    }

    @Test(arguments: Manner.allCases)
    func `Another one counts on, in bounded memory`(manner: Manner) throws {
        let (program, path) = try place.ingestAtSocket()
        let honest = try SocketClient(path)
        var hostile = [try SocketClient(path)]
        for round in 1...10 {
            // 8 MiB in all, from producers that are accepted.
            for _ in 0..<12 { try misbehave(manner, &hostile, path, round) }
            let answer = try honest.answer(to: event(round, device: "honest"))
            #expect(answer.contains("\"line\":\(round),\"result\":\"accepted\""))
        }
        #expect(program.process.residentBytes < 100 << 20)
        #expect(try place.counts(of: "honest") == 10)
        withExtendedLifetime(hostile) {}
        try program.terminate()
        #expect(try place.verify().status == .exited(0))
    }

    private func misbehave(
        _ manner: Manner, _ clients: inout [SocketClient], _ path: String, _ round: Int
    ) throws {
        let piece: [UInt8]
        switch manner {
        case .stopsInTheMiddleOfALine: piece = Array(event(round).utf8.prefix(30))
        case .neverReads: piece = Array(String(repeating: event(1) + "\n", count: 800).utf8)
        case .sendsGarbage:
            var random = SplitMix64(seed: UInt64(round))
            piece = (0..<65_536).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        case .sendsNoEndOfLine: piece = [UInt8](repeating: UInt8(ascii: "a"), count: 65_536)
        case .sendsZeros: piece = [UInt8](repeating: 0, count: 65_535) + [0xA]
        case .sendsBlankLines: piece = [UInt8](repeating: 0xA, count: 65_536)
        case .sendsBrokenText:
            piece = Array("{\"timestamp\":\"\u{E9}\",\"deviceId\":\"".utf8) + [0xFF, 0xC0, 0x22, 0x7D, 0xA]
        case .closesAtOnce, .connectsAgainAndAgain:
            clients = [try SocketClient(path)]
            piece = manner == .closesAtOnce ? Array((event(1) + "\n").utf8) : []
        }
        if !piece.isEmpty { _ = try clients.last?.sendNow(piece[...]) }
    }

    @Test func `A line that is too long is refused once, and the next one counts`() throws {
        let (program, path) = try place.ingestAtSocket()
        defer { program.end() }
        let client = try SocketClient(path)
        try client.send(String(repeating: "a", count: 100_000))
        #expect(
            try client.readLine() == #"{"line":1,"result":"refused","why":"is longer than 16384 bytes"}"#)
        try client.send(String(repeating: "b", count: 100_000) + "\n" + event(1) + "\n")
        #expect(try client.readLine() == #"{"line":2,"result":"accepted","position":1}"#)
    }

    @Test func `A line may be 16384 bytes long, and no longer`() throws {
        let line = event(1)
        let longest = line + String(repeating: " ", count: 16_384 - line.utf8.count)
        let outcome = try place.run("ingest", input: "\(longest)\n\(longest) \n")
        let answers = outcome.output.split(separator: "\n")
        #expect(answers.map { $0.contains("accepted") } == [true, false])
        #expect(answers.last?.contains("is longer than 16384 bytes") == true)
    }

    @Test func `What was sent before a close counts, and what was not finished does not`() throws {
        let (program, path) = try place.ingestAtSocket()
        var client: SocketClient? = try SocketClient(path)
        try client?.send((1...50).map { event($0) + "\n" }.joined() + event(51).dropLast(5))
        client = nil
        try eventually("50 counts") { try place.show() == "50" }
        #expect(program.process.isAlive)
    }

    @Test func `One that reads slowly is answered all the same, in order`() throws {
        let (program, path) = try place.ingestAtSocket()
        defer { program.end() }
        let client = try SocketClient(path)
        let lines = Array(String(repeating: event(1) + "\n", count: 20_000).utf8)
        // It sends until its socket is full: by then its answers exceed every buffer.
        var sent = 0
        try eventually("it to be held up") {
            let count = try client.sendNow(lines[sent...])
            sent += count
            return count == 0
        }
        #expect(sent < lines.count)
        var answered = 0
        try eventually("all answers", timeout: .seconds(60), poll: .milliseconds(1), last: { "\(answered)" })
        {
            sent += try client.sendNow(lines[sent...])
            while let answer = try client.nextLine() {
                answered += 1
                try #require(answer.hasPrefix("{\"line\":\(answered),\"result\":\"accepted\""))
            }
            return answered == 20_000
        }
        #expect(try place.show() == "20000")
    }

    @Test func `Without descriptors it rests, and accepts again when there is one`() throws {
        let (program, path) = try place.ingestAtSocket()
        try program.process.limitDescriptors(to: RunningProcess.fewerThanInUse)
        let client = try SocketClient(path)
        try client.send(event(1) + "\n")
        try eventually("it to rest") {
            let before = program.process.processorTime
            pause(.seconds(1))
            return program.process.processorTime - before < .milliseconds(30)
        }
        #expect(try client.nextLine() == nil && program.process.isAlive)
        try program.process.limitDescriptors(to: 1024)
        #expect(try client.readLine() == #"{"line":1,"result":"accepted","position":1}"#)
    }

    @Test func `The connection that was silent for longest makes room for one more`() throws {
        let (program, path) = try place.ingestAtSocket()
        let honest = try SocketClient(path)
        let idle = try (0..<127).map { _ in try SocketClient(path) }
        // Some stop within a line, some do not read their answers.
        for (number, client) in idle.enumerated() where number % 3 > 0 {
            _ = try client.sendNow(Array((number % 3 == 1 ? "{" : event(1) + "\n").utf8)[...])
        }
        // Connections are accepted in their order: once the last is answered, all are.
        for client in [idle[126], honest] {
            #expect(try client.answer(to: event(1, device: "honest")).contains("accepted"))
        }
        var more: [SocketClient] = []
        for number in 0..<40 {
            let client = try SocketClient(path)
            #expect(try client.answer(to: event(1, device: "late-\(number)")).contains("accepted"))
            more.append(client)
        }
        #expect(try idle[0].readLine() == nil, "closed")
        let second = try honest.answer(to: event(2, device: "honest"))
        #expect(second.contains("\"line\":2,\"result\":\"accepted\""))
        #expect(try program.readErrorLine()?.contains("more than 128 connections") == true)
    }

    @Test(.asRoot)
    func `Whoever has most connections makes room, so no user or process keeps another out`() throws {
        let (program, path) = try place.ingestAtSocket()
        defer { program.end() }
        chmod(place.directory, 0o755)
        chmod(path, 0o666)
        let quiet = try SocketClient(path)
        #expect(try quiet.answer(to: event(1, device: "quiet")).contains("accepted"))
        let flood = """
            import socket, sys
            held = []
            for number in range(300):
                held.append(socket.socket(socket.AF_UNIX))
                held[-1].connect(sys.argv[1])
            print("connected", flush=True)
            sys.stdin.read()
            """
        for prefix in [asNobody, []] {
            let hostile = try ChildProcess(
                prefix + ["python3", "-c", flood, path], environment: ["PATH": "/usr/bin:/bin"])
            #expect(try hostile.readLine() == "connected")
            let late = try SocketClient(path)
            for client in [quiet, late] {
                #expect(try client.answer(to: event(2, device: "quiet")).contains("accepted"))
            }
        }
    }

    @Test func `An input that cannot be read is an error, and no end`() throws {
        expectFailure(
            try place.run(script: "exec \"$0\" ingest < /"), 74,
            "standard input: cannot be read: Is a directory")
    }

    @Test func `At rest it sleeps, with connections open`() throws {
        let (program, path) = try place.ingestAtSocket()
        let clients = try (1...3).map { _ in try SocketClient(path) }
        try clients[0].answer(to: event(1))
        try clients[1].send("half a line")
        // After a write, the program checks the journal for three seconds.
        try eventually("two seconds of rest") {
            let before = program.process.contextSwitches
            pause(.seconds(2))
            return program.process.contextSwitches == before
        }
        #expect(program.process.isAlive)
        withExtendedLifetime(clients) {}
    }
}

extension Workplace {
    /// How many entries of a device count.
    fileprivate func counts(of device: String) throws -> Int {
        try exported().count { $0.contains(",\(device),") }
    }
}
