import Linux

@testable import KeyProtocol
@testable import VolumeInput

/// What happens to the keys of one device, with time as data.
///
///     d:up  u:down      a key goes down, up: a frame of its own, on node 1
///     d:up@2            on node 2
///     [d:up u:up]       one frame of several changes; [d:up d:down]@2 on node 2
///     t:50  t:0.5       50 ms, 500 µs pass; t:-5 makes the next stamps go backwards
///     drop:up+down@2    SYN_DROPPED; these keys of the node are down after it. drop: for none
///     gone  gone@2      the node goes away
///     ahead:300         the program sees its clock 300 ms further on, with what follows not read yet
struct GestureScript: Sendable {
    struct Step: Hashable, Sendable {
        var stamp: MonotonicTime
        var action: Action
    }

    enum Action: Hashable, Sendable {
        case frame(NodeID, KeyChanges)
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
        var frame: KeyChanges?
        for word in text.split(whereSeparator: \.isWhitespace).map(String.init) {
            let node = try Self.node(of: word)
            let isLast = word.contains("]")
            var body = word.prefix { $0 != "@" && $0 != "]" }
            if body.hasPrefix("[") {
                frame = KeyChanges()
                body = body.dropFirst()
            }
            if var open = frame {
                guard let change = Self.change(body), open.append(change) else {
                    throw Unreadable(word: word)
                }
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
        let parts = body.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? parts[1] : ""
        switch parts[0] {
        case "d", "u":
            guard let change = Self.change(body) else { throw Unreadable(word: String(body)) }
            add(.frame(node, KeyChanges([change])))
        case "t": pass(try Self.duration(value))
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
        guard parts.count == 2, parts[0] == "d" || parts[0] == "u", let key = key(parts[1]) else {
            return nil
        }
        return KeyChange(key, isDown: parts[0] == "d")
    }

    private static func key(_ name: Substring) -> CountedKey? {
        CountedKey.allCases.first { "\($0)" == name }
    }

    private static func keys(_ list: Substring) throws -> CountedKeys {
        CountedKeys(
            try list.split(separator: "+").map { name in
                guard let key = key(name) else { throw Unreadable(word: String(list)) }
                return CountedKeys(key)
            })
    }

    private static func duration(_ text: Substring) throws -> Duration {
        guard let value = Double(text) else { throw Unreadable(word: String(text)) }
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
                words.append("ahead:\(milliseconds(step.stamp - now))")
                continue
            }
            if step.stamp != now { words.append("t:\(milliseconds(step.stamp - now))") }
            now = step.stamp
            words.append("\(step.action)")
        }
        if end != now { words.append("t:\(milliseconds(end - now))") }
        return words.joined(separator: " ")
    }
}

extension GestureScript.Action: CustomStringConvertible {
    var description: String {
        switch self {
        case .frame(let node, let changes):
            let words = changes.map { "\($0.isDown ? "d" : "u"):\($0.key)" }.joined(separator: " ")
            return (changes.count == 1 ? words : "[\(words)]") + "@\(node.rawValue)"
        case .drop(let node, let keys):
            let names = CountedKey.allCases.filter { keys.contains(CountedKeys($0)) }.map { "\($0)" }
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
