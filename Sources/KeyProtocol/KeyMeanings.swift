/// Which key codes of `<linux/input-event-codes.h>` count, and as what.
package struct KeyMeanings: Hashable, Sendable {
    /// The maximum number of codes for each meaning, for which the `configure` message has room.
    package static let capacity = 8
    /// The highest key code that the kernel knows (KEY_MAX).
    package static let highestCode: UInt16 = 0x2FF

    /// The codes that count up.
    package var up: [UInt16]
    /// The codes that count down.
    package var down: [UInt16]
    /// The codes that reset.
    package var reset: [UInt16]

    /// The volume keys, KEY_VOLUMEUP (115) and KEY_VOLUMEDOWN (114).
    package static let volumeKeys = KeyMeanings(up: [115], down: [114], reset: [])

    /// Creates meanings from their codes.
    package init(up: [UInt16], down: [UInt16], reset: [UInt16]) {
        self.up = up
        self.down = down
        self.reset = reset
    }

    /// All codes with their meaning.
    package var codes: [(code: UInt16, key: CountedKey)] {
        up.map { ($0, .up) } + down.map { ($0, .down) } + reset.map { ($0, .reset) }
    }

    /// The meaning of a code; `nil` where it does not count.
    package func key(for code: UInt16) -> CountedKey? { codes.first { $0.code == code }?.key }

    /// Whether every code is in the kernel's range and has one meaning, at least one code is given, and no meaning has more
    /// than `capacity`.
    package var isValid: Bool {
        let all = codes.map(\.code)
        return !all.isEmpty && Set(all).count == all.count
            && all.allSatisfy { (1...Self.highestCode).contains($0) }
            && [up, down, reset].allSatisfy { $0.count <= Self.capacity }
    }
}

extension KeyMeanings {
    /// The code of a key by its name in `<linux/input-event-codes.h>`, such as `KEY_VOLUMEUP`.
    package static func code(named name: String) -> UInt16? { KeyNames.code(of: name) }
}
