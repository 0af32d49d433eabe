import TestSupport

/// One thing that the demo shows: what is pressed, and what must come of it.
struct Scene: Sendable {
    /// What it is about, for people.
    let title: String
    /// What is done, in this order.
    let steps: [Step]
    /// What must be seen afterwards.
    let expected: Expectation
}

/// Something that is pressed.
enum Device: String, Sendable {
    case remote = "a Bluetooth remote"
    case shutter = "a second remote"
    case keyboard = "the keyboard"

    /// What it calls itself.
    var name: String {
        switch self {
        case .remote: "Bluetooth Remote"
        case .shutter: "Pocket Shutter"
        case .keyboard: OutsideKeyboards.Keyboard.at.name
        }
    }
}

/// Something that is done.
enum Step: Sendable {
    /// A device is plugged in, and the program listens to it.
    case plugIn(Device)
    /// A key is pressed, `after` the release before it.
    case press(Key, on: Device, times: Int = 1, for: Duration = .milliseconds(60), after: Duration = .apart)
    /// Both volume keys go down within the time of a chord.
    case pressBoth(on: Device)
    /// A character is typed into the program.
    case type(String)
    /// `kill -9` of the key server, and it is back.
    case killKeyServer

    /// The device that it is about.
    var device: Device? {
        switch self {
        case .plugIn(let device), .press(_, let device, _, _, _), .pressBoth(let device): device
        case .type, .killKeyServer: nil
        }
    }
}

/// What must be seen after a scene.
struct Expectation: Sendable {
    /// The count, against that before the scene.
    enum Count: Sendable {
        case by(Int)
        case to(Int)
    }

    /// The count.
    let count: Count
    /// The last change, in the program's words.
    let change: String
    /// The presses that another reader of the device saw.
    let seen: [Key: Int]

    init(_ count: Count, _ change: String, seen: [Key: Int] = [:]) {
        (self.count, self.change, self.seen) = (count, change, seen)
    }

    /// The finding that is wanted where the count was `before`.
    func finding(before: Int) -> Finding {
        let count =
            switch count {
            case .by(let difference): before + difference
            case .to(let value): value
            }
        return Finding(
            screen: "Count \(count), \(change)", show: String(count),
            seen: seen.isEmpty ? "nothing" : seen.words)
    }
}

extension Duration {
    /// Longer than the debounce, and slow enough to follow.
    static let apart = Duration.milliseconds(250)
    /// As fast as a finger can be.
    static let atOnce = Duration.milliseconds(30)
}
