import CounterModel
import Glibc
package import Linux
import TOMLKit

/// Adapters, `[adapter.NAME]`, and what is different for single devices, `[device."NAME:DEVICE/CHANNEL"]`. A file has those that come with
/// the program too, but for those that it has by the same name.
package struct AdapterFile {
    /// By name.
    package private(set) var adapters: [Adapter] = []
    /// The names of its own, and of those that come with the program that it uses: `use = ["NAME", …]`.
    private var namesInUse: Set<String>
    /// The adapters of single devices, by the id of the stream or, for all its channels, of the device.
    private var devices: [Identifier: Adapter] = [:]

    /// Of times without an offset, where none is named.
    private let zone: ZoneOffsets

    /// Those that it has or uses: of what any device may send to a broker, only what is wanted is read.
    package var adaptersInUse: [Adapter] { adapters.filter { namesInUse.contains($0.name) } }

    /// The names of the locations into which its devices count, each with one of them.
    package var locations: [String: Identifier] {
        Dictionary(devices.compactMap { id, adapter in adapter.location.map { ($0, id) } }) { min($0, $1) }
    }

    /// Those that it has, uses or says something of.
    package var adaptersNamed: [Adapter] {
        adapters.filter { adapter in
            namesInUse.contains(adapter.name) || devices.values.contains { $0.name == adapter.name }
        }
    }

    /// The adapters that come with the program, all in use.
    package static func builtIn(zone: String) throws(ProgramError) -> AdapterFile {
        try AdapterFile(builtInText, name: builtInName, zone: zone)
    }

    /// The lines of one that comes with the program, with what is said of it; nil where there is none of this name.
    package static func builtInText(of name: String) -> String? {
        builtInText.split(separator: "\n\n").first {
            $0.split(separator: "\n").contains { $0 == "[adapter.\(name)]" }
        }.map(String.init)
    }

    private static let builtInName = "the adapters of counter-hub"
    private static var builtInText: String {
        String(decoding: PackageResources.adapters_toml, as: UTF8.self)
    }

    /// `name`: of the file, for errors.
    package init(_ text: String, name: String, zone: String) throws(ProgramError) {
        let builtIn = try Self.table(Self.builtInText, Self.builtInName)["adapter"]?.members ?? [:]
        let file = try Self.table(text, name)
        do throws(ZoneError) { self.zone = try ZoneOffsets(of: zone, in: ReadingTime.years) } catch {
            throw ProgramError("\(error)", status: EX_DATAERR)
        }
        let table = AdapterTable(title: name, members: file)
        try table.admit(only: ["adapter", "device", "use"])
        let own = try table.table("adapter")
        let tables = builtIn.merging(own) { _, own in own }
        namesInUse = Set(own.keys)
        for used in try table.texts("use") {
            guard tables[used] != nil else {
                throw table.wrong(
                    "use", "there is no adapter '\(used)'",
                    remedy: tables.keys.suggestion(for: used) + "To list them: counter-hub adapter list")
            }
            namesInUse.insert(used)
        }
        for (key, table) in tables.sorted(by: { $0.key < $1.key }) {
            try add(key, AdapterTable(title: "\(name): adapter \(key)", members: table.members))
        }
        let ofDevices = AdapterTable(title: "\(name): device", members: try table.table("device"))
        for id in ofDevices.members.keys.sorted() {
            let members = try ofDevices.table(id)
            try add(device: id, AdapterTable(title: "\(name): device \(id)", members: members), of: tables)
        }
    }

    private mutating func add(_ name: String, _ table: AdapterTable) throws(ProgramError) {
        let isName = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) }
        guard isName, !name.isEmpty else {
            throw table.wrong("a name has letters, digits, - and _")
        }
        try table.admit(only: AdapterTable.keys)
        adapters.append(try Adapter(name, table, zone: zone))
    }

    private static func table(_ text: String, _ name: String) throws(ProgramError) -> [String: JSONValue] {
        let json: String
        do { json = try TOMLTable(string: text).convert(to: .json) } catch let error as TOMLParseError {
            throw ProgramError("\(name):\(error.source.begin.line): \(error.description)", status: EX_DATAERR)
        } catch { throw ProgramError("\(name): \(error)", status: EX_DATAERR) }
        do throws(LineError) { return try JSONValue(json: Array(json.utf8)[...]).members } catch {
            throw ProgramError("\(name): \(error.why)", status: EX_DATAERR)
        }
    }

    /// A device has the keys of its adapter and its own.
    private mutating func add(
        device id: String, _ own: AdapterTable, of tables: [String: JSONValue]
    ) throws(ProgramError) {
        let name = String(id.prefix { $0 != ":" })
        let form = "ADAPTER:DEVICE, or ADAPTER:DEVICE/CHANNEL where it has several."
        guard id.contains(":") else { throw own.wrong("is no id of a device", remedy: "It is \(form)") }
        guard let base = tables[name]?.members, id.utf8.count > name.utf8.count + 1 else {
            throw own.wrong(
                "there is no adapter '\(name)'",
                remedy: tables.keys.suggestion(for: name) + "The id of a device is \(form)")
        }
        try own.admit(only: AdapterTable.keysOfDevices)
        let all = AdapterTable(title: own.title, members: base.merging(own.members) { _, own in own })
        devices[Identifier(id)] = try Adapter(name, all, zone: zone)
    }

    /// The adapter of a stream that has a table, or whose device has. Both a device and its channel may have a `/` of their own.
    private func own(_ stream: Identifier) -> Adapter? {
        if let own = devices[stream] { return own }
        var device = stream.text.unicodeScalars[...]
        while let slash = device.lastIndex(of: "/") {
            device = device[..<slash]
            if let own = devices[Identifier(String(device))], !own.channel.isEmpty { return own }
        }
        return nil
    }

    /// The name of the location into which the file has a stream count.
    package func location(of stream: Identifier) -> String? { own(stream)?.location }

    /// The adapter of a stream, where it is in use or for messages that are posted.
    package func adapter(of stream: Identifier) -> Adapter? {
        let name = stream.text.prefix { $0 != ":" }
        guard let base = adapters.first(where: { $0.name == name }),
            namesInUse.contains(base.name) || base.path != nil
        else { return nil }
        return own(stream) ?? base
    }

    /// The adapter as it is for a device.
    func adapter(_ adapter: Adapter, for device: String, _ channel: String?) -> Adapter {
        let ids = [adapter.id(of: device, channel), adapter.id(of: device, nil)]
        return ids.lazy.compactMap { devices[Identifier($0)] }.first ?? adapter
    }
}

// MARK: - A table, key by key

/// The keys of an adapter or a device, as they are written.
struct AdapterTable {
    /// What it is, for errors.
    let title: String
    let members: [String: JSONValue]

    /// By which a device is found; a table of a device has none of them.
    private static let keysOfPlaces = ["topic", "path", "format", "each", "device", "channel", "alive"]
    private static let keysOfValues = [
        "when", "unless", "in", "out", "mode", "time", "range", "period", "time-format", "zone", "key", "seq",
        "uptime", "wrap", "resets", "on-fall", "max-rate", "edge", "min-gap", "every", "count", "ignore",
    ]
    static let keys = keysOfPlaces + keysOfValues
    static let keysOfDevices = keysOfValues + ["location", "swap", "since"]

    func admit(only keys: [String]) throws(ProgramError) {
        guard let key = members.keys.sorted().first(where: { !keys.contains($0) }) else { return }
        let misplaced = "does not belong here"
        if key == "use" { throw wrong(key, misplaced, remedy: "Write it above the first table.") }
        let isOfAdapter = Self.keys.contains(key)
        if Self.keysOfDevices.contains(key), !isOfAdapter {
            throw wrong(key, misplaced, remedy: "It is of a device: [device.\"ADAPTER:DEVICE\"]")
        }
        let suggestion = keys.suggestion(for: key)
        throw wrong(
            key, isOfAdapter ? misplaced : "there is no such key",
            remedy: suggestion.isEmpty
                ? "Keys are \(keys.joined(separator: ", "))." : String(suggestion.dropLast()))
    }

    func wrong(_ why: String, remedy: String? = nil) -> ProgramError {
        ProgramError("\(title): \(why)", remedy: remedy, status: EX_DATAERR)
    }

    func wrong(_ key: String, _ why: String, remedy: String? = nil) -> ProgramError {
        wrong("\(key): \(why)", remedy: remedy)
    }

    func has(_ key: String) -> Bool { members[key] != nil }

    func text(_ key: String) throws(ProgramError) -> String? {
        guard let value = members[key] else { return nil }
        guard case .text(let text) = value, !text.isEmpty else { throw wrong(key, "is a text") }
        return text
    }

    /// A text or a list of texts; empty where there is none.
    func texts(_ key: String) throws(ProgramError) -> [String] {
        let values = members[key]?.list ?? []
        let texts = values.compactMap { value -> String? in
            if case .text(let text) = value { text } else { nil }
        }
        guard texts.count == values.count, has(key) == !texts.isEmpty else {
            throw wrong(key, "is a text or a list of texts")
        }
        return texts
    }

    /// The members of a table; empty where there is none.
    func table(_ key: String) throws(ProgramError) -> [String: JSONValue] {
        guard let value = members[key] else { return [:] }
        guard case .object(let members) = value else { throw wrong(key, "is a table") }
        return members
    }

    func flag(_ key: String, else other: Bool) throws(ProgramError) -> Bool {
        guard let value = members[key] else { return other }
        guard case .flag(let flag) = value else { throw wrong(key, "is true or false") }
        return flag
    }

    func number(_ key: String) throws(ProgramError) -> Int? {
        guard let value = members[key] else { return nil }
        guard case .number(let text) = value, let number = Int(text), 1...(1 << 50) ~= number else {
            throw wrong(key, "is a whole number of 1 or more")
        }
        return number
    }

    func duration(_ key: String) throws(ProgramError) -> Duration? {
        guard let text = try text(key) else { return nil }
        guard let duration = DurationText.read(text), duration > .zero else {
            throw wrong(key, "is a duration, \(DurationText.forms)")
        }
        return duration
    }

    func choice<Choice: RawRepresentable & CaseIterable>(_ key: String) throws(ProgramError) -> Choice?
    where Choice.RawValue == String {
        guard let text = try text(key) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        throw wrong(
            key, "is \(names.joined(separator: ", or ")), not '\(text)'",
            remedy: names.nearest(to: text).map { "Did you mean '\($0)'?" })
    }

    // MARK: Paths

    func sources(_ key: String) throws(ProgramError) -> [PayloadSource] {
        try texts(key).map { text throws(ProgramError) in
            guard let source = PayloadSource(text) else { throw noPath(text, key) }
            return source
        }
    }

    func path(_ text: String, _ key: String) throws(ProgramError) -> PayloadPath {
        guard let path = PayloadPath(text) else { throw noPath(text, key) }
        return path
    }

    private func noPath(_ text: String, _ key: String) -> ProgramError {
        wrong(
            key, "'\(text)' is no path",
            remedy:
                "Paths are like a.b, a[0], a[-1], a[*], a[name=fw], /a from the message, ^.a from the item around."
        )
    }

    func conditions(_ key: String) throws(ProgramError) -> [PayloadCondition] {
        guard let value = members[key] else { return [] }
        guard case .object(let members) = value, !members.isEmpty else {
            throw wrong(key, "is a table of paths and values, such as { type = \"end\" }")
        }
        return try members.sorted { $0.key < $1.key }.map { text, value throws(ProgramError) in
            let values = value.list.compactMap(\.scalar)
            guard !values.isEmpty, values.count == value.list.count else {
                throw wrong(
                    key, "the value of '\(text)' is a text, a number, true or false, or a list of them")
            }
            return PayloadCondition(path: try path(text, key), values: values)
        }
    }

    func amount(_ key: String) throws(ProgramError) -> Adapter.Amount? {
        guard case .object(let members)? = members[key] else {
            let sources = try sources(key)
            return sources.isEmpty ? nil : .path(sources)
        }
        let inner = AdapterTable(title: "\(title): \(key)", members: members)
        try inner.admit(only: ["add", "when"])
        guard let number = try inner.number("add"), number <= 1000 else {
            throw inner.wrong("add", "is a number from 1 to 1000")
        }
        return .add(number, try inner.conditions("when"))
    }

    func places(_ key: String) throws(ProgramError) -> PlacePattern? {
        guard let text = try text(key) else { return nil }
        guard let pattern = PlacePattern(text), key != "path" || text.hasPrefix("/v1/devices/") else {
            throw wrong(
                key,
                "'\(text)' is no \(key), such as \(key == "path" ? "/v1/devices/door" : "tele/{device}/SENSOR")"
            )
        }
        return pattern
    }

    func alive() throws(ProgramError) -> [Adapter.Alive] {
        try (members["alive"]?.list ?? []).map { value throws(ProgramError) in
            let inner = AdapterTable(title: "\(title): alive", members: value.members)
            try inner.admit(only: ["topic", "up", "down"])
            guard let topic = try inner.places("topic") else { throw inner.wrong("topic", "is missing") }
            let alive = Adapter.Alive(topic: topic, up: try inner.texts("up"), down: try inner.texts("down"))
            guard !alive.up.isEmpty else { throw inner.wrong("up", "is missing") }
            return alive
        }
    }
}

// MARK: - An adapter from its table

extension Adapter {
    init(_ name: String, _ table: AdapterTable, zone: ZoneOffsets) throws(ProgramError) {
        self.name = name
        counts = try table.flag("count", else: true)
        let mode: CountingRules.Mode? = try table.choice("mode")
        guard let mode = mode ?? (counts ? nil : .event) else {
            throw table.wrong("mode", "is missing: event, interval or cumulative")
        }
        rules = CountingRules(mode: mode)
        try readPlaces(table)
        try readValues(table)
        try readTimes(table, zone: zone)
        try readRules(table)
        location = try table.text("location")
        rules.isSwapped = try table.flag("swap", else: false)
        isIgnored = try table.flag("ignore", else: false)
    }

    private mutating func readPlaces(_ table: AdapterTable) throws(ProgramError) {
        (topic, path) = (try table.places("topic"), try table.places("path"))
        guard !places.isEmpty else { throw table.wrong("topic", "is missing, or path") }
        format = try table.choice("format") ?? .json
        each = try table.text("each").map { text throws(ProgramError) in try table.path(text, "each") }
        // Where the topic has parts of these names, they are it.
        func source(_ key: String) throws(ProgramError) -> [PayloadSource] {
            if table.has(key) { return try table.sources(key) }
            return places.contains { $0.names.contains(key) } ? [.parts("{\(key)}")] : []
        }
        device = try source("device")
        channel = try source("channel")
        guard !device.isEmpty else {
            throw table.wrong("device", "is missing: a path, or {device} in the topic or path")
        }
        try requireParts(device + channel, "device", table)
        alive = try table.alive()
        every = try table.duration("every")
    }

    private func requireParts(_ sources: [PayloadSource], _ key: String, _ table: AdapterTable)
        throws(ProgramError)
    {
        for case .parts(let text) in sources
        where !places.contains(where: { text.partNames.allSatisfy($0.names.contains) }) {
            throw table.wrong(key, "\(text) is no part of \(placeTexts.joined(separator: " or of "))")
        }
    }

    private mutating func readValues(_ table: AdapterTable) throws(ProgramError) {
        when = try table.conditions("when")
        unless = try table.conditions("unless")
        (`in`, out) = (try table.amount("in"), try table.amount("out"))
        guard `in` != nil || out != nil || !counts else { throw table.wrong("in", "is missing, or out") }
        for (name, amount) in [("in", `in`), ("out", out)] {
            if case .add? = amount, rules.mode == .cumulative {
                throw table.wrong(name, "a total is a path: { add = … } is for modes event and interval")
            }
            if case .path(let sources)? = amount { try requireParts(sources, name, table) }
        }
        key = try table.sources("key")
        sequence = try table.sources("seq")
        uptime = try table.sources("uptime")
    }

    private mutating func readTimes(_ table: AdapterTable, zone: ZoneOffsets) throws(ProgramError) {
        time = try table.sources("time")
        timeFormat.format = try table.text("time-format")
        guard timeFormat.format.map(ReadingTime.admits) ?? true else {
            throw table.wrong("time-format", "has %Y, %m and %d, and of others %H, %M and %S only")
        }
        rules.zone = zone
        if let own = try table.text("zone") {
            do throws(ZoneError) { rules.zone = try ZoneOffsets(of: own, in: ReadingTime.years) } catch {
                throw table.wrong("zone", "\(error)")
            }
        }
        hasZone = table.has("zone")
        let range = try table.sources("range")
        let period = try table.duration("period")
        if rules.mode != .interval { return }
        switch (range.count, period) {
        case (2, nil): span = .range([range[0]], [range[1]])
        case (0, let period?): span = .period(period)
        default: throw table.wrong("range", "mode interval needs range = [from, to], or period")
        }
    }

    private mutating func readRules(_ table: AdapterTable) throws(ProgramError) {
        let keysOfModes: [(CountingRules.Mode, [String])] = [
            (.interval, ["range", "period"]), (.cumulative, ["wrap", "resets", "on-fall", "max-rate"]),
            (.event, ["edge", "min-gap"]),
        ]
        for (mode, keys) in keysOfModes where mode != rules.mode {
            if let key = keys.first(where: table.has) {
                throw table.wrong(key, "is only for mode \(mode.rawValue)")
            }
        }
        rules.wrap = try table.number("wrap")
        rules.onFall = try table.choice("on-fall") ?? .baseline
        rules.maxRate = try table.number("max-rate") ?? rules.maxRate
        guard rules.maxRate <= 1000 else { throw table.wrong("max-rate", "is at most 1000 people a second") }
        edge = try table.conditions("edge")
        rules.hasEdge = !edge.isEmpty
        rules.minGap = try table.duration("min-gap") ?? .zero
        if let text = try table.text("since") {
            guard let since = timeFormat.moment(text, in: rules.zone, near: Timestamp(microseconds: 0)) else {
                throw table.wrong("since", "is a time, such as 2026-01-14T13:03:59Z")
            }
            rules.since = since
        }
        for text in try table.texts("resets") {
            if text == "boot" {
                guard table.has("uptime") else { throw table.wrong("resets", "\"boot\" needs uptime") }
                rules.resetsAtBoot = true
            } else {
                guard text.count == 5, let minute = OpeningHours.minutes(text[...]), minute < 24 * 60 else {
                    throw table.wrong("resets", "'\(text)' is no time of day, such as 00:00, and not boot")
                }
                rules.resets.append(minute)
            }
        }
    }
}
