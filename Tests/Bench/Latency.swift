import CBenchTwin
import Glibc
import KeyProtocol
import Linux
import TestSupport
import VolumeInput

/// Latencies between two points of the path of a key press.
enum Latency {
    /// From the kernel's stamp of a press to the `VolumeEvent`, through a key server and over its socket.
    static func pressToVolumeEvent(_ presses: Int) throws -> Samples {
        let remote = try VirtualRemote()
        var settings = KeyClientSettings()
        settings.onlyPaths = [remote.node]
        var timing = GestureTiming()
        timing.debounce = .zero
        let listener = VolumeListener(
            client: KeyClient(executable: BuiltProducts.counterKeys, settings: settings),
            timing: { [timing] _ in timing })
        _ = listener.capture(.exclusive, at: .now)
        try event(of: listener) { _ in
            listener.inputDevices.first?.nodes.first?.state == .exclusive(alsoTakes: true)
        }
        return try samples(presses, remote) { _ in
            let count = try event(of: listener) { $0.isCount }
            return MonotonicTime.now - count.stamp
        }
    }

    /// From the kernel's stamp of a press to the byte that a minimal program sends for it.
    static func pressToByte(_ presses: Int) throws -> Samples {
        let remote = try VirtualRemote()
        var twin = twin()
        guard twin_start(remote.node, &twin) == 0 else { throw SystemCallError(call: "twin_start") }
        defer { twin_end(&twin) }
        var byte: UInt8 = 0
        guard read(twin.socket, &byte, 1) == 1 else { throw SystemCallError(call: "read") }
        return try samples(presses, remote) { _ in
            guard read(twin.socket, &byte, 1) == 1 else { throw SystemCallError(call: "read") }
            return MonotonicTime.now - MonotonicTime(microseconds: twin.stamp.pointee)
        }
    }

    /// From a key going down to the new number on the terminal.
    static func pressToPaint(_ presses: Int) throws -> Samples {
        let remote = try VirtualRemote()
        let program = try Subject.screens(readyAt: "exclusive").program
        return try roundTrips(presses, remote) { try program.skipOutput(past: "Count \($0)\u{7}") }
    }

    /// From a key going down to the line of the committed entry, in a pipe.
    static func pressToCommit(_ presses: Int) throws -> Samples {
        let remote = try VirtualRemote()
        let program = try Subject.listen()
        return try roundTrips(presses, remote) { _ in _ = try program.readLine() }
    }

    /// From a key going down to evtest's line on the terminal.
    static func pressToLine(_ presses: Int) throws -> Samples {
        let remote = try VirtualRemote()
        let program = try Subject.evtest(remote.node).program
        return try roundTrips(presses, remote) { _ in try program.skipOutput(past: "value 1") }
    }

    /// From the terminal's report that it has lost the focus to the first key that another reader receives.
    static func focusOutToGivenBack(_ rounds: Int) throws -> Samples {
        let remote = try VirtualRemote()
        let program = try Subject.screens(always: false, readyAt: "exclusive").program
        let reader = try SecondReader(node: remote.node)
        // A key that does not count, and that readers have received when the call returns.
        func isHeard() throws -> Bool {
            try remote.press(.marker, for: .zero, then: .zero)
            return try !reader.take().isEmpty
        }
        return try Samples(
            (0..<rounds).map { _ in
                let start = MonotonicTime.now
                try program.write("\u{1B}[O")
                while try !isHeard() { pause(.microseconds(200)) }
                let taken = MonotonicTime.now - start
                try program.write("\u{1B}[I")
                try eventually("the device to be exclusive again") { try !isHeard() }
                return taken
            })
    }

    /// From a line that is written to a terminal to the same line from the program that reads it there.
    static func lineToEcho(_ rounds: Int) throws -> Samples {
        let program = try Subject.cat()
        return try Samples(
            (0..<rounds).map { _ in
                let start = MonotonicTime.now
                try program.write("x\n")
                // First the terminal's own echo, then cat's.
                try program.skipOutput(past: "x\r\nx\r\n")
                return MonotonicTime.now - start
            })
    }

    private static func roundTrips(
        _ presses: Int, _ remote: VirtualRemote, _ arrival: (Int) throws -> Void
    ) throws -> Samples {
        var start = MonotonicTime.now
        return try samples(presses, remote, before: { start = .now }) { number in
            try arrival(number)
            return MonotonicTime.now - start
        }
    }

    private static func samples(
        _ presses: Int, _ remote: VirtualRemote, before: () -> Void = {},
        _ latency: (Int) throws -> Duration
    ) throws -> Samples {
        try Samples(
            (1...presses).map { number in
                before()
                try remote.down(.volumeUp, then: .zero)
                let taken = try latency(number)
                try remote.up(.volumeUp, then: .milliseconds(20))
                return taken
            })
    }

    /// Waits for a listener as the program's loop does.
    @discardableResult
    private static func event(
        of listener: VolumeListener, where isAwaited: (ListenerEvent) -> Bool
    ) throws -> ListenerEvent {
        while true {
            var polled = PollSet()
            listener.watch(&polled)
            try polled.wait(until: listener.deadline)
            if let event = listener.receive(at: .now).first(where: isAwaited) { return event }
        }
    }
}

extension ListenerEvent {
    fileprivate var isCount: Bool {
        guard case .gesture(_, let gesture) = self, case .volumeUp = gesture.type else { return false }
        return true
    }

    fileprivate var stamp: MonotonicTime {
        guard case .gesture(_, let gesture) = self else { return .now }
        return gesture.timestamp
    }
}
