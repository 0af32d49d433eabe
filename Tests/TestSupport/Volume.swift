import Glibc

/// How often tests repeat themselves: the number of random steps, lines, kills.
///
/// `COUNTER_TEST_VOLUME` selects the volume of all tests: `sample`, the default (`make test`), or `full` (`make soak`). A
/// sample contains every test with all of its expectations.
package enum Volume: String {
    case sample, full

    private static let chosen: Volume = {
        guard let text = getenv("COUNTER_TEST_VOLUME").map({ String(cString: $0) }) else { return .sample }
        guard let volume = Volume(rawValue: text) else {
            fatalError("COUNTER_TEST_VOLUME is sample or full, not '\(text)'")
        }
        return volume
    }()

    /// The number of repetitions in this run.
    ///
    /// - Parameters:
    ///   - sample: The number that finds likely mistakes.
    ///   - full: The number that finds unlikely ones too.
    /// - Returns: One of the two.
    package static func of(sample: Int, full: Int) -> Int { chosen == .full ? full : sample }

    /// The cases of this run, where all cases are of one kind, such as seeds.
    ///
    /// - Parameters:
    ///   - sample: The number of cases in a sample.
    ///   - full: All of them.
    /// - Returns: All cases, or some at equal distances.
    package static func of<Element>(sample: Int, full: some Collection<Element>) -> [Element] {
        let all = Array(full)
        return chosen == .full ? all : (0..<sample).map { all[$0 * all.count / sample] }
    }
}
