import CounterModel
import Linux

@testable import Adapters

/// The cases of `cases.txt`: messages, and what each counts. The file says how they are written.
struct AdapterCase: CustomStringConvertible, Sendable {
    struct Step: Sendable {
        let line: Int
        let message: String
        let expected: String
    }

    let title: String
    let line: Int
    /// The name of an adapter that comes with the program, or a whole file.
    var adapter = ""
    var toml = ""
    var steps: [Step] = []

    /// The beginnings of files: an adapter `t`, for totals as they are, or for the member `n` of an object.
    private static let bases = [
        "plain": "[adapter.t]\ntopic = 't/{device}'\nformat = 'plain'\nin = '.'\nmode = 'cumulative'\n",
        "member": member, "timed": member + "mode = 'cumulative'\ntime = 't'\n",
        "ranges": member + "mode = 'interval'\nrange = ['a', 'b']\n",
        "uptime": member + "mode = 'cumulative'\nuptime = 'u'\n",
    ]
    private static let member = "[adapter.t]\ntopic = 't/{device}'\nin = 'n'\n"

    var description: String { "cases.txt:\(line): \(title)" }

    static func all(in text: String) -> [AdapterCase] {
        var cases: [AdapterCase] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where !line.isEmpty && !line.hasPrefix("#") {
            let body = line.drop { $0 == " " }
            if line.first != " " {
                cases.append(AdapterCase(title: String(line), line: index + 1))
            } else if body.hasPrefix("| ") {
                cases[cases.count - 1].toml += body.dropFirst(2) + "\n"
            } else if body.hasPrefix("base "), let base = bases[String(body.dropFirst(5))] {
                cases[cases.count - 1].toml += base
            } else if body.hasPrefix("adapter ") {
                cases[cases.count - 1].adapter = String(body.dropFirst("adapter ".count))
            } else if let arrow = body.ranges(of: " -> ").last {
                let step = Step(
                    line: index + 1, message: wholeTime(body[..<arrow.lowerBound]),
                    expected: String(body[arrow.upperBound...]))
                cases[cases.count - 1].steps.append(step)
            }
        }
        return cases
    }

    /// `10:00` is on 2026-11-22, `23/10:00` on the day after.
    private static func wholeTime(_ message: Substring) -> String {
        let word = message.prefix { $0 != " " }
        guard let match = word.wholeMatch(of: /((\d\d)\/)?(\d\d:\d\d)(:\d\d)?/) else {
            return String(message)
        }
        let (day, seconds) = (match.2 ?? "22", match.4 ?? ":00")
        return "2026-11-\(day)T\(match.3)\(seconds)Z" + message[word.endIndex...]
    }

    func trial() throws -> AdapterTrial {
        let file =
            toml.isEmpty
            ? try AdapterFile.builtIn(zone: "UTC") : try AdapterFile(toml, name: title, zone: "UTC")
        return AdapterTrial(file, file.adaptersInUse.filter { adapter.isEmpty || $0.name == adapter })
    }
}

extension ReadingOutcome {
    /// `C8 +5 -0`; words where there is no verdict.
    var short: String {
        guard let verdict else { return words }
        let (people, others) = (verdict.numbers.in ?? 0, verdict.numbers.out ?? 0)
        return verdict.rule.text + (people == 0 && others == 0 ? "" : " +\(people) -\(others)")
    }
}

extension AdapterTrial {
    mutating func take(_ step: AdapterCase.Step) -> [ReadingOutcome] {
        messages(in: Array(step.message.utf8), start: Timestamp(seconds: 1_795_348_800)).flatMap { take($0) }
    }
}
