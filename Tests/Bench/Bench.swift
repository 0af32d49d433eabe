import Glibc
import TestSupport

/// `make bench`: what the program costs, each beside something that everybody knows, measured in the same run.
@main
enum Bench {
    static func main() {
        do {
            switch CommandLine.arguments.dropFirst().first {
            case "host": try host()
            case "guest": try guest()
            default: fail("counter-bench host|guest", status: EX_USAGE)
            }
        } catch { fail("\(error)", status: EX_SOFTWARE) }
    }

    /// What needs no device.
    private static func host() throws {
        let rounds = 20
        Table.header()
        let counter = try Measure.start(rounds) { try Subject.screens() }
        let shell = try Measure.start(rounds) { try Subject.shell() }
        Table.row("start to first paint", "ms", counter, beside: "bash to its prompt", shell)
        let memory = try Measure.memoryOfCounting()
        Table.row("memory of both processes, counting", "MB", memory.both, beside: "one bash", memory.shell)
    }

    /// What needs a kernel device.
    private static func guest() throws {
        let presses = 200
        let counter = try Measure.pressToPaint(presses) { try Subject.screens() }
        let evtest = try Measure.pressToLine(presses)
        for (name, part) in [("p50", 0.5), ("p99", 0.99)] {
            Table.row(
                "press to paint in the guest, \(name)", "ms", counter.quantile(part), beside: "evtest's line",
                evtest.quantile(part))
        }
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        let line = Array("counter-bench: \(message)\n".utf8)
        write(STDERR_FILENO, line, line.count)
        exit(status)
    }
}

/// The rows, as text for people.
enum Table {
    static func header() { line("what", "counter", "beside it", "", "ratio") }

    static func row(
        _ what: String, _ unit: String, _ value: Double, beside other: String, _ reference: Double
    ) {
        line(
            what, "\(rounded(value)) \(unit)", "\(rounded(reference)) \(unit)", other,
            rounded(value / reference) + " ×")
    }

    private static func line(_ cells: String...) {
        let widths = [40, 12, 12, 22, 8]
        print(
            zip(cells, widths).map { $0 + String(repeating: " ", count: max(0, $1 - $0.count)) }
                .joined(separator: " "))
    }

    private static func rounded(_ value: Double) -> String {
        let tenths = Int((value * 100).rounded())
        let fraction = String(tenths % 100)
        return "\(tenths / 100).\(fraction.count == 1 ? "0" : "")\(fraction)"
    }
}
