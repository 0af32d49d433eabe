import Alarms
import Glibc
import TestSupport
import Testing

/// The program among servers that keep to no protocol: it does its own work, rests afterwards, and keeps no descriptor.
@Suite struct HostileServersTests {
    private enum Kind: String, CaseIterable {
        case bus, sound, speech, ringer

        /// What a server of this kind may send, so that a conversation begins before it goes wrong.
        var texts: [[UInt8]] {
            switch self {
            case .bus:
                [
                    "OK 0123456789abcdef0123456789abcdef\r\n", "REJECTED EXTERNAL\r\n", "DATA\r\nERROR\r\n",
                    "\0\r\n",
                ]
                .map { Array($0.utf8) } + [Self.startedBus]
            case .sound:
                [Self.soundEvent, [UInt8](repeating: 0, count: 20), Self.soundHeader(length: 16 << 20)]
            case .speech:
                [
                    "208 OK SET\r\n", "230 OK RECEIVING DATA\r\n225-1\r\n225 OK\r\n", "702-1\r\n702 END\r\n",
                    "208-\r\n", ".\u{301}\r\n",
                ].map { Array($0.utf8) }
            case .ringer:
                [
                    "counter-ringer 1\n", "counter-ringer 1\ntaken\n", "taken\n", "missing sound none\n",
                    "counter-ringer 1\nmissing notifications \u{301}\n",
                    "counter-ringer 99999999999999999999\n",
                ].map { Array($0.utf8) }
            }
        }

        /// The bus accepts the connection, and answers the first call with a number that nobody has asked for.
        private static let startedBus =
            Array("OK 0123456789abcdef0123456789abcdef\r\nAGREE_UNIX_FD\r\n".utf8)
            + [0x6C, 2, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 5, 1, 0x75, 0, 99, 0, 0, 0]

        /// PulseAudio's native protocol: the header of a packet, and one with PA_COMMAND_SUBSCRIBE_EVENT, which may come at any time.
        private static func soundHeader(length: UInt32) -> [UInt8] {
            [length, .max, 0, 0, 0].flatMap { number in
                (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
            }
        }
        private static let soundEvent =
            soundHeader(length: 20)
            + [66, .max, 0, 1].flatMap { (number: UInt32) in
                [0x4C] + (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
            }

        /// What a server of this kind does; where there is a real one, perhaps what that does at first.
        func conduct(_ random: inout SplitMix64, real: String?) -> HostileServer.Conduct {
            let text = random.element(of: texts)
            if let real, random.below(3) == 0 {
                return .relays(
                    to: real, bytes: random.below(1 << random.below(13)), closes: random.below(2) == 0)
            }
            return switch random.below(8) {
            case 0: .acceptsNone
            case 1: .isDeaf
            case 2: .isSilent
            case 3, 4: .floods(with: text)
            case 5: .sends(Array(text.prefix(random.below(text.count) + 1)))
            case 6: .sendsGarbage(seed: random.next())
            default: .closes(after: random.below(6), answering: text)
            }
        }
    }

    /// Of every second seed the ringer is hostile too.
    @Test(arguments: Volume.of(sample: 4, full: 1...60))
    func `Presses count, commands and alarms come, and nothing spins or leaks`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        let folder = try ScratchFolder()
        let place = try Self.workplace(folder, &random)
        var conducts: [Kind: HostileServer.Conduct] = [:]
        var servers: [HostileServer] = []
        defer { for server in servers { server.end() } }
        let sink = try SoundSink()
        let desktop = try TestDesktop()
        let speechFolder = try ScratchFolder()
        let speech = try speechServer(in: speechFolder)
        defer { speech.end() }
        let real: [Kind: String?] = [
            .bus: Self.path(desktop.environment["DBUS_SESSION_BUS_ADDRESS"]),
            .sound: Self.path(sink.server), .speech: speechSocket(in: speechFolder),
        ]
        for kind in Kind.allCases where kind != .ringer || seed.isMultiple(of: 2) {
            let conduct = kind.conduct(&random, real: real[kind] ?? nil)
            conducts[kind] = conduct
            // The directory of the journal has to be there.
            let name = kind == .ringer ? RingerPlace(journal: place.directory)?.name : nil
            let path = name.map { "counter/ringer-\($0).socket" } ?? kind.rawValue
            mkdir(folder.path(of: "counter"), 0o700)
            servers.append(try HostileServer(folder.path(of: path), conduct))
        }
        let terminal = try place.opened(["--sound", "all", "--speech", "each"])
        var before: [String] = []
        for count in 1...5 {
            try terminal.type("+")
            try terminal.waitForText("Count \(count)")
            // Not before the first count: the screen may be there sooner than what it waits for.
            if count == 1 { before = try terminal.process.openFiles }
        }
        #expect(try place.run("timer", "start", "1s", "Robins").status == .exited(0))
        try terminal.waitForText("Robins ended")
        try terminal.type("+")
        try terminal.waitForText("Count 6")
        _ = try place.run("doctor", "--sound", "all", "--speech", "each")
        try terminal.sendKey("Enter")
        try terminal.waitForScreen("no alarm") { !$0.description.contains("Robins ended") }
        try eventually("the programs to rest, with \(conducts)") {
            let programs = try [terminal.process] + (place.ringer.map { [$0] } ?? [])
            let used = programs.map(\.processorTime)
            pause(.seconds(1))
            return zip(programs, used).allSatisfy { $0.processorTime - $1 < .milliseconds(200) }
        }
        // The connection to a ringer, and what it has started.
        var files: (counter: [String], ringer: [String]) = ([], [])
        try eventually(
            "the descriptors to be closed, with \(conducts)", last: { "\(files), first \(before)" }
        ) {
            files = try (terminal.process.openFiles, place.ringer?.openFiles ?? [])
            return files.counter.count <= before.count + 4 && files.ringer.count < 40
        }
        try terminal.type("q")
        #expect(try terminal.waitForExit() == .exited(0))
        try eventually("the ringer to end, with \(conducts)") { try place.ringer == nil }
        #expect(try place.show() == "6")
    }

    /// The path in the address of a server.
    private static func path(_ address: String??) -> String? {
        (address ?? nil).flatMap { address in address.firstIndex(of: "/").map { String(address[$0...]) } }
    }

    private static func workplace(_ folder: ScratchFolder, _ random: inout SplitMix64) throws -> Workplace {
        try folder.script("bin/speech-dispatcher", "exit 1")
        try folder.script(
            "bin/aplay", random.element(of: ["exit 0", "exit 1", "exec sleep 1000", "exec cat"]))
        return try Workplace.among(serversIn: folder)
    }
}
