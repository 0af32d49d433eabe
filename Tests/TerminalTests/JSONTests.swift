import Foundation
import TestSupport
import Testing

/// docs/json.md has every field of every object that the commands print, with its type, and no other.
@Suite struct JSONTests {
    /// What only a device gives that is plugged in.
    private static let ofDevices: Set<String> = ["bus", "reason", "remedy"]

    @Test(arguments: JSONStory.sections.keys.sorted())
    func `Each documented object is the one that is printed`(section: String) throws {
        let documented = try Self.documented(section)
        let printed = try JSONStory.sections[section]?(JSONStory()) ?? []
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
        let sections = page.split(separator: "\n").filter { $0.hasPrefix("## ") }.map {
            String($0.dropFirst(3))
        }
        #expect(sections.sorted() == JSONStory.sections.keys.sorted())
        let commands = try CommandDescription.program().all()
            .filter { $0.command.options.contains("json") }.map { $0.words.joined(separator: " ") }
        #expect(commands.count > 10)
        for command in commands {
            #expect(sections.contains { command.hasPrefix($0) }, "no section for \(command)")
        }
    }

    private struct Field {
        let types: Set<String>
        let isOptional: Bool
    }

    private static func documented(_ section: String) throws -> [String: Field] {
        let page = try String(contentsOfFile: "docs/json.md", encoding: .utf8)
        let text = try #require(page.components(separatedBy: "\n## \(section)\n").dropFirst().first)
        let rows = text.components(separatedBy: "\n## ")[0].split(separator: "\n").filter {
            $0.hasPrefix("| `")
        }
        var fields: [String: Field] = [:]
        for row in rows {
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let note = cells.count > 2 ? cells[2] : ""
            // A number that happens to be whole has no fraction.
            fields[cells[0].trimmingCharacters(in: ["`"])] = Field(
                types: cells[1] == "number"
                    ? ["number", "integer"]
                    : cells[1].hasPrefix("list") ? [cells[1], "empty list"] : [cells[1]],
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
        // JSONSerialization makes a Boolean a number of C's type `char`.
        if String(cString: number.objCType) == "c" { return "boolean" }
        return number.doubleValue == number.doubleValue.rounded() ? "integer" : "number"
    }
}

/// A journal in which all has happened once that a field tells of.
private struct JSONStory {
    private let place: Workplace
    private let zone: String

    init() throws {
        place = try Workplace.deaf()
        zone = Workplace.zoneAtNoon
    }

    /// What happens for the objects of each section, and what they are.
    static let sections: [String: @Sendable (JSONStory) throws -> [[String: Any]]] = [
        "counter show": { try $0.show() }, "counter status": { try $0.status() },
        "counter history": { try $0.history() }, "counter history --all": { try $0.allHistory() },
        "counter history --entries": { try $0.entries() }, "counter day": { try $0.days() },
        "counter location": { try $0.locations() }, "counter devices": { try $0.devices() },
        "counter journal": { try $0.journals() }, "counter export": { try $0.export() },
        "counter listen": { try $0.listen() }, "counter listen: targetReached": { [try $0.targetReached()] },
        "counter ingest": { try $0.ingest() }, "counter sync": { try $0.sync() },
        "counter timer": { try $0.timers() }, "counter timer preset": { try $0.presets() },
    ]

    private func allHistory() throws -> [[String: Any]] {
        try place.run("add")
        // The members of the locations are those of `counter history`.
        return try place.objects("history", "--all", "--by", "week", "--json").map { object in
            object.merging(["locations": [String]()]) { $1 }
        }
    }

    private func journals() throws -> [[String: Any]] {
        try ingestElsewhere()
        try place.run("journal", "rename", "door-3")
        return try place.objects("journal", "--json")
    }

    private func line(_ delta: Int, _ device: String, ago seconds: Int = 0, number: Int? = nil) -> String {
        let time = Date(timeIntervalSinceNow: -Double(seconds)).formatted(.iso8601)
        let numbered = number.map { ",\"sequenceNumber\":\($0)" } ?? ""
        return "{\"timestamp\":\"\(time)\",\"delta\":\(delta),\"deviceId\":\"\(device)\"\(numbered)}"
    }

    private func occupancy(_ capacity: Int = 5) throws {
        try place.run(
            "location", "set", "default", "--capacity", "\(capacity)", "--timezone", zone, "--target", "4")
    }

    private func show() throws -> [[String: Any]] {
        try place.run("location", "add", "Hall")
        try occupancy()
        try place.run("add", "3")
        return try place.objects("show", "--json") + place.objects("show", "--json", "--location", "Hall")
    }

    private func status() throws -> [[String: Any]] {
        try place.run("location", "add", "Hall")
        try occupancy()
        try place.run("device", "assign", "door", "default")
        try place.run("ingest", input: line(-1, "sensor"))
        return try place.objects("status", "--json")
    }

    private func history() throws -> [[String: Any]] {
        try place.run("location", "set", "default", "--timezone", zone, "--day-start", "0")
        try place.run("ingest", input: line(1, "door", ago: 3_000))
        try occupancy(2)
        try place.run("ingest", input: (1...3).map { _ in line(1, "sensor") }.joined(separator: "\n"))
        try place.run("correct", "=1", "--reason", "counted")
        try place.run("ingest", input: (1...3).map { _ in line(-1, "sensor") }.joined(separator: "\n"))
        try place.run(
            "ingest",
            input: [
                line(1, "far", number: 1), line(1, "far", number: 4), line(-1, "far", number: 1),
                line(1, "ahead", ago: -3_600),
            ].joined(separator: "\n"))
        let lost = try place.run(["history", "--json"], environment: ["TZDIR": "/nowhere"]).output
        return try place.objects("history", "--json") + [jsonObject(lost)]
    }

    private func entries() throws -> [[String: Any]] {
        try place.run("add", "--reason", "a child")
        try place.run("undo")
        try place.run("correct", "+2", "--reason", "counted")
        try place.run("reset", "--to", "1")
        try place.run("ingest", input: line(1, "far", number: 7))
        try place.run("day", "end", "--yes")
        try place.run("location", "set", "default", "--capacity", "9")
        try ingestElsewhere()
        return try place.objects("history", "--entries", "--json")
            + place.objects("history", "--entries", "--all", "--json")
    }

    /// Takes rows of another journal: a count, and two by which its clock was set.
    private func ingestElsewhere() throws {
        let time = Date.now.formatted(.iso8601)
        let rows = [
            #""type":"in","delta":1,"deviceId":"key","source":"hardware""#,
            #""type":"clock","first":1,"last":1,"latest":"\#(time)""#,
            #""type":"clock","first":1,"last":1,"microseconds":-60000000"#,
        ].enumerated().map { index, fields in
            let identity = #""locationId":"default","journal":"elsewhere","position":\#(index + 1)"#
            return #"{\#(fields),"timestamp":"\#(time)","receivedAt":"\#(time)",\#(identity)}"#
        }
        try place.run("ingest", input: rows.joined(separator: "\n"))
    }

    private func days() throws -> [[String: Any]] {
        try place.run("location", "set", "default", "--capacity", "9")
        try place.run("add")
        return try place.objects("day", "end", "--yes", "--json") + place.objects("day", "list", "--json")
    }

    private func locations() throws -> [[String: Any]] {
        try occupancy()
        try place.run("location", "add", "Hall")
        try place.run("location", "set", "Hall", "--open", "Mon-Fri 09:00-18:00", "--group", "Museum")
        try place.run("location", "set", "Hall", "--key", "a", "--target", "100")
        return try place.objects("location", "list", "--json")
    }

    private func devices() throws -> [[String: Any]] {
        let (program, path) = try place.ingestAtSocket()
        defer { program.end() }
        let client = try SocketClient(path)
        try client.answer(to: event(1))
        try place.run("device", "assign", "other", "default")
        try eventually("the connection") { try place.run("devices", "--json").output.contains("countedBy") }
        return try place.objects("devices", "--json")
    }

    private func export() throws -> [[String: Any]] {
        try place.run("add", "--reason", "a child")
        try place.run("correct", "+2", "--reason", "counted")
        try place.run("reset", "--to", "1")
        try place.run("ingest", input: line(1, "far", number: 7))
        return try place.objects("export", "--format", "jsonl")
            + place.objects("export", "--format", "jsonl", "--local-time")
    }

    private func listen() throws -> [[String: Any]] {
        _ = try entries()
        try place.run("timer", "start", "1h")
        try place.run("day", "end", "--yes")
        try place.run("location", "add", "Hall")
        let taken = try place.run("ingest", input: Self.hub.joined(separator: "\n"))
        #expect(taken.status == .exited(0), "\(taken.output)")
        return try place.objects("export", "--format", "jsonl", "--all")
    }

    private func sync() throws -> [[String: Any]] {
        let door = try Workplace.deaf()
        try door.run("location", "share", "default")
        let serve =
            "HOME='\(door.directory)' COUNTER_DATA_DIR='\(door.directory)' '\(BuiltProducts.counter)' sync --serve"
        try place.run("sync", "--join", "all", "--command", serve, "door")
        try place.run("sync", "--once", "--command", "echo Welcome", "office")
        return try place.objects("sync", "--status", "--json")
    }

    /// What `listen` tells beside the rows.
    private func targetReached() throws -> [String: Any] {
        try place.run("location", "add", "Wren", "--target", "1")
        let listener = try place.following()
        try place.run("add", "--location", "Wren")
        while let line = try listener.readLine() {
            let object = try jsonObject(line)
            if object["type"] as? String == "targetReached" { return object }
        }
        return [:]
    }

    /// Of another journal: a long press that is taken back, a late row, and a day that has ended by itself.
    private static let hub: [String] = {
        func row(_ position: Int, _ type: String, at time: String, _ members: String) -> String {
            let common =
                "\"locationId\":\"Hall\",\"receivedAt\":\"2026-01-14T13:59:59Z\",\"journal\":\"other\""
            return
                "{\"type\":\"\(type)\",\"timestamp\":\"2026-01-14T\(time)Z\",\(members),\"position\":\(position),\(common)}"
        }
        let key = "\"delta\":1,\"deviceId\":\"key\",\"source\":\"hardware\""
        let day =
            "\"from\":\"2026-01-14T00:00:00Z\",\"to\":\"2026-01-14T13:06:00Z\",\"finalLevel\":6,\"totalIn\":1,\"totalOut\":0"
        let peak =
            "\"highestLevel\":6,\"peakStart\":\"2026-01-14T13:00:00Z\",\"peakIn\":1,\"averageOccupancy\":0.5"
        return [
            row(1, "in", at: "13:01:00", key + ",\"continuesHold\":true"),
            row(2, "void", at: "13:02:00", "\"target\":1"),
            row(8, "sharing", at: "13:00:00", "\"worldId\":\"w\",\"isShared\":true,\"name\":\"door\""),
            row(3, "reset", at: "13:03:00", "\"value\":5"), row(4, "reset", at: "13:04:00", "\"value\":6"),
            row(5, "in", at: "13:03:30", key + ",\"orderedAt\":\"2026-01-14T13:03:31Z\""),
            row(6, "endOfDay", at: "13:06:00", "\(day),\(peak),\"isAutomatic\":true"),
        ]
    }()

    private func ingest() throws -> [[String: Any]] {
        let lines = [
            line(1, "far", ago: 9, number: 1), line(1, "far", ago: 9, number: 1), line(-1, "far", number: 1),
            "nonsense",
        ]
        return try place.objects("ingest", input: lines.joined(separator: "\n"))
    }

    private func timers() throws -> [[String: Any]] {
        try place.run("timer", "preset", "add", "1s", "tea")
        try place.run("timer", "preset", "start", "1")
        try place.run("add")
        try place.run("timer", "start", "1h", "--all", "--rounds", "2", "--pause", "1m")
        try place.run("timer", "stop", "2")
        try eventually("the end of the first") {
            try place.run("timer", "acknowledge", "1").status == .exited(0)
        }
        return try place.objects("timer", "results", "--json") + place.objects("timer", "list", "--json")
    }

    private func presets() throws -> [[String: Any]] {
        try place.run("timer", "preset", "add", "5m", "tea")
        try place.run("timer", "preset", "start", "1")
        try place.run("timer", "preset", "add", "6m", "egg")
        try place.run("timer", "preset", "remove", "2")
        return try place.objects("timer", "preset", "list", "--all", "--json")
    }
}
