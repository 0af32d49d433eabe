import TestSupport
import Testing

/// The machine is suspended and resumes. Only in a guest that runs from memory (`Tests/Guest/in-memory`), because
/// files of the host do not survive this.
@Suite(.serialized) struct SuspendTests {
    /// How far the kernel suspends before it resumes by itself.
    enum Depth: String, CaseIterable, CustomTestStringConvertible {
        case devices, core

        var testDescription: String { rawValue }

        /// Sleeps for some seconds.
        func suspend(seconds: Int = 1) throws(SupportError) {
            try tellKernel("\(seconds)", in: "/sys/module/suspend/parameters/pm_test_delay")
            try tellKernel("deep", in: "/sys/power/mem_sleep")
            try tellKernel(rawValue, in: "/sys/power/pm_test")
            try tellKernel("mem", in: "/sys/power/state")
        }
    }

    /// Each kind of device down to the core, and one to the devices; in full, all of both.
    static let cases: [(PressedDevice.Kind, Depth)] = PressedDevice.Kind.allCases.flatMap { kind in
        (kind == .remote ? Depth.allCases : Volume.of(sample: 1, full: Depth.allCases.reversed()))
            .map { (kind, $0) }
    }

    @Test(arguments: cases)
    func `A key that is down over a suspend stops counting, and keys count and are intercepted afterwards`(
        kind: PressedDevice.Kind, depth: Depth
    ) throws {
        let rig = try Rig(PressedDevice(kind))
        let (device, place) = (rig.device, rig.place)
        let listener = try rig.listen(["--device", device.node])
        let start = ContinuousClock.now
        try device.down(.volumeUp)
        try listener.expectLines(["1", "2"])
        try depth.suspend()
        // Only the kernel has released the key, at suspending.
        var count = 0
        try eventually("the count to stand still") {
            count = try #require(Int(place.show()))
            pause(.milliseconds(600))
            return try place.show() == "\(count)"
        }
        #expect(count <= 2 + Int((ContinuousClock.now - start) / .milliseconds(150)))
        try device.up(.volumeUp)
        try device.press(.volumeDown)
        try place.awaitCount(count - 1)
        #expect(!(try rig.reader.take()).contains { $0.key == .volumeUp || $0.key == .volumeDown })
    }

    @Test func `A timer that ends while the machine is suspended is told of when it wakes`() throws {
        let place = try Workplace()
        let listener = try place.following()
        try place.run("timer", "start", "4s", "Robins")
        // The machine's devices may be named before.
        var line = try listener.readLine()
        while line?.contains(#""type":"device""#) == true { line = try listener.readLine() }
        #expect(line?.contains(#""event":"started""#) == true)
        try Depth.core.suspend(seconds: 5)
        #expect(try listener.readLine()?.contains(#""type":"timerEnd""#) == true)
        // Its window is its duration, however late it was noticed.
        let json = try place.run("timer", "results", "--json").output
        let ends = try ["from", "to"].map { name in
            let found = try #require(json.firstRange(of: "\"\(name)\":\""))
            return String(json[found.upperBound...].prefix { $0 != "\"" })
        }
        #expect(try seconds(ends[1]) - seconds(ends[0]) == 4)
    }

    @Test func `A day that ends while the machine is suspended ends when it wakes, without a key`() throws {
        let place = try Workplace()
        let clock = try GuestClock(setTo: GuestClock.lastOfYear - 43_200)
        defer { clock.restore() }
        try place.run("location", "set", "default", "--day-end", "automatic")
        try place.run("add", "3")
        let listener = try place.following()
        try clock.set(GuestClock.lastOfYear - 4)
        try Depth.core.suspend(seconds: 8)
        let line = try #require(try listener.readLine())
        #expect(line.contains(#""type":"endOfDay""#) && line.contains(#""totalIn":3"#), "\(line)")
    }

    /// The seconds of a day in a time such as 2026-11-23T02:09:07.372347Z, rounded down.
    private func seconds(_ time: String) throws -> Int {
        let parts = time.split(whereSeparator: { ":T.".contains($0) }).compactMap { Int($0) }
        return try #require(parts.count >= 3 ? parts[0] * 3600 + parts[1] * 60 + parts[2] : nil)
    }
}
