import TestSupport
import Testing

/// `GET /v1/ws`, frame by frame (RFC 6455).
@Suite final class WebSocketTests: HubSuite {
    /// A client of a WebSocket.
    final class Socket {
        private let client: SocketClient
        private var bytes: [UInt8] = []

        init(_ hub: TestHub, _ token: String, fields: String = "") throws {
            client = try hub.connect()
            try client.send(
                "GET /t/\(token)/v1/ws HTTP/1.1\r\nHost: hub:1\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(fields)\r\n"
            )
        }

        /// The head of the answer.
        func head() throws -> String { try client.take(past: "\r\n\r\n") }

        static func frame(_ opcode: UInt8, _ data: [UInt8], isLast: Bool = true) -> [UInt8] {
            let mask: [UInt8] = [1, 2, 3, 4]
            var frame = [opcode | (isLast ? 0x80 : 0)]
            if data.count < 126 {
                frame.append(UInt8(data.count) | 0x80)
            } else {
                frame += [126 | 0x80, UInt8(data.count >> 8), UInt8(data.count & 0xFF)]
            }
            return frame + mask + data.enumerated().map { $1 ^ mask[$0 % 4] }
        }

        func send(_ opcode: UInt8, _ data: [UInt8], isLast: Bool = true) throws {
            try client.send(Self.frame(opcode, data, isLast: isLast))
        }

        func send(text: String) throws { try send(1, Array(text.utf8)) }

        func send(raw: [UInt8]) throws { try client.send(raw) }

        /// The next frame: its first byte and its data.
        func next() throws -> (first: UInt8, data: [UInt8]) {
            try eventualValue("a frame") {
                bytes += try client.takeAll()
                guard bytes.count >= 2 else { return nil }
                let isLong = bytes[1] == 126
                let start = isLong ? 4 : 2
                guard bytes.count >= start else { return nil }
                let count = isLong ? Int(bytes[2]) << 8 | Int(bytes[3]) : Int(bytes[1])
                guard bytes.count >= start + count else { return nil }
                defer { bytes.removeFirst(start + count) }
                return (bytes[0], Array(bytes[start..<(start + count)]))
            }
        }

        func nextText() throws -> String { String(decoding: try next().data, as: UTF8.self) }

        /// The code with which the server closes.
        func nextCode() throws -> Int {
            let (first, data) = try next()
            #expect(first == 0x88)
            return data.count < 2 ? 0 : Int(data[0]) << 8 | Int(data[1])
        }

        func endSending() { client.endSending() }

        func readToEnd() throws { _ = try client.readToEnd() }
    }

    @Test func `Each message is a line, or several, and each answer a message`() throws {
        let socket = try Socket(hub, hub.device)
        // The example of RFC 6455, section 1.3.
        #expect(try socket.head().contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
        try socket.send(text: "{\"delta\":1}")
        #expect(try socket.nextText() == "{\"line\":1,\"result\":\"accepted\",\"position\":2}")
        try socket.send(text: "{\"delta\":1}\n{\"delta\":5}\n")
        #expect(try socket.nextText() == "{\"line\":2,\"result\":\"accepted\",\"position\":3}")
        #expect(
            try socket.nextText() == "{\"line\":3,\"result\":\"refused\",\"why\":\"delta is 1 or -1, not 5\"}"
        )
        // In fragments, with a ping between them.
        try socket.send(1, Array("{\"del".utf8), isLast: false)
        try socket.send(9, Array("hello".utf8))
        try socket.send(0, Array("ta\":1}".utf8))
        let pong = try socket.next()
        #expect(pong.first == 0x8A && pong.data == Array("hello".utf8))
        #expect(try socket.nextText() == "{\"line\":4,\"result\":\"accepted\",\"position\":4}")
        #expect(try hub.count() == "3")
        #expect(try hub.metric("websockets") == 1)
        // While it is open, its device is live.
        #expect(try hub.place.run("devices").output.contains("door-1"))
        try socket.send(8, [3, 232])
        #expect(try socket.nextCode() == 1000)
        try socket.readToEnd()
        try hub.awaitMetric("websockets", 0)
    }

    @Test func `What comes with the opening is not lost`() throws {
        let socket = try Socket(hub, hub.device)
        try socket.send(text: "{\"delta\":1}")
        #expect(try socket.head().hasPrefix("HTTP/1.1 101"))
        #expect(try socket.nextText().contains("accepted"))
    }

    @Test(
        arguments: [
            ("unmasked", [0x81, 0x01, 0x61], 1002), ("an unknown opcode", [0x83, 0x80, 0, 0, 0, 0], 1002),
            ("a reserved bit", [0xC1, 0x80, 0, 0, 0, 0], 1002),
            ("a fragmented ping", [0x09, 0x80, 0, 0, 0, 0], 1002),
            ("a continuation of nothing", [0x80, 0x80, 0, 0, 0, 0], 1002),
            ("a terabyte", [0x82, 0xFF, 0, 0, 0xE8, 0xD4, 0xA5, 0x10, 0, 0, 1, 2, 3, 4], 1009),
            ("no UTF-8", [0x81, 0x81, 0, 0, 0, 0, 0xFF], 1007),
            ("a code that may not be sent", [0x88, 0x82, 0, 0, 0, 0, 3, 237], 1002),
        ] as [(String, [UInt8], Int)])
    func refused(_ name: String, _ frame: [UInt8], _ code: Int) throws {
        let socket = try Socket(hub, hub.device)
        #expect(try socket.head().hasPrefix("HTTP/1.1 101"))
        try socket.send(raw: frame)
        #expect(try socket.nextCode() == code, "\(name)")
        try socket.readToEnd()
    }

    @Test(
        arguments: [
            ("a close", Socket.frame(8, [3, 232]), 1000), ("an unknown opcode", Socket.frame(3, []), 1002),
            ("no UTF-8", Socket.frame(1, [0xFF]), 1007), ("the end of its side", [], 1001),
        ] as [(String, [UInt8], Int)])
    func `What came with the end, before it, is answered`(_ name: String, _ end: [UInt8], _ code: Int) throws
    {
        let socket = try Socket(hub, hub.device)
        #expect(try socket.head().hasPrefix("HTTP/1.1 101"))
        try socket.send(raw: Socket.frame(1, Array("{\"delta\":1}".utf8)) + end)
        if end.isEmpty { socket.endSending() }
        #expect(try socket.nextText() == "{\"line\":1,\"result\":\"accepted\",\"position\":2}", "\(name)")
        #expect(try socket.nextCode() == code, "\(name)")
        try socket.readToEnd()
        #expect(try hub.count() == "1", "\(name)")
    }

    @Test func `Only what may be a WebSocket becomes one`() throws {
        #expect(try hub.curl("/v1/ws", token: hub.device).status == 426)
        #expect(try Socket(hub, "wrong").head().status == 401)
        #expect(try Socket(hub, hub.device, fields: "Origin: http://elsewhere\r\n").head().status == 403)
        #expect(try Socket(hub, hub.device, fields: "Origin: http://hub:1\r\n").head().status == 101)
        #expect(try Socket(hub, hub.device, fields: "Sec-WebSocket-Version: 8\r\n").head().status == 426)
    }

    @Test func `A revoked token's WebSocket ends`() throws {
        let socket = try Socket(hub, hub.device)
        _ = try socket.head()
        #expect(try hub.command("token", "revoke", "door-1").status == .exited(0))
        try socket.readToEnd()
    }
}
