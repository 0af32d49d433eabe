import Linux

package enum BuiltProducts {
    /// The program: the path in `COUNTER_BINARY` if it is set, else the executable beside the test binary.
    package static var counter: String {
        environmentVariable("COUNTER_BINARY") ?? parentDirectory(testExecutable) + "/counter"
    }

    /// The directory of the programs.
    package static var directory: String { parentDirectory(counter) }

    package static var counterKeys: String { directory + "/counter-keys" }

    package static var counterHub: String { directory + "/counter-hub" }

    package static var counterRinger: String { directory + "/counter-ringer" }

    /// The library that records a program's file operations, beside the test binary.
    package static var powerCutRecorder: String {
        parentDirectory(testExecutable) + "/libPowerCutRecorder.so"
    }

    private static var testExecutable: String { target(ofLink: "/proc/self/exe") }
}

/// How often tests repeat themselves: the number of random steps, lines, kills.
///
/// `COUNTER_TEST_VOLUME` selects the volume of all tests: `sample`, the default (`make test`), or `full` (`make soak`). A
/// sample contains every test with all of its expectations.
package enum Volume: String {
    case sample, full

    private static let chosen: Volume = {
        guard let text = environmentVariable("COUNTER_TEST_VOLUME") else { return .sample }
        guard let volume = Volume(rawValue: text) else {
            fatalError("COUNTER_TEST_VOLUME is sample or full, not '\(text)'")
        }
        return volume
    }()

    /// `sample` finds likely mistakes, `full` unlikely ones too.
    package static func of(sample: Int, full: Int) -> Int { chosen == .full ? full : sample }

    /// The cases of this run, where all cases are of one kind, such as seeds.
    package static func of<Element>(sample: Int, full: some Collection<Element>) -> [Element] {
        let all = Array(full)
        return chosen == .full ? all : (0..<sample).map { all[$0 * all.count / sample] }
    }
}
