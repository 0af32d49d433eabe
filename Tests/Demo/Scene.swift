import TestSupport

/// A scene of the demo: what is pressed, and what is expected.
struct Scene: Sendable {
    /// The count after the scene, relative to that before it.
    enum Count: Sendable {
        case by(Int)
        case to(Int)
    }

    let title: String
    let steps: [Step]
    let count: Count
    /// The last change, in the program's words.
    let change: String
    /// The presses that another reader of the device receives.
    var seen: [Key: Int] = [:]

    /// What is expected if the count was `before`.
    func expected(before: Int) -> Finding {
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

/// A device whose keys are pressed.
enum Device: String, Sendable {
    case remote = "a Bluetooth remote"
    case shutter = "a second remote"
    case keyboard = "the keyboard"

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

extension Duration {
    /// Longer than the debounce, and slow enough to follow.
    static let apart = Duration.milliseconds(250)
    /// As fast as a finger is.
    static let atOnce = Duration.milliseconds(30)
}

extension Scene {
    /// The scenes in order. The program has just been started, and the count is 0.
    static let all = [
        Scene(
            title: "Volume keys count, and the system's volume stands still",
            steps: [
                .plugIn(.remote), .press(.volumeUp, on: .remote, times: 3), .press(.volumeDown, on: .remote),
            ],
            count: .by(2), change: "-1"),
        Scene(
            title: "A key that is held counts on: at once, after 0.4 s, then every 0.15 s",
            steps: [.press(.volumeUp, on: .remote, for: .milliseconds(1930))],
            count: .by(12), change: "+1"),
        Scene(
            title: "One too many, corrected at once: the other key is never debounced away",
            steps: [
                .press(.volumeUp, on: .remote, times: 2),
                .press(.volumeDown, on: .remote, after: .atOnce),
            ],
            count: .by(1), change: "-1"),
        Scene(
            title: "Both keys together reset",
            steps: [.pressBoth(on: .remote)],
            count: .to(0), change: "reset"),
        Scene(
            title: "Undo brings the count back: nothing is ever rewritten",
            steps: [.type("u")],
            count: .by(15), change: "undone"),
        Scene(
            title: "Another remote, plugged in while the program runs",
            steps: [.plugIn(.shutter), .press(.volumeUp, on: .shutter, times: 2)],
            count: .by(2), change: "+1"),
        Scene(
            title: "A timer of ten seconds counts what is pressed meanwhile; both keys acknowledge its end",
            steps: [
                .type("5n10s Press-ups\r"), .await("at its end"), .type("\r1"), .await("Press-ups 0:"),
                .press(.volumeUp, on: .remote, times: 3), .await("Press-ups ended just now: 3 up, 0 down"),
                .pressBoth(on: .remote), .press(.volumeUp, on: .remote),
            ],
            count: .by(4), change: "+1"),
        Scene(
            title: "Practice: a child presses once for each dot of a die; nothing else counts the presses",
            // A counter that has just been started shows no last change until a key is pressed.
            steps: [.practise(on: .remote), .press(.volumeUp, on: .remote)],
            count: .by(1), change: "+1"),
        // Every scene of the keyboard ends with a letter: keys from outside arrive with a delay.
        Scene(
            // The order of the keyboard's key map decides which stand-in it is.
            title: "On a keyboard volume keys turn to codes that nobody acts on; every other key stays",
            steps: [.press(.volumeUp, on: .keyboard, times: 2), .press(.b, on: .keyboard)],
            count: .by(2), change: "+1", seen: [.standIn: 2, .b: 1]),
        Scene(
            title: "Whatever happens to the process that intercepts the keys, it comes back",
            steps: [.killKeyServer, .press(.volumeUp, on: .remote)],
            count: .by(1), change: "+1"),
    ]
}
