import TestSupport

/// What is expected or observed after a scene: three observations of the same presses.
struct Finding {
    /// On the screen.
    let screen: String
    /// By `counter show`, from the journal.
    let show: String
    /// By another program that reads the same node.
    let seen: String

    var words: String { "\(screen); show \(show); another reader saw \(seen)" }
}

/// The result of a scene.
struct Outcome {
    /// What was pressed.
    let pressed: String
    let expected: String
    let actual: String

    var isPassed: Bool { actual == expected }

    /// The result in one line, for lines below each other: `pressed` takes at least this width.
    func line(width: Int) -> String {
        let padding = String(repeating: " ", count: max(0, width - pressed.count))
        return "\(verdict)  \(pressed)\(padding)  expected \(expected) | actual \(actual)"
    }

    var verdict: String { isPassed ? "passed" : "FAILED" }
}

// MARK: - In words

extension Scene {
    /// The steps in words, such as `volume up ×3, volume down on a Bluetooth remote`.
    var pressed: String {
        steps.indices.map { steps[$0].words + place(ofPressAt: $0) }.filter { !$0.isEmpty }
            .joined(separator: ", ")
    }

    /// The device of a press in words; empty if an earlier press has named it.
    private func place(ofPressAt index: Int) -> String {
        guard steps[index].isPress, let device = steps[index].device else { return "" }
        let isLast = !steps[(index + 1)...].contains { $0.device == device }
        let isTold = steps[..<index].contains { !$0.isPress && $0.device == device }
        return isLast && !isTold ? " on \(device.rawValue)" : ""
    }
}

extension Step {
    fileprivate var isPress: Bool {
        switch self {
        case .press, .pressBoth: true
        case .plugIn, .type, .await, .practise, .killKeyServer: false
        }
    }

    fileprivate var words: String {
        switch self {
        case .plugIn(let device): "\(device.rawValue) plugged in"
        case .press(let key, _, let times, let duration, let pause):
            (pause < .apart ? "at once " : "") + key.word + (times > 1 ? " ×\(times)" : "")
                + (duration >= .seconds(1) ? " for \(duration / .seconds(1)) s" : "")
        case .pressBoth: "volume up and down together"
        case .type(let text): "\(text.replacing("\r", with: "⏎")) typed"
        case .practise(let device): "counter practice, a die with \(device.rawValue)"
        // Of what is pressed it tells nothing.
        case .await: ""
        case .killKeyServer: "kill -9 counter-keys"
        }
    }
}

extension [Key: Int] {
    /// Such as `volume up ×2, b`, in the order of the keys' codes.
    var words: String {
        sorted { $0.key.code > $1.key.code }
            .map { $1 == 1 ? $0.word : "\($0.word) ×\($1)" }.joined(separator: ", ")
    }
}

extension [KeyEvent] {
    /// Such as `volume up ×2, b`; a release without a press is marked.
    var words: String {
        let presses = filter { $0.action == .down }.reduce(into: [Key: Int]()) { $0[$1.key, default: 0] += 1 }
        var down: Set<Key> = []
        var orphans: [String] = []
        for event in self {
            switch event.action {
            case .down: down.insert(event.key)
            case .up where down.remove(event.key) == nil: orphans.append("a release of \(event.key.word)")
            case .up, .autorepeat: break
            }
        }
        let words = (presses.isEmpty ? [] : [presses.words]) + orphans
        return words.isEmpty ? "nothing" : words.joined(separator: ", ")
    }
}

extension Key {
    fileprivate var word: String {
        switch self {
        case .volumeUp: "volume up"
        case .volumeDown: "volume down"
        case .b: "b"
        default: description
        }
    }
}
