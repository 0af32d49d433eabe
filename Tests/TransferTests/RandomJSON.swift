import TestSupport

@testable import CounterModel
@testable import Transfer

/// Lines that are JSON objects, or almost.
enum RandomJSON {
    /// How many a test tries.
    static let cases = Volume.of(sample: 20_000, full: 1_000_000)

    private static let columns = LineColumn.allCases.map(\.rawValue)
    private static let strings = [
        "", "a", "\\n", "\\u0041", "\\ud83d\\ude00", "\\ud800", "\\udc00", "\\u00g0", "\\x", "é", "e\u{301}",
        "\u{1F600}",
        "\u{1}", "\u{7F}", "\u{85}", "\\\"", "\\\\", "\\u0000", "in", "out", "reset", "void", "endOfDay",
        "setting",
        "2026-01-14T13:03:59Z", "9999-12-31T23:59:59-23:59", "default", "hardware", "timezone", "capacity",
        "true",
    ]
    private static let numbers = [
        "0", "-0", "1", "-1", "01", "1.5", ".5", "1.", "1e3", "1E+3", "1e-3", "1e", "1e999", "-1e999",
        "1e-999", "+1",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808",
        "123456789012345678901234567890",
        String(repeating: "9", count: 310), String(repeating: "9", count: 300), "0x1", "1_000", "Infinity",
        "-Infinity",
        "NaN",
    ]
    private static let words = ["true", "false", "null", "nul", "True", ""]

    /// A line: mostly an object of known members, sometimes damaged.
    static func line(_ random: inout SplitMix64) -> [UInt8] {
        var line = Array(object(&random, depth: 0).utf8)
        if random.below(3) != 0 { return line }
        for _ in 0...random.below(2) where !line.isEmpty {
            let place = random.below(line.count)
            switch random.below(4) {
            case 0: line.remove(at: place)
            case 1: line[place] = UInt8(truncatingIfNeeded: random.next())
            case 2: line.insert(random.element(of: Array(#""{}[],:\ "#.utf8)), at: place)
            default: line.removeSubrange(place...)
            }
        }
        return line
    }

    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func object(_ random: inout SplitMix64, depth: Int) -> String {
        let members = (0..<random.below(6)).map { _ in
            let isKnown = depth == 0 && random.below(4) != 0
            let name = isKnown ? random.element(of: columns) : string(&random)
            return "\"\(name)\"\(space(&random)):\(value(&random, depth: depth + 1))"
        }
        return space(&random) + "{" + members.joined(separator: ",") + "}" + space(&random)
    }

    private static func value(_ random: inout SplitMix64, depth: Int) -> String {
        let kind = random.below(depth < 4 ? 12 : 9)
        switch kind {
        case 0...4: return "\"\(string(&random))\""
        case 5...7:
            return random.below(4) == 0 ? random.element(of: numbers) : "\(random.below(3) - 1)"
        case 8:
            let most = random.below(6) == 0 ? words.count : 3
            return words[random.below(most)]
        case 9: return object(&random, depth: depth)
        default:
            return "["
                + (0..<random.below(3)).map { _ in value(&random, depth: depth + 1) }.joined(separator: ",")
                + "]"
        }
    }

    private static func string(_ random: inout SplitMix64) -> String {
        // Few members are wrong, or no line would be valid.
        (0..<random.below(3)).map { _ in
            random.below(12) == 0 ? random.element(of: strings) : "n\(random.below(50))"
        }.joined()
    }

    private static func space(_ random: inout SplitMix64) -> String {
        random.element(of: [" ", "", "", "", "\t"])
    }
}
