import Foundation
import Glibc
import TestSupport
import Testing

/// Many devices at once: all of them are intercepted, each counts, and none is reported twice.
@Suite(.serialized) struct ManyDevicesTests {
    private static let replugs = Volume.of(sample: 6, full: 25)

    @Test func `64 remotes that are plugged in at once are all intercepted, and each counts`() throws {
        let place = try Workplace()
        let listener = try place.listen()
        let server = try keyServer(of: listener.process)
        // The server finds all of them when it continues.
        try server.signal(SIGSTOP)
        let remotes = try (1...64).map {
            try VirtualRemote(.init(name: "Remote \($0)", keys: Self.keys))
        }
        defer { remotes.forEach { $0.destroy() } }
        try server.signal(SIGCONT)
        let told = try listener.errorLines(64) { $0.contains("Remote") }
        #expect(Set(told) == Set((1...64).map { "counter: Remote \($0): exclusive" }))
        let readers = try remotes.map { try SecondReader(node: $0.node) }
        for remote in remotes { try remote.press(.volumeUp, then: .zero) }
        let heard = try place.awaitPresses(64, readers)
        let devices = try place.exported().map { $0.split(separator: ",")[3] }
        #expect(Set(devices).count == 64 - heard)
        #expect(try place.verify().status == .exited(0))
    }

    @Test func `More comings and goings than the kernel keeps for a reader are all found, and none twice`()
        throws
    {
        let place = try Workplace()
        let queues = try ShortQueues(4)
        defer { withExtendedLifetime(queues) {} }
        let listener = try place.listen()
        let server = try keyServer(of: listener.process)
        let early = try (1...8).map { try VirtualRemote(.init(name: "Early \($0)", keys: Self.keys)) }
        defer { early.forEach { $0.destroy() } }
        _ = try listener.errorLines(8) { $0.contains("Early") }
        try server.signal(SIGSTOP)
        // The kernel uses their numbers again at once.
        early.prefix(4).forEach { $0.destroy() }
        let late = try (1...8).map { try VirtualRemote(.init(name: "Late \($0)", keys: Self.keys)) }
        defer { late.forEach { $0.destroy() } }
        try server.signal(SIGCONT)
        let told = try listener.errorLines(12) { $0.contains("Early") || $0.contains("Late") }
        #expect(told.count { $0.hasSuffix(": gone") } == 4)
        #expect(
            Set(told.filter { $0.hasSuffix(": exclusive") })
                == Set((1...8).map { "counter: Late \($0): exclusive" }))
        // What is told twice is told before a device that comes now. Later a busy program may acknowledge the presses too
        // late, and tell that the keys were released meanwhile.
        let marker = try VirtualRemote(.init(name: "Marker", keys: Self.keys))
        defer { marker.destroy() }
        #expect(try listener.readErrorLine() == "counter: Marker: exclusive", "nothing was told twice")
        let remotes = early.dropFirst(4) + late
        let readers = try remotes.map { try SecondReader(node: $0.node) }
        for remote in remotes { try remote.press(.volumeUp, then: .zero) }
        _ = try place.awaitPresses(12, readers)
        try listener.terminate()
    }

    @Test
    func `Replugs of four with permissions that arrive late are each picked up, once, and leave nothing`()
        throws
    {
        let place = try Workplace()
        let listener = try place.start(["listen"], by: asNobody, environment: place.letNobodyIn())
        let pair = try RestTests.Pair(listener.process)
        var told: [String] = []
        var present: [VirtualRemote] = []
        defer { present.forEach { $0.destroy() } }
        // The last four go while the next four come, and these get their numbers.
        func replug(_ round: Int) throws {
            present.forEach { $0.destroy() }
            present = try (1...4).map {
                try VirtualRemote(.init(name: "Replug \(round)-\($0)", keys: Self.keys))
            }
            // As udev does, but late: after each was found to be closed.
            func isClosed(_ line: String) -> Bool {
                Self.number(of: line).hasPrefix("\(round)-") && Self.state(in: line) == "no access"
            }
            while told.count(where: isClosed) < 4 {
                told += try listener.errorLines(1) { $0.contains("Replug") }
            }
            for remote in present { chmod(remote.node, 0o666) }
            while told.count(where: { $0.contains(": exclusive") }) < 4 * round {
                told += try listener.errorLines(1) { $0.contains("Replug") }
            }
            for remote in present { try remote.press(.volumeUp, for: .zero, then: .zero) }
            try listener.expectLines((1...4).map { String((round - 1) * 4 + $0) })
        }
        try replug(1)
        try pair.settle()
        let before = pair.descriptors
        for round in 2...Self.replugs { try replug(round) }
        try eventually("no more descriptors than \(before)", last: { "\(pair.descriptors)" }) {
            zip(pair.descriptors, before).allSatisfy { $0 <= $1 }
        }
        try eventually("both to sleep for 2 s") {
            try pair.settle()
            let switches = pair.switches
            pause(.seconds(2))
            return pair.switches == switches
        }

        let states = Dictionary(grouping: told, by: Self.number).mapValues { $0.map(Self.state) }
        #expect(states.count == 4 * Self.replugs)
        for (number, states) in states {
            let isPresent = number.hasPrefix("\(Self.replugs)-")
            #expect(states == ["no access", "exclusive"] + (isPresent ? [] : ["gone"]), "of \(number)")
        }
    }

    /// The number of a line, such as `3-1` of `counter: Replug 3-1: exclusive`, or of the device's id, which has no
    /// blanks.
    private static func number(of line: String) -> Substring {
        line.firstRange(of: "Replug").map { line[$0.upperBound...].dropFirst().prefix { $0 != ":" } } ?? ""
    }

    private static func state(in line: String) -> String? {
        ["no access", "exclusive", "gone"].first { line.contains(": \($0)") }
    }

    private static let keys = [Key.volumeUp, .volumeDown]
}

/// Lowers a limit of the kernel for a while: how many events an inotify instance queues (inotify(7)).
private final class ShortQueues {
    private static let path = "/proc/sys/fs/inotify/max_queued_events"
    private let usual: String

    init(_ most: Int) throws {
        usual = try String(contentsOfFile: Self.path, encoding: .utf8)
        try tellKernel("\(most)", in: Self.path)
    }

    deinit { try? tellKernel(usual, in: Self.path) }
}

extension ChildProcess {
    /// The next lines of standard error that `concerns` accepts.
    func errorLines(_ count: Int, where concerns: (String) -> Bool) throws -> [String] {
        var lines: [String] = []
        while lines.count < count {
            let line = try #require(try readErrorLine())
            if concerns(line) { lines.append(line) }
        }
        return lines
    }
}

/// Devices come and go while the program runs.
@Suite(.serialized) struct HotplugTests {
    @Test func `Two remotes do not disturb each other, and unplugging one in the middle of a hold ends it`()
        throws
    {
        let remote = try VirtualRemote()
        let other = try VirtualRemote(.init(name: "Other Remote"))
        let place = try Workplace()
        let listener = try place.listen()
        try listener.waitForErrorLines(["Other Remote: exclusive", "Virtual Remote: exclusive"])
        // Volume up on one device and volume down on another at once are no chord.
        try remote.down(.volumeUp)
        try other.down(.volumeDown)
        try remote.up(.volumeUp)
        try other.up(.volumeDown, then: .apart)
        try listener.expectLines(["1", "0"])
        let start = ContinuousClock.now
        try remote.down(.volumeUp, then: .milliseconds(475))
        remote.destroy()
        let most = (ContinuousClock.now - start).counts
        try listener.waitForErrorLine("gone")
        let count = try place.awaitCount(in: 2...most)
        // Long enough for several repeats, if the hold had gone on.
        pause(.milliseconds(600))
        try other.press(.volumeDown)
        try place.awaitCount(count - 1)
    }

    @Test func `A directory that appears later is noticed`() throws {
        let rig = try Rig("Waiting Remote")
        var node = stat()
        stat(rig.device.node, &node)
        // A /dev of its own that has only what the program needs to start its key server.
        let setUp = "mount -t tmpfs none /dev && mknod -m 666 /dev/null c 1 3 && exec \"$@\""
        let terminal = try rig.place.open(by: ["unshare", "-m", "sh", "-c", setUp, "sh"])
        try terminal.waitForText("no input devices found")
        try terminal.type("+")
        try terminal.waitForText("Count 1")

        let program = try terminal.process
        let appear =
            "mkdir /dev/input && mknod \(rig.device.node) c \(node.st_rdev >> 8) \(node.st_rdev & 0xFF)"
        let entered = try ChildProcess.run([
            "nsenter", "-m", "-r", "-t", "\(program.pid)", "sh", "-c", appear,
        ])
        #expect(entered.status == .exited(0), "\(entered.errors)")
        try terminal.waitForScreen("the device, exclusive") {
            $0.contains("Waiting Remote") && $0.contains("exclusive")
        }
        try rig.device.press(.volumeUp)
        try terminal.waitForText("Count 2")
    }
}

/// The `counter-keys` that a program has started.
func keyServer(of program: RunningProcess) throws -> RunningProcess {
    try eventualValue("a key server") { program.children.first { $0.name == "counter-keys" } }
}
