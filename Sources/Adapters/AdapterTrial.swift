package import CounterModel
import Linux

/// What messages would count, one after another, on streams that begin with the first of them.
package struct AdapterTrial {
    private let file: AdapterFile
    private let adapters: [Adapter]
    private(set) var streams: [Identifier: Stream] = [:]

    package init(_ file: AdapterFile, _ adapters: [Adapter]) { (self.file, self.adapters) = (file, adapters) }

    package mutating func take(_ message: Message) -> [ReadingOutcome] {
        let outcomes = file.outcomes(of: message, by: adapters) { reading, adapter in
            (streams[reading.stream, default: adapter.stream].take(reading), adapter.location)
        }
        return outcomes ?? [ReadingOutcome(words: "no adapter is for \(message.place)")]
    }
}

// MARK: - Messages as text

extension AdapterTrial {
    /// The messages of a file, one a line, as `mosquitto_sub` prints them:
    ///
    /// | line | option of mosquitto_sub |
    /// |---|---|
    /// | `{"topic":"tele/door/SENSOR","payload":…,"retain":1,"tst":"…"}` | `-F %J` or `-F %j` |
    /// | `tele/door/SENSOR {…}` | `-v` |
    /// | `2026-11-22T10:00:00Z retained tele/door/SENSOR {…}` | time and `retained` may be missing |
    /// | `{…}` | without one; also over several lines |
    ///
    /// `(null)` is an empty payload.
    /// `start`: when the first came, where the lines have no time; the others a minute after the one before.
    package func messages(in bytes: [UInt8], start: Timestamp) -> [Message] {
        var messages: [Message] = []
        var rest = bytes.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }[...]
        while let line = rest.popFirst() {
            guard !line.allSatisfy({ $0 == 0x20 || $0 == 0x9 }), line.first != UInt8(ascii: "#") else {
                continue
            }
            let arrival = (messages.last?.receivedAt).map { $0 + .seconds(60) } ?? start
            messages.append(printed(line, arrival) ?? written(line, &rest, arrival))
        }
        return messages
    }

    /// One that mosquitto_sub has printed as JSON.
    private func printed(_ line: ArraySlice<UInt8>, _ arrival: Timestamp) -> Message? {
        guard let members = try? JSONValue(json: line).members, case .text(let topic)? = members["topic"],
            let payload = members["payload"], members["tst"] != nil || members["payloadlen"] != nil
        else { return nil }
        let body: String
        if case .text(let text) = payload {
            body = text
        } else {
            let raw = (try? LineFields.members(json: line)) ?? []
            body =
                raw.first { $0.name == "payload" }.map { String($0.text.drop { $0 != ":" }.dropFirst()) }
                ?? ""
        }
        // Written as 2026-11-22T10:00:00.000000Z+0100, which is a local time with its offset.
        let written = members["tst"]?.scalar?.replacing("Z+", with: "+").replacing("Z-", with: "-")
        let time = written.flatMap { Timestamp(iso8601: $0) }
        return Message(
            Array(body.utf8), at: topic, receivedAt: time ?? arrival,
            isRetained: ["1", "true"].contains(members["retain"]?.scalar))
    }

    private func written(
        _ line: ArraySlice<UInt8>, _ rest: inout ArraySlice<ArraySlice<UInt8>>, _ arrival: Timestamp
    ) -> Message {
        var text = String(decoding: line, as: UTF8.self)[...]
        let time = Timestamp(iso8601: String(text.prefix { $0 != " " }))
        if time != nil { text.dropWord() }
        let isRetained = text.hasPrefix("retained ")
        if isRetained { text.dropWord() }
        var place = adapters.first?.examplePlace ?? ""
        if let first = text.first, !"{[<".contains(first), text.contains(" ") {
            place = String(text.prefix { $0 != " " })
            text.dropWord()
        }
        if text == "(null)" { text = "" }
        var body = Array(text.utf8)
        if let first = text.first, "{[<".contains(first) { join(&body, &rest) }
        return Message(body, at: place, receivedAt: time ?? arrival, isRetained: isRetained)
    }

    /// Adds the lines up to the end of a payload of several lines; none where it has no end.
    private func join(_ body: inout [UInt8], _ rest: inout ArraySlice<ArraySlice<UInt8>>) {
        guard let format = adapters.first?.format else { return }
        var whole = body
        for count in 0...min(rest.count, 1000) {
            if (try? format.read(whole)) != nil {
                body = whole
                rest.removeFirst(count)
                return
            }
            if count < rest.count { whole += [UInt8(ascii: "\n")] + rest[rest.startIndex + count] }
        }
    }
}

extension Substring {
    /// Drops the first word and the space behind it.
    fileprivate mutating func dropWord() { self = drop { $0 != " " }.dropFirst() }
}
