import TestSupport

/// A scene of the demo: what is pressed, and what is expected.
struct Scene: Sendable {
    /// The title.
    let title: String
    /// The steps, in order.
    let steps: [Step]
    /// What is expected afterwards.
    let expected: Expectation
}

/// A device whose keys are pressed.
enum Device: String, Sendable {
    case remote = "a Bluetooth remote"
    case shutter = "a second remote"
    case keyboard = "the keyboard"

    /// The name of the device.
    var name: String {
        switch self {
        case .remote: "Bluetooth Remote"
        case .shutter: "Pocket Shutter"
        case .keyboard: OutsideKeyboards.Keyboard.at.name
        }
    }
}

/// A step of a scene.
enum Step: Sendable {
    /// A device is plugged in, and the program listens to it.
    case plugIn(Device)
    /// A key is pressed, `after` the release before it.
    case press(Key, on: Device, times: Int = 1, for: Duration = .milliseconds(60), after: Duration = .apart)
    /// Both volume keys go down within the time of a chord.
    case pressBoth(on: Device)
    /// Characters are typed into the program.
    case type(String)
    /// A text appears on the screen.
    case await(String)
    /// `counter practice` runs in the program's place: a player is made and solves a level with the two keys.
    case practise(on: Device)
    /// `kill -9` of the key server, which is started again.
    case killKeyServer

    /// The device of the step, if it has one.
    var device: Device? {
        switch self {
        case .plugIn(let device), .press(_, let device, _, _, _), .pressBoth(let device),
            .practise(let device):
            device
        case .type, .await, .killKeyServer: nil
        }
    }
}

/// What is expected after a scene.
struct Expectation: Sendable {
    /// The count, relative to that before the scene.
    enum Count: Sendable {
        case by(Int)
        case to(Int)
    }

    /// The count.
    let count: Count
    /// The last change, in the program's words.
    let change: String
    /// The presses that another reader of the device receives.
    let seen: [Key: Int]

    init(_ count: Count, _ change: String, seen: [Key: Int] = [:]) {
        (self.count, self.change, self.seen) = (count, change, seen)
    }

    /// The expected finding if the count was `before`.
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
    /// As fast as a finger is.
    static let atOnce = Duration.milliseconds(30)
}
