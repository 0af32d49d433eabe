import Foundation
import TestSupport
import Testing

/// docs/json.md has every field of every object that the commands print, with its type, and no other.
@Suite struct JSONTests {
    /// What only a device gives that is plugged in.
    private static let ofDevices: Set<String> = ["bus", "reason", "remedy"]

    @Test(arguments: [
        "counter show", "counter status", "counter history", "counter history --all", "counter history --entries",
        "counter day", "counter location list", "counter devices", "counter export", "counter listen",
        "counter ingest", "counter timer", "counter timer preset",
    ])
    func `Each documented object is the one that is printed`(section: String) throws {
        let documented = try Self.documented(section)
        let printed = try JSONStory().objects(of: section)
        #expect(!printed.isEmpty)
        var found: Set<String> = []
        for object in printed {
            let fields = Self.flattened(object)
            found.formUnion(fields.keys)
            for (name, type) in fields {
                #expect(documented[name]?.types.contains(type) == true, "\(name): \(type) in \(object)")
            }
            for (name, field) in documented where !field.isOptional && !name.contains(".") {
                #expect(fields[name] != nil, "no \(name) in \(object)")
            }
        }
        let missing = Set(documented.keys).subtracting(found)
            .subtracting(section == "counter devices" ? Self.ofDevices : [])
        #expect(missing == [], "documented, but never printed")
    }

    @Test func `Each section of the page is tested, and each command with --json has one`() throws {
        let page = try String(contentsOfFile: "docs/json.md", encoding: .utf8)
        let sections = page.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { String($0.dropFirst(3)) }
        #expect(sections.count == 13)
        let help = try ChildProcess.run([BuiltProducts.counter, "--experimental-dump-help"]).output
        let commands = Self.commandsWithJSON(try #require(try jsonObject(help)["command"] as? [String: Any]), [])
        #expect(commands.count > 10)
        for command in commands {
            #expect(sections.contains { command.hasPrefix($0) }, "no section for \(command)")
        }
    }

    private static func commandsWithJSON(_ command: [String: Any], _ above: [String]) -> [String] {
        let words = above + [command["commandName"] as? String ?? ""]
        let names = (command["arguments"] as? [[String: Any]] ?? []).flatMap { $0["names"] as? [[String: Any]] ?? [] }
        let below = (command["subcommands"] as? [[String: Any]] ?? []).flatMap { commandsWithJSON($0, words) }
        return (names.contains { $0["name"] as? String == "json" } ? [words.joined(separator: " ")] : []) + below
    }

    private struct Field {
        let types: Set<String>
        let isOptional: Bool
    }

    private static func documented(_ section: String) throws -> [String: Field] {
        let page = try String(contentsOfFile: "docs/json.md", encoding: .utf8)
        let text = try #require(page.components(separatedBy: "\n## \(section)\n").dropFirst().first)
        let rows = text.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| `") }
        var fields: [String: Field] = [:]
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let note = cells.count > 2 ? cells[2] : ""
            // A number that happens to be whole has no fraction.
            fields[cells[0].trimmingCharacters(in: ["`"])] = Field(
                types: cells[1] == "number" ? ["number", "integer"] : [cells[1], cells[1] == "list" ? "empty list" : cells[1],
                    cells[1] == "list of text" ? "empty list" : cells[1]],
                isOptional: note.hasPrefix("optional"))
        }
        return fields
    }

    /// The fields with their types; those of objects inside by `a.b`, of lists of objects by `a[].b`.
    private static func flattened(_ object: [String: Any], _ prefix: String = "") -> [String: String] {
        var fields: [String: String] = [:]
        for (name, value) in object {
            let path = prefix + name
            switch value {
            case let list as [[String: Any]] where !list.isEmpty:
                fields[path] = "list"
                for element in list { fields.merge(flattened(element, path + "[].")) { $1 } }
            case let list as [Any]: fields[path] = list.isEmpty ? "empty list" : "list of text"
            case let inner as [String: Any]: fields.merge(flattened(inner, path + ".")) { $1 }
            case is String: fields[path] = "text"
            case let number as NSNumber: fields[path] = type(of: number)
            default: fields[path] = "\(Swift.type(of: value))"
            }
        }
        return fields
    }

    private static func type(of number: NSNumber) -> String {
        if CFBooleanIsKind(number) { return "boolean" }
        return number.doubleValue == number.doubleValue.rounded() ? "integer" : "number"
    }

    private static func CFBooleanIsKind(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}

/// A journal in which all has happened once that a field tells of.
private struct JSONStory {
    private let place: Workplace
    private let zone: String

    init() throws {
        place = try Workplace.deaf()
        zone = Workplace.zoneAtNoon
    }

    func objects(of section: String) throws -> [[String: Any]] {
        switch section {
        case "counter show": return try show()
        case "counter status": return try status()
        case "counter history": return try history()
        case "counter history --all":
            try place.run("add")
            return try objects("history", "--all", "--json").map { object in
                ["locations": ["text"], "total": object["total"] ?? 0].merging(
                    object.filter { $0.key != "locations" }) { $1 }
            }
        case "counter history --entries": return try entries()
        case "counter day": return try days()
        case "counter location list": return try locations()
        case "counter devices": return try devices()
        case "counter export": return try export()
        case "counter listen": return try listen()
        case "counter ingest": return try ingest()
        case "counter timer": return try timers()
        case "counter timer preset": return try presets()
        default: return []
        }
    }

    private func objects(_ command: String...) throws -> [[String: Any]] {
        let outcome = try place.run(command)
        return try outcome.output.split(separator: "\n").map { try jsonObject(String($0)) }
    }

    private func line(_ delta: Int, _ device: String, ago seconds: Int = 0, number: Int? = nil) -> String {
        let time = Date(timeIntervalSinceNow: -Double(seconds)).formatted(.iso8601)
        let numbered = number.map { ",\"sequenceNumber\":\($0)" } ?? ""
        return "{\"timestamp\":\"\(time)\",\"delta\":\(delta),\"deviceId\":\"\(device)\"\(numbered)}"
    }

    private func occupancy(_ capacity: Int = 5) throws {
        try place.run("location", "set", "default", "--capacity", "\(capacity)", "--timezone", zone, "--target", "4",
            "--key", "k")
    }

    private func show() throws -> [[String: Any]] {
        let empty = try place.run("location", "add", "Hall")
        #expect(empty.status == .exited(0))
        try occupancy()
        try place.run("add", "3")
        return try objects("show", "--json") + objects("show", "--json", "--location", "Hall")
    }

    private func status() throws -> [[String: Any]] {
        try place.run("location", "add", "Hall")
        try occupancy()
        try place.run("device", "assign", "door", "default")
        try place.run("ingest", input: line(-1, "sensor"))
        return try objects("status", "--json")
    }

    private func history() throws -> [[String: Any]] {
        try place.run("location", "set", "default", "--timezone", zone, "--day-start", "0")
        try place.run("ingest", input: line(1, "door", ago: 3_000))
        try occupancy(2)
        try place.run("ingest", input: (1...3).map { _ in line(1, "sensor") }.joined(separator: "\n"))
        try place.run("correct", "=1", "--reason", "counted")
        try place.run("ingest", input: (1...3).map { _ in line(-1, "sensor") }.joined(separator: "\n"))
        try place.run(
            "ingest", input: [line(1, "far", number: 1), line(1, "far", number: 4), line(-1, "far", number: 1),
                line(1, "ahead", ago: -3_600)].joined(separator: "\n"))
        let lost = try place.run(["history", "--json"], environment: ["TZDIR": "/nowhere"]).output
        return try objects("history", "--json") + [jsonObject(lost)]
    }

    private func entries() throws -> [[String: Any]] {
        try place.run("add", "--reason", "a child")
        try place.run("undo")
        try place.run("correct", "+2", "--reason", "counted")
        try place.run("reset", "--to", "1")
        try place.run("ingest", input: line(1, "far", number: 7))
        try place.run("day", "end", "--yes")
        try place.run("location", "set", "default", "--capacity", "9")
        return try objects("history", "--entries", "--json")
    }

    private func days() throws -> [[String: Any]] {
        try place.run("add")
        return try objects("day", "end", "--yes", "--json") + objects("day", "list", "--json")
    }

    private func locations() throws -> [[String: Any]] {
        try occupancy()
        try place.run("location", "add", "Hall")
        try place.run("location", "set", "Hall", "--open", "Mon-Fri 09:00-18:00", "--group", "Museum")
        return try objects("location", "list", "--json")
    }

    private func devices() throws -> [[String: Any]] {
        let (program, path) = try place.ingestAtSocket()
        defer { program.end() }
        let client = try SocketClient(path)
        try client.send(event(1) + "\n")
        _ = try client.readLine()
        try place.run("device", "assign", "other", "default")
        try eventually("the connection") { try place.run("devices", "--json").output.contains("countedBy") }
        return try objects("devices", "--json")
    }

    private func export() throws -> [[String: Any]] {
        try place.run("add", "--reason", "a child")
        try place.run("correct", "+2", "--reason", "counted")
        try place.run("reset", "--to", "1")
        try place.run("ingest", input: line(1, "far", number: 7))
        return try objects("export", "--format", "jsonl") + objects("export", "--format", "jsonl", "--local-time")
    }

    /// All lines of a feed that has come from one journal to a second and on to a third, and an end of a day that was automatic.
    private func listen() throws -> [[String: Any]] {
        _ = try entries()
        try place.run("timer", "start", "1h")
        try place.run("day", "end", "--yes")
        let source = try Workplace.deaf()
        try source.run("reset", "--to", "3")
        try source.run("ingest", input: line(1, "late", ago: 3_000))
        try source.run("undo")
        let rows = try rows(of: source)
        let hub = Self.hub(rows.first?["journal"] as? String ?? "")
        try place.run("ingest", input: (rows.map(Self.text) + hub).joined(separator: "\n"))
        return try self.rows(of: place)
    }

    /// A long press, a late void, and a day that has ended by itself.
    private static func hub(_ journal: String) -> [String] {
        let common = "\"locationId\":\"default\",\"receivedAt\":\"2026-01-14T13:03:59Z\",\"journal\":\"other\""
        return [
            "{\"type\":\"in\",\"timestamp\":\"2026-01-14T13:03:59Z\",\"delta\":1,\"deviceId\":\"key\",\"source\":\"hardware\",\"continuesHold\":true,\"position\":1,\(common)}",
            "{\"type\":\"void\",\"timestamp\":\"2026-01-14T13:03:59Z\",\"target\":1,\"lateAfter\":0,\"position\":2,\(common)}",
        ]
    }

    private func rows(of place: Workplace) throws -> [[String: Any]] {
        let rows = try place.run("export", "--format", "jsonl", "--all").output.split(separator: "\n")
            .map { try jsonObject(String($0)) }
        return rows.filter { !["journal", "location", "device", "connection"].contains($0["type"] as? String) }
    }

    private static func text(_ object: [String: Any]) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }

    private func ingest() throws -> [[String: Any]] {
        let lines = [
            line(1, "far", ago: 9, number: 1), line(1, "far", ago: 9, number: 1), line(-1, "far", number: 1), "nonsense",
        ]
        let outcome = try place.run("ingest", input: lines.joined(separator: "\n"))
        return try outcome.output.split(separator: "\n").map { try jsonObject(String($0)) }
    }

    private func timers() throws -> [[String: Any]] {
        try place.run("timer", "preset", "add", "5m", "tea")
        try place.run("timer", "preset", "start", "1")
        try place.run("timer", "start", "1h", "--all", "--rounds", "2", "--pause", "1m")
        try place.run("timer", "stop", "1")
        try place.run("timer", "acknowledge", "1")
        return try objects("timer", "results", "--json") + objects("timer", "list", "--json")
    }

    private func presets() throws -> [[String: Any]] {
        try place.run("timer", "preset", "add", "5m", "tea")
        try place.run("timer", "preset", "start", "1")
        try place.run("timer", "preset", "add", "6m", "egg")
        return try objects("timer", "preset", "list", "--json")
    }
}
