import Glibc
import TestSupport
import Testing

@testable import CounterStore

/// A day of the real program, on the screen and on the command line, from its first start on, with a recording of its
/// file operations.
final class RecordedSession {
    /// The journal's directory, relative to the folder; at first neither it nor its parent exists.
    static let journal = "/tally/journal"

    /// The folder that contains all files.
    var folder: String { place.directory }
    let recording: Recording
    private let place: Workplace
    private let scratch: ScratchFolder

    /// `synchronous` is lowered to this value without the program's knowledge.
    init(synchronous: String? = nil) throws {
        scratch = try ScratchFolder()
        place = try Workplace(environment: ["COUNTER_DEVICE": "/dev/input/none"])
        place.environment.merge([
            "COUNTER_DATA_DIR": place.directory + Self.journal, "LD_PRELOAD": BuiltProducts.powerCutRecorder,
            "POWER_CUT_FOLDER": place.directory, "POWER_CUT_RECORDING": scratch.path(of: "recording"),
            "POWER_CUT_SYNCHRONOUS": synchronous,
        ]) { $1 }
        try Self.spend(place)
        recording = try Recording(contentsOf: scratch.path(of: "recording"))
    }

    /// Changes of every kind. Each is awaited before the next, so that each is a commit of its own.
    private static func spend(_ place: Workplace) throws {
        #expect(try place.run("add", "3").output == "3\n")
        try place.count(from: 3)
        let lines = (0..<60).map { "2026-01-14T13:03:\($0 / 10)\($0 % 10)Z,1,door,\($0 + 1)\n" }
        let file = "timestamp,delta,deviceId,sequenceNumber\n" + lines.joined()
        #expect(try place.run("import", "-", input: file).status == .exited(0))
        #expect(try place.run("location", "add", "Hall").status == .exited(0))
        #expect(try place.run("reset", "--to=40").output == "40\n")
        #expect(try place.run("undo").output == "75\n")
        try place.count(from: 75)
        #expect(try place.run("sub", "2").output == "85\n")
    }
}

extension Workplace {
    /// Counts twelve on the screen, then a reset and a count that are undone.
    fileprivate func count(from start: Int) throws {
        let screen = try openUnseen()
        defer { screen.end() }
        try screen.skipOutput(past: "]2;Count \(start)")
        for number in 1...12 {
            try screen.write("+")
            try screen.skipOutput(past: "]2;Count \(start + number)")
        }
        for (key, count) in [("r", 0), ("-", -1), ("u", 0), ("u", start + 12)] {
            try screen.write(key)
            try screen.skipOutput(past: "]2;Count \(count)")
        }
        try screen.write("q")
        #expect(try screen.wait() == .exited(0))
    }
}
