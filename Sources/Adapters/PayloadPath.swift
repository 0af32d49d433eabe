import CounterModel

/// Where a path begins, and what its `{part}`s stand for.
struct PayloadScope {
    /// The whole message, or one of its items where it is an array.
    let message: JSONValue
    /// What was found, or the item that a reading is made from.
    var value: JSONValue
    /// The items of lists on the way to the value, the innermost last.
    var items: [JSONValue] = []
    /// The `{part}`s of the topic or path.
    let parts: [String: String]

    init(message: JSONValue, parts: [String: String]) {
        (self.message, value, self.parts) = (message, message, parts)
    }
}

/// The place of a value in a payload.
///
/// | path | value |
/// |---|---|
/// | `a.b` | the member `b` of the member `a` |
/// | `a[0]`, `a[-1]`, `a[*]` | the first, the last, every item of the list `a` |
/// | `a[name=fw]` | its items whose member `name` is `fw` |
/// | `/a` | from the message, not from the item |
/// | `^.a` | from the item of the list around the item |
/// | `.` | the item itself |
struct PayloadPath: Hashable {
    private enum Step: Hashable {
        case member(String), item(Int), all, matching(String, String)
    }
    private enum Start: Hashable {
        case message, around(Int)
    }

    private let start: Start
    private var steps: [Step] = []

    /// nil where the text is no path.
    init?(_ text: String) {
        var rest = text[...]
        if rest.first == "/" {
            start = .message
            rest.removeFirst()
        } else {
            var levels = 0
            while rest.hasPrefix("^.") {
                levels += 1
                rest.removeFirst(2)
            }
            start = .around(levels)
        }
        if rest == "." || rest.isEmpty && start == .message { return }
        for part in Self.split(rest) {
            guard let read = Self.steps(part) else { return nil }
            steps += read
        }
    }

    /// The parts between dots; those within brackets do not count.
    private static func split(_ text: Substring) -> [Substring] {
        var isInBrackets = false
        return text.split(omittingEmptySubsequences: false) { sign in
            if sign == "[" || sign == "]" { isInBrackets = sign == "[" }
            return sign == "." && !isInBrackets
        }
    }

    private static func steps(_ part: Substring) -> [Step]? {
        let name = part.prefix { $0 != "[" }
        guard !name.isEmpty, !name.contains("]"), !name.contains("^"), !name.contains("/") else { return nil }
        var steps = [Step.member(String(name))]
        var rest = part[name.endIndex...]
        while !rest.isEmpty {
            guard rest.first == "[", let end = rest.firstIndex(of: "]") else { return nil }
            let inner = rest[..<end].dropFirst()
            rest = rest[rest.index(after: end)...]
            if inner == "*" {
                steps.append(.all)
            } else if let index = Int(inner), inner.first != "+" {
                steps.append(.item(index))
            } else if let sign = inner.firstIndex(of: "="), sign > inner.startIndex {
                steps.append(.matching(String(inner[..<sign]), String(inner[inner.index(after: sign)...])))
            } else {
                return nil
            }
        }
        return steps
    }

    /// All values that are there, each with the items around it. Null is not there.
    func found(in scope: PayloadScope) -> [PayloadScope] {
        var first = scope
        switch start {
        case .message: (first.value, first.items) = (scope.message, [])
        case .around(0): break
        case .around(let levels):
            guard scope.items.count > levels else { return [] }
            first.items = scope.items.dropLast(levels)
            first.value = first.items[first.items.count - 1]
        }
        return steps.reduce([first]) { found, step in found.flatMap { Self.take(step, from: $0) } }
            .filter { $0.value != .null }
    }

    private static func take(_ step: Step, from scope: PayloadScope) -> [PayloadScope] {
        func only(_ value: JSONValue?) -> [PayloadScope] {
            guard let value else { return [] }
            var next = scope
            next.value = value
            return [next]
        }
        func item(_ value: JSONValue) -> PayloadScope {
            var next = scope
            next.value = value
            next.items.append(value)
            return next
        }
        let list = scope.value.list
        switch step {
        case .member(let name): return only(scope.value.members[name.filled(scope.parts)])
        case .item(let index):
            let place = index < 0 ? list.count + index : index
            return list.indices.contains(place) ? [item(list[place])] : []
        case .all: return list.map(item)
        case .matching(let name, let text):
            return list.filter { $0.members[name]?.scalar == text.filled(scope.parts) }.map(item)
        }
    }
}

extension JSONValue {
    var members: [String: JSONValue] {
        guard case .object(let members) = self else { return [:] }
        return members
    }

    /// The items. What is no list is a list of itself: XML does not tell an element that occurs once from a list with one.
    var list: [JSONValue] {
        switch self {
        case .list(let items): items
        case .null: []
        case .flag, .number, .text, .object: [self]
        }
    }

    /// A text, a number or a Boolean as text; of an element of XML its own text.
    var scalar: String? {
        switch self {
        case .text(let text), .number(let text): text
        case .flag(let flag): flag ? "true" : "false"
        case .object(let members): members[""]?.scalar
        case .list, .null: nil
        }
    }
}

extension String {
    /// The text with each `{part}` replaced by what it stands for.
    func filled(_ parts: [String: String]) -> String {
        var filled = "", rest = self[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            filled += rest[..<open]
            filled += parts[String(rest[open..<close].dropFirst())] ?? String(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return filled + rest
    }

    var partNames: [String] {
        split(separator: "{").filter { $0.contains("}") }.map { String($0.prefix { $0 != "}" }) }
    }
}

// MARK: - Sources of texts

/// Where a text comes from: a path, or, where it begins with one, `{part}`s of the topic.
enum PayloadSource: Hashable {
    case parts(String), path(PayloadPath)

    init?(_ text: String) {
        if text.hasPrefix("{") {
            self = .parts(text)
        } else {
            guard let path = PayloadPath(text) else { return nil }
            self = .path(path)
        }
    }

    func found(in scope: PayloadScope) -> [JSONValue] {
        switch self {
        case .parts(let text):
            // A topic has others than a path.
            text.partNames.allSatisfy { scope.parts[$0] != nil } ? [.text(text.filled(scope.parts))] : []
        case .path(let path): path.found(in: scope).map(\.value)
        }
    }
}

extension [PayloadSource] {
    /// What the first of the sources finds that finds anything.
    func firstFound(in scope: PayloadScope) -> [JSONValue] {
        for source in self {
            let found = source.found(in: scope)
            if !found.isEmpty { return found }
        }
        return []
    }

    func text(in scope: PayloadScope) -> String? { firstFound(in: scope).first?.scalar }
}

/// A path whose value has to be one of several, or only has to be there (`"*"`).
struct PayloadCondition: Hashable {
    let path: PayloadPath
    let values: [String]

    func holds(in scope: PayloadScope) -> Bool {
        path.found(in: scope).contains { found in
            values == ["*"] || values.contains { $0.filled(scope.parts) == found.value.scalar }
        }
    }
}

// MARK: - Topics and paths

/// An MQTT filter or the path of a URL, with named parts: `{name}` is one level, `{name...}` the rest.
struct PlacePattern: Hashable {
    private let levels: [Substring]

    /// nil where what takes the rest is not the last.
    init?(_ text: String) {
        levels = text.split(separator: "/", omittingEmptySubsequences: false)
        guard !text.isEmpty, levels.dropLast().allSatisfy({ !Self.takesRest($0) }) else { return nil }
    }

    private static func takesRest(_ level: Substring) -> Bool { level == "#" || level.hasSuffix("...}") }

    private static func name(_ level: Substring) -> String? {
        guard level.hasPrefix("{"), level.hasSuffix("}") else { return nil }
        return String(level.dropFirst().dropLast(level.hasSuffix("...}") ? 4 : 1))
    }

    /// As it is written.
    var text: String { levels.joined(separator: "/") }

    /// As an MQTT filter; see MQTT 3.1.1, 4.7.
    var filter: String {
        levels.map { Self.takesRest($0) ? "#" : Self.name($0) == nil ? String($0) : "+" }.joined(
            separator: "/")
    }

    var names: [String] { levels.compactMap(Self.name) }

    /// A place that it matches: each part is its own name.
    var example: String {
        levels.map { Self.name($0) ?? (["+", "#"].contains($0) ? "any" : String($0)) }.joined(separator: "/")
    }

    /// What the named parts are in a place; nil where the place does not match.
    func parts(of place: String) -> [String: String]? {
        var rest = place.split(separator: "/", omittingEmptySubsequences: false)[...]
        var parts: [String: String] = [:]
        for level in levels {
            guard let next = rest.first else { return nil }
            let taken = Self.takesRest(level) ? rest.joined(separator: "/") : String(next)
            rest = Self.takesRest(level) ? [] : rest.dropFirst()
            if let name = Self.name(level) {
                guard !taken.isEmpty else { return nil }
                parts[name] = taken
            } else if level != "#", level != "+", level != next {
                return nil
            }
        }
        return rest.isEmpty ? parts : nil
    }
}
