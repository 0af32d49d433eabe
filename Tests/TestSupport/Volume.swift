import Glibc

/// How much of what they repeat the tests do: how many random steps, lines, kills.
///
/// `COUNTER_TEST_VOLUME` chooses, for all tests alike: `sample`, which is what they do without it (`make test`), or `full`
/// (`make soak`). A sample has every test and each of their expectations.
package enum Volume: String {
    case sample, full

    private static let chosen: Volume = {
        guard let text = getenv("COUNTER_TEST_VOLUME").map({ String(cString: $0) }) else { return .sample }
        guard let volume = Volume(rawValue: text) else {
            fatalError("COUNTER_TEST_VOLUME is sample or full, not '\(text)'")
        }
        return volume
    }()

    /// How often this run repeats something.
    ///
    /// - Parameters:
    ///   - sample: What finds the mistakes that somebody is likely to make.
    ///   - full: What finds the unlikely ones too.
    /// - Returns: One of the two.
    package static func of(sample: Int, full: Int) -> Int { chosen == .full ? full : sample }

    /// Which cases this run has, where all are of one kind, such as seeds.
    ///
    /// - Parameters:
    ///   - sample: How many of them a sample has.
    ///   - full: All of them.
    /// - Returns: All, or some that lie equally far apart.
    package static func of<Element>(sample: Int, full: some Collection<Element>) -> [Element] {
        let all = Array(full)
        return chosen == .full ? all : (0..<sample).map { all[$0 * all.count / sample] }
    }
}
