import Glibc
import Linux
import NIOCore
import TestSupport
import Testing

@testable import Hub

/// The hub as a client of a real broker.
@Suite struct BrokerTests {
    private static let adapters = "use = [\"tasmota\", \"zigbee-button\", \"zigbee-door\"]\n"
    private static let press = "{\"action\":\"1_single\"}"

    /// A hub that is connected to the broker.
    private func hub(
        _ broker: TestBroker, _ options: [String] = [], url: String? = nil, adapters: String = Self.adapters
    ) throws -> TestHub {
        let hub = try TestHub(
            ["--location", "Hall", "--mqtt", url ?? broker.url] + options,
            files: ["hub-adapters.toml": adapters])
        try hub.awaitMetric("broker_connected", 1)
        return hub
    }

    @Test func `What devices send counts once, and what they send while the hub is away too`() throws {
        let broker = try TestBroker()
        let hub = try hub(broker)
        for total in [100, 103] { try broker.publish("tele/door/SENSOR", "{\"COUNTER\":{\"C1\":\(total)}}") }
        try broker.publish("zigbee2mqtt/button", Self.press)
        try broker.publish("zigbee2mqtt/other", Self.press, "-r")
        try broker.publish("elsewhere", "{}")
        try hub.awaitCount(5)
        try hub.program.signal(SIGKILL)
        for _ in 0..<3 { try broker.publish("zigbee2mqtt/button", Self.press) }
        try broker.publish("tele/door/SENSOR", "{\"COUNTER\":{\"C1\":104}}")
        try hub.restart()
        // What is retained comes again, and counts nothing.
        try hub.awaitCount(9)
        try broker.publish("zigbee2mqtt/button", Self.press)
        try hub.awaitCount(10)
        #expect(try hub.place.verify().status == .exited(0))
    }

    @Test func `Killed at any step of a message, it counts once, though it is delivered again`() throws {
        let broker = try TestBroker()
        let hub = try hub(broker)
        let folder = try ScratchFolder()
        let trace = folder.path(of: "trace")
        var sent = 0
        // Presses the button while strace looks at the hub's calls of the kernel.
        func press(_ options: String...) throws -> ChildProcess {
            sent += 1
            let tracer = try hub.tracer(to: trace, options)
            try broker.publish("zigbee2mqtt/button", Self.press)
            return tracer
        }
        let first = try press()
        try hub.awaitCount(1)
        try eventually("the acknowledgement") {
            try TextFile(path: trace, name: "trace").text.contains(/"@\\2\\0/)
        }
        first.end()
        let calls = try TestHub.calls(in: trace)
        var steps = Array(stride(from: 0, to: calls.count, by: Volume.of(sample: 4, full: 1)))
        // The last is the acknowledgement: what is killed before it is stored, and comes again.
        let acknowledgement = try #require(calls.lastIndex { $0.hasPrefix("write") || $0.hasPrefix("send") })
        steps = steps.filter { $0 < acknowledgement } + [acknowledgement]
        var stored = 0
        for step in steps {
            let number = calls[...step].count(where: { $0 == calls[step] })
            let tracer = try press("-e", "inject=\(calls[step]):signal=KILL:when=\(number)")
            try eventually("the end of the hub, or the count") {
                try !hub.program.process.isAlive || hub.count() == "\(sent)"
            }
            if try hub.count() == "\(sent)" { stored += 1 }
            tracer.end()
            try hub.restart()
            // It comes after what is delivered again.
            sent += 1
            try broker.publish("zigbee2mqtt/other", Self.press)
            try hub.awaitCount(sent)
        }
        #expect(stored > 0 && stored < steps.count)
        #expect(try hub.place.verify().status == .exited(0))
    }

    @Test func `A broker that is away is told once, and reached again`() throws {
        let broker = try TestBroker()
        let hub = try hub(broker)
        broker.stop()
        try hub.awaitMetric("broker_connected", 0)
        try broker.restart()
        try hub.awaitMetric("broker_connected", 1)
        try broker.publish("zigbee2mqtt/button", Self.press)
        try hub.awaitCount(1)
        let said = try hub.saidAtEnd()
        #expect(said.count { $0.contains("the connection has ended. It is tried again") } == 1)
        #expect(said.count { $0.contains("\(broker.url): connected") } == 2)
    }

    @Test func `A device is there until it says that it goes, or has said nothing for too long`() throws {
        let broker = try TestBroker()
        let hub = try hub(
            broker,
            adapters: """
                use = ["zigbee-button"]
                [adapter.meter]
                topic = "meter/{device}"
                in = "."
                format = "plain"
                mode = "cumulative"
                every = "1s"
                """)
        func state(_ device: String) throws -> String {
            let lines = try hub.place.run("devices", "--json").output.split(separator: "\n")
            let line = lines.first { $0.contains("\"deviceId\":\"\(device)\"") }
            return line?.firstMatch(of: /"state":"(\w+)"/).map { String($0.1) } ?? "unknown"
        }
        func awaitState(_ device: String, _ expected: String) throws {
            try eventually("\(device) \(expected)", last: { (try? state(device)) ?? "" }) {
                try state(device) == expected
            }
        }
        // A lamp has the same topics, and never counts.
        try broker.publish("zigbee2mqtt/lamp/availability", "online", "-r")
        try broker.publish("zigbee2mqtt/button/availability", "online", "-r")
        try broker.publish("zigbee2mqtt/button", Self.press)
        try awaitState("zigbee-button:button", "connected")
        try broker.publish("zigbee2mqtt/silent", Self.press)
        try awaitState("zigbee-button:silent", "connected")
        try hub.restart()
        try awaitState("zigbee-button:button", "connected")
        try awaitState("zigbee-button:silent", "connected")
        #expect(try state("zigbee-button:lamp") == "unknown")
        try broker.publish("zigbee2mqtt/button/availability", "offline", "-r")
        try awaitState("zigbee-button:button", "away")
        try broker.publish("meter/door", "4")
        try awaitState("meter:door", "connected")
        try awaitState("meter:door", "away")
    }

    @Test func `What cannot be stored is not acknowledged, and counts when it can`() throws {
        let broker = try TestBroker()
        let hub = try hub(broker)
        let database = try RawDatabase(hub.place.directory + "/journal.sqlite")
        try database.execute("BEGIN IMMEDIATE")
        try broker.publish("zigbee2mqtt/button", Self.press)
        try eventually("an attempt to store it") { try hub.metric("failed_deliveries_total") ?? 0 > 0 }
        #expect(try hub.count() == "0")
        try database.execute("ROLLBACK")
        try hub.awaitCount(1)
    }

    @Test func `Home Assistant finds each location, follows its count, and sees the hub go`() throws {
        let broker = try TestBroker()
        let reader = try ChildProcess(
            ["mosquitto_sub", "-v", "-p", "\(broker.port)", "-t", "homeassistant/#", "-t", "counter/#"])
        func next(_ words: String...) throws -> String {
            while let line = try reader.readLine() {
                if words.allSatisfy(line.contains) { return line }
            }
            throw SupportError.refused(by: "mosquitto_sub", why: "it has ended")
        }
        let hub = try hub(broker, ["--home-assistant", "--stale-after", "1s"])
        let config = try next("homeassistant/sensor/", "Hall count")
        #expect(config.contains("\"value_template\":\"{{ value_json.count }}\""))
        let topic = try #require(config.firstMatch(of: /"state_topic":"([^"]*)"/)).1
        #expect(try next(String(topic) + " ").contains("\"count\":0"))
        try hub.place.run("add", "3", "--location", "Hall")
        #expect(try next(String(topic) + " ").contains("\"count\":3"))
        // A device that has said nothing for too long changes no row.
        try broker.publish("zigbee2mqtt/button", Self.press)
        try broker.publish("zigbee2mqtt/button/availability", "offline")
        _ = try next(String(topic) + " ", #""staleDevices":["zigbee-button:button"]"#)
        try broker.publish("zigbee2mqtt/button/availability", "online")
        _ = try next(String(topic) + " ", #""staleDevices":[]"#)
        try hub.place.run("location", "add", "Roof")
        _ = try next("Roof-count/config {")
        try hub.place.run("location", "hide", "Roof", "--yes")
        // What is retained is removed by a message without a payload.
        _ = try next("Roof-count/config (null)")
        // Home Assistant complains of an empty state while it still has the sensors.
        _ = try next("/Roof (null)")
        try hub.place.run("location", "add", "Loft")
        _ = try next("Loft-count/config {")
        try hub.program.signal(SIGKILL)
        _ = try next("/status offline")
        try hub.place.run("location", "hide", "Loft", "--yes")
        try hub.restart()
        _ = try next("/status online")
        _ = try next("Loft-count/config (null)")
        try hub.program.signal(SIGTERM)
        _ = try next("/status offline")
    }

    @Test func `With TLS and a password, and told what is wrong with them`() throws {
        let folder = try ScratchFolder()
        _ = try TestHub.certificate(in: folder, "127.0.0.1")
        let certificate = folder.path(of: "hub-certificate.pem")
        _ = try ChildProcess.run(
            ["mosquitto_passwd", "-b", "-c", folder.path(of: "users"), "counter", "secret"])
        let broker = try TestBroker(
            """
            allow_anonymous false
            password_file \(folder.path)/users
            certfile \(certificate)
            keyfile \(folder.path)/hub-key.pem
            """, in: folder)
        try folder.write("password", "secret\nand more\n")
        try folder.write("wrong", "secrets")
        let url = "mqtts://counter@127.0.0.1:\(broker.port)"
        _ = try hub(
            broker, ["--mqtt-ca", certificate, "--mqtt-password-file", folder.path(of: "password")], url: url)
        func told(_ url: String, _ options: [String]) throws -> String {
            try TestHub(["--mqtt", url] + options).said(upTo: "It is tried again").last ?? ""
        }
        let wrong = ["--mqtt-ca", certificate, "--mqtt-password-file", folder.path(of: "wrong")]
        #expect(try told(url, wrong).contains("it refuses the user or the password"))
        #expect(try told(url, []).contains("Where its certificate is of one's own: --mqtt-ca FILE"))
        #expect(
            try told("mqtt://127.0.0.1:\(broker.port)", []).contains(" TLS"))
        #expect(try told("mqtt://127.0.0.1:1", []).contains("Connection refused"))
        #expect(try told("mqtt://none.invalid", []).contains("there is no machine of this name"))
    }
}

/// What a broker sends, and what is none.
@Suite struct BrokerPacketTests {
    private typealias Publication = BrokerPacket.Publication

    private static let stream: [UInt8] =
        [0x20, 2, 1, 0, 0x90, 4, 0, 1, 1, 0x80, 0x32, 6, 0, 1, 0x61, 0, 7, 0x62, 0x3B, 5, 0, 1, 0x61, 0, 8]
        + [0x31, 3, 0, 1, 0x61, 0xD0, 0, 0x40, 2, 0, 9, 0xB0, 2, 0, 2]

    private static let packets: [BrokerPacket] = [
        .accepted(hasSession: true), .subscribed([1, 0x80]),
        .publish(Publication(topic: "a", payload: [0x62], packet: 7)),
        .publish(Publication(topic: "a", payload: [], packet: 8, isRetained: true, isRedelivered: true)),
        .publish(Publication(topic: "a", payload: [], packet: nil, isRetained: true)), .pong,
        .acknowledged(9), .unsubscribed,
    ]

    private func packets(_ pieces: [ArraySlice<UInt8>]) throws -> [BrokerPacket] {
        var (decoder, buffer, packets) = (BrokerPacketDecoder(), ByteBuffer(), [BrokerPacket]())
        for piece in pieces {
            buffer.writeBytes(piece)
            while let packet = try decoder.next(&buffer) { packets.append(packet) }
        }
        return packets
    }

    @Test func `Packets are the same however their bytes come`() throws {
        for cut in 0...Self.stream.count {
            #expect(try packets([Self.stream[..<cut], Self.stream[cut...]]) == Self.packets)
        }
        #expect(try packets(Self.stream.indices.map { Self.stream[$0...$0] }) == Self.packets)
    }

    @Test func `A message that is too long is passed on without its payload`() throws {
        let size = 8 << 20
        let length = size + 5
        let head: [UInt8] = [0x32] + (0..<4).map { UInt8(length >> (7 * $0) & 0x7F) | ($0 < 3 ? 0x80 : 0) }
        let long = head + [0, 1, 0x61, 0, 7] + [UInt8](repeating: 1, count: size)
        let pieces = [long[..<70_000], long[70_000...], Self.stream[...]]
        let expected: BrokerPacket = .publish(Publication(topic: "a", payload: nil, packet: 7))
        #expect(try packets(pieces) == [expected] + Self.packets)
    }

    @Test(
        arguments: [
            [0x20, 1, 0], [0x20, 3, 0, 0, 0], [0x34, 4, 0, 1, 0x61, 0], [0x30, 3, 0, 2, 0x61],
            [0x30, 3, 0, 1, 0xFF],
            [0x30, 3, 0, 1, 0], [0x10, 0], [0x00, 0], [0x30, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F],
            [0x20, 0xFF, 0xFF, 0xFF, 0x7F],
        ] as [[UInt8]])
    func `What is no packet ends the connection`(bytes: [UInt8]) {
        #expect(throws: MQTTError.self) { try packets([bytes[...]]) }
    }

    @Test func `Whatever comes, nothing is taken that is not there`() throws {
        var generator = SplitMix64(seed: 28)
        for _ in 0..<Volume.of(sample: 20_000, full: 1_000_000) {
            var bytes = Self.stream
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            let found = (try? packets([bytes[...]])) ?? []
            #expect(found.count <= bytes.count / 2)
        }
    }

    @Test func `Packets of the hub are those of the standard`() {
        let connect = ClientPacket.connect(client: "c", user: "u", password: "p", will: nil).bytes
        #expect(
            connect == [0x10, 19, 0, 4] + Array("MQTT".utf8) + [
                4, 0xC0, 4, 0xB0, 0, 1, 0x63, 0, 1, 0x75, 0, 1, 0x70,
            ])
        #expect(ClientPacket.subscribe(["a/+"]).bytes == [0x82, 8, 0, 1, 0, 3, 0x61, 0x2F, 0x2B, 1])
        #expect(ClientPacket.unsubscribe(["a/+"]).bytes == [0xA2, 7, 0, 2, 0, 3, 0x61, 0x2F, 0x2B])
        #expect(ClientPacket.acknowledge(258).bytes == [0x40, 2, 1, 2])
        let long = ClientPacket.publish(topic: "t", payload: String(repeating: "x", count: 200)).bytes
        #expect(long.prefix(6) == [0x31, 0xCB, 1, 0, 1, 0x74] && long.count == 206)
    }
}
