import Linux
import Testing

@testable import KeyProtocol
@testable import VolumeInput

/// What happens to the keys of one device, with time as data. `Gestures/timing-table.txt` explains the words.
struct GestureScript: Sendable {
    struct Step: Hashable, Sendable {
        var stamp: MonotonicTime
        var action: Action
    }

    enum Action: Hashable, Sendable {
        case frame(NodeID, [KeyChange])
        case drop(NodeID, down: CountedKeys)
        case gone(NodeID)
        case ahead
    }

    var steps: [Step] = []
    /// The end of the script; nothing is ahead of it.
    var end = MonotonicTime(microseconds: 0)

    struct Unreadable: Error { let word: String }

    init() {}

    init(_ text: String) throws {
        var frame: [KeyChange]?
        for word in text.split(whereSeparator: \.isWhitespace).map(String.init) {
            let node = try Self.node(of: word)
            let isLast = word.contains("]")
            var body = word.prefix { $0 != "@" && $0 != "]" }
            if body.hasPrefix("[") {
                frame = []
                body = body.dropFirst()
            }
            if var open = frame {
                guard let change = Self.change(body) else { throw Unreadable(word: word) }
                open.append(change)
                frame = isLast ? nil : open
                if isLast { add(.frame(node, open)) }
            } else {
                try add(body, on: node)
            }
        }
        if frame != nil { throw Unreadable(word: text) }
    }

    mutating func add(_ action: Action) { steps.append(Step(stamp: end, action: action)) }

    mutating func pass(_ duration: Duration) { end = end + duration }

    private mutating func add(_ body: Substring, on node: NodeID) throws {
        if body.hasSuffix("ms"), !body.contains(":") { return pass(try Self.duration(body)) }
        let parts = body.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? parts[1] : ""
        switch parts[0] {
        case "press", "release":
            guard let change = Self.change(body) else { throw Unreadable(word: String(body)) }
            add(.frame(node, [change]))
        case "drop": add(.drop(node, down: try Self.keys(value)))
        case "gone": add(.gone(node))
        case "ahead": steps.append(Step(stamp: end + (try Self.duration(value)), action: .ahead))
        default: throw Unreadable(word: String(body))
        }
    }

    private static func node(of word: String) throws -> NodeID {
        guard let mark = word.firstIndex(of: "@") else { return NodeID(rawValue: 1) }
        guard let number = UInt32(word[word.index(after: mark)...]) else { throw Unreadable(word: word) }
        return NodeID(rawValue: number)
    }

    private static func change(_ body: Substring) -> KeyChange? {
        let parts = body.split(separator: ":")
        guard parts.count == 2, ["press", "release"].contains(parts[0]), let key = key(parts[1]) else {
            return nil
        }
        return KeyChange(key, isDown: parts[0] == "press")
    }

    private static func key(_ name: Substring) -> CountedKey? {
        CountedKey.allCases.first { "\($0)" == name }
    }

    private static func keys(_ list: Substring) throws -> CountedKeys {
        CountedKeys(
            try list.split(separator: "+").map { name in
                guard let key = key(name) else { throw Unreadable(word: String(list)) }
                return key
            })
    }

    private static func duration(_ text: Substring) throws -> Duration {
        guard text.hasSuffix("ms"), let value = Double(text.dropLast(2)) else {
            throw Unreadable(word: String(text))
        }
        return .microseconds(Int64((value * 1000).rounded()))
    }
}

extension GestureScript: CustomStringConvertible {
    /// The script as text, so that a random one that fails can be pasted into a test.
    var description: String {
        var words: [String] = []
        var now = MonotonicTime(microseconds: 0)
        for step in steps {
            if case .ahead = step.action {
                words.append("ahead:\(milliseconds(step.stamp - now))ms")
                continue
            }
            if step.stamp != now { words.append("\(milliseconds(step.stamp - now))ms") }
            now = step.stamp
            words.append("\(step.action)")
        }
        if end != now { words.append("\(milliseconds(end - now))ms") }
        return words.joined(separator: " ")
    }
}

extension GestureScript.Action: CustomStringConvertible {
    var description: String {
        switch self {
        case .frame(let node, let changes):
            let words = changes.map { "\($0.isDown ? "press" : "release"):\($0.key)" }.joined(separator: " ")
            return (changes.count == 1 ? words : "[\(words)]") + "@\(node.rawValue)"
        case .drop(let node, let keys):
            let names = CountedKey.allCases.filter { keys.contains($0) }.map { "\($0)" }
            return "drop:\(names.joined(separator: "+"))@\(node.rawValue)"
        case .gone(let node): return "gone@\(node.rawValue)"
        case .ahead: return "ahead"
        }
    }
}

/// A time in milliseconds, with a fraction only where it has one.
func milliseconds(_ duration: Duration) -> String {
    let microseconds = duration.microseconds
    let isWhole = microseconds.isMultiple(of: 1000)
    return isWhole ? String(microseconds / 1000) : String(Double(microseconds) / 1000)
}

func milliseconds(_ time: MonotonicTime) -> String { milliseconds(time - MonotonicTime(microseconds: 0)) }

// MARK: - Cases in a text

/// A rule of `Gestures/timing-table.txt` with its cases.
struct GestureRule: CustomTestStringConvertible, Sendable {
    struct Case: Sendable {
        let line: Int
        let script: String
        /// With each ellipsis written out.
        let outcome: String
        /// Whether `outcome` has only what is left in the end, in place of all events.
        let isOnlyLeft: Bool
    }

    let testDescription: String
    private(set) var timing = GestureTiming()
    private(set) var admitsChords = true
    private(set) var heldChord: Duration?
    private(set) var cases: [Case] = []

    /// The rules of the text.
    static func all(in path: String) throws -> [GestureRule] {
        var rules: [GestureRule] = []
        var script = ""
        for (number, line) in try TextFile(path: path, name: path).text.split(
            separator: "\n", omittingEmptySubsequences: false
        ).enumerated() {
            let words = line.split(separator: " ")
            if words.isEmpty || words[0].hasPrefix("#") { continue }
            guard line.hasPrefix(" ") else {
                rules.append(try GestureRule(heading: String(line)))
                continue
            }
            let arrow = words.firstIndex { $0 == "->" || $0 == "=>" }
            script += words[..<(arrow ?? words.endIndex)].joined(separator: " ") + " "
            guard let arrow else { continue }
            rules[rules.count - 1].cases.append(
                Case(
                    line: number + 1, script: script,
                    outcome: Self.expanded(words[(arrow + 1)...].map(String.init)).joined(separator: " "),
                    isOnlyLeft: words[arrow] == "=>"))
            script = ""
        }
        return rules
    }

    /// A heading ends in the settings that are not the defaults: `Settings (debounce 10, chord 0)`.
    private init(heading: String) throws {
        testDescription = heading
        guard let open = heading.lastIndex(of: "("), heading.hasSuffix(")") else { return }
        for setting in heading[open...].dropFirst().dropLast().split(separator: ",") {
            let words = setting.split(separator: " ")
            switch words[0] {
            case "chords": admitsChords = words[1] != "off"
            case "held-chord": heldChord = .milliseconds(Int(words[1]) ?? 0)
            default: try timing.set(String(words[0]), to: .milliseconds(try Self.number(words[1])))
            }
        }
    }

    private static func number(_ word: Substring) throws -> Int {
        guard let number = Int(word) else { throw GestureScript.Unreadable(word: String(word)) }
        return number
    }

    /// `+1@400 +1@550 … +1@850` with what is between.
    private static func expanded(_ words: [String]) -> [String] {
        guard let gap = words.firstIndex(of: "…") else { return words }
        let times = [words[gap - 2], words[gap - 1], words[gap + 1]].compactMap {
            $0.split(separator: "@").last.flatMap { Int($0) }
        }
        let between = stride(from: times[1], to: times[2], by: times[1] - times[0]).dropFirst()
        let count = words[gap - 1].prefix { $0 != "@" }
        return words[..<gap] + between.map { "\(count)@\($0)" } + words[(gap + 1)...]
    }
}

extension GestureTiming {
    /// Sets a setting by its name on the command line.
    mutating func set(_ setting: String, to value: Duration) throws {
        switch setting {
        case "debounce": debounce = value
        case "chord": chord = value
        case "hold-delay": holdDelay = value
        case "repeat": repeatInterval = value
        case "bounce": bounce = value
        case "hold-limit": holdLimit = value
        default: throw GestureScript.Unreadable(word: setting)
        }
    }
}
