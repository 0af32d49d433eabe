import TestSupport

extension Scene {
    /// The scenes in order. The program has just been started, and the count is 0.
    static let all = [
        Scene(
            title: "Volume keys count, and the system's volume stands still",
            steps: [
                .plugIn(.remote), .press(.volumeUp, on: .remote, times: 3), .press(.volumeDown, on: .remote),
            ],
            expected: Expectation(.by(2), "-1")),
        Scene(
            title: "A key that is held counts on: at once, after 0.4 s, then every 0.15 s",
            steps: [.press(.volumeUp, on: .remote, for: .milliseconds(1930))],
            expected: Expectation(.by(12), "+1")),
        Scene(
            title: "One too many, corrected at once: the other key is never debounced away",
            steps: [
                .press(.volumeUp, on: .remote, times: 2),
                .press(.volumeDown, on: .remote, after: .atOnce),
            ],
            expected: Expectation(.by(1), "-1")),
        Scene(
            title: "Both keys together reset",
            steps: [.pressBoth(on: .remote)],
            expected: Expectation(.to(0), "reset")),
        Scene(
            title: "Undo brings the count back: nothing is ever rewritten",
            steps: [.type("u")],
            expected: Expectation(.by(15), "undone")),
        Scene(
            title: "Another remote, plugged in while the program runs",
            steps: [.plugIn(.shutter), .press(.volumeUp, on: .shutter, times: 2)],
            expected: Expectation(.by(2), "+1")),
        Scene(
            title: "A timer of ten seconds counts what is pressed meanwhile; both keys acknowledge its end",
            steps: [
                .type("5n10s Press-ups\r"), .await("at its end"), .type("\r1"), .await("Press-ups 0:"),
                .press(.volumeUp, on: .remote, times: 3), .await("Press-ups ended just now: 3 up, 0 down"),
                .pressBoth(on: .remote), .press(.volumeUp, on: .remote),
            ],
            expected: Expectation(.by(4), "+1")),
        Scene(
            title: "Practice: a child presses once for each dot of a die; nothing else counts the presses",
            // A counter that has just been started shows no last change until a key is pressed.
            steps: [.practise(on: .remote), .press(.volumeUp, on: .remote)],
            expected: Expectation(.by(1), "+1")),
        // Every scene of the keyboard ends with a letter: keys from outside arrive with a delay.
        Scene(
            // The order of the keyboard's key map decides which stand-in it is.
            title: "On a keyboard volume keys turn to codes that nobody acts on; every other key stays",
            steps: [.press(.volumeUp, on: .keyboard, times: 2), .press(.b, on: .keyboard)],
            expected: Expectation(.by(2), "+1", seen: [.standIn: 2, .b: 1])),
        Scene(
            title: "Whatever happens to the process that intercepts the keys, it comes back",
            steps: [.killKeyServer, .press(.volumeUp, on: .remote)],
            expected: Expectation(.by(1), "+1")),
    ]
}
