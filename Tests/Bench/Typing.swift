import Glibc
import Linux
import TestSupport

/// The cost of typing on a keyboard while its volume keys are remapped.
enum Typing {
    /// Types while the keyboard's volume keys are remapped: how long another reader waits for each key, and how often
    /// `counter` woke up meanwhile.
    static func whileSwapped(_ keys: Int) throws -> (latency: Samples, wakeUps: Double) {
        let keyboard = try HIDRemote(name: "Keyboard", layout: .keyboard)
        defer { keyboard.destroy() }
        let program = try Subject.listen()
        defer { program.end() }
        pause(.seconds(5))
        var latency = Samples([])
        let wakeUps = try Cost.wakeUps(of: program.both) { latency = try type(keys, on: keyboard) }
        return (latency, wakeUps)
    }

    /// Types with only the other reader.
    static func alone(_ keys: Int) throws -> Samples {
        let keyboard = try HIDRemote(name: "Keyboard", layout: .keyboard)
        defer { keyboard.destroy() }
        return try type(keys, on: keyboard)
    }

    private static func type(_ keys: Int, on keyboard: HIDRemote) throws -> Samples {
        let reader = try SecondReader(node: keyboard.node)
        return try Samples(
            (0..<keys).map { _ in
                let start = MonotonicTime.now
                try keyboard.down(.a, then: .zero)
                while try reader.take().isEmpty {}
                let taken = MonotonicTime.now - start
                try keyboard.up(.a, then: .milliseconds(5))
                while try reader.take().isEmpty {}
                return taken
            })
    }
}
