import Glibc
import Linux
import Testing

@testable import CounterTUI

@Suite("The terminal's own notifications") struct TerminalNotifierTests {
    private static let start = MonotonicTime(microseconds: 1_000_000)
    private static let question = "\u{1B}[>q"
    private static let titled = "\u{1B}]777;notify;Robins;3 in, 0 out\u{7}"
    private static let untitled = "\u{1B}]9;Time is up: Robins, 3 in, 0 out\u{7}"
    private static let passedOn =
        "\u{1B}Ptmux;\u{1B}\u{1B}]9;Time is up: Robins, 3 in, 0 out\u{7}\u{1B}\\"

    /// What is sent for a notification of a terminal that answers, or not.
    private static func sent(answer: String?, program: String = "", isWindow: Bool = true) -> String {
        var notifier = TerminalNotifier(isWindow: isWindow, program: program)
        let first = notifier.notify(title: "Robins", text: "3 in, 0 out", at: start)
        guard isWindow else { return first }
        #expect(first == question && notifier.deadline == start + .seconds(2))
        #expect(notifier.bytes(version: nil, at: start + .seconds(1)) == "")
        return notifier.bytes(version: answer, at: answer == nil ? start + .seconds(2) : start)
    }

    @Test(arguments: [
        ("kitty(0.32.2)", titled), ("foot(1.16.2)", titled), ("WezTerm 20240203-110809-5046fc22", titled),
        ("ghostty 1.1.3", titled), ("iTerm2 3.5.0", untitled), ("tmux 3.3a", passedOn), ("XTerm(379)", ""),
        ("VTE(7200)", ""), ("", ""),
    ])
    func theTerminalIsAsked(answer: String, expected: String) {
        #expect(Self.sent(answer: answer, program: "WezTerm") == expected)
    }

    @Test(arguments: [
        ("iTerm.app", untitled), ("WezTerm", titled), ("ghostty", titled), ("tmux", passedOn),
        ("Apple_Terminal", ""), ("", ""),
    ])
    func whereItDoesNotAnswerTheVariableTells(program: String, expected: String) {
        #expect(Self.sent(answer: nil, program: program) == expected)
    }

    @Test func oneThatIsNoWindowIsNotAsked() {
        #expect(Self.sent(answer: nil, program: "kitty", isWindow: false) == "")
    }

    @Test func itIsAskedOnceAndLaterOnesAreSentAtOnce() {
        var notifier = TerminalNotifier(isWindow: true, program: "")
        #expect(notifier.notify(title: "a", text: "1", at: Self.start) == Self.question)
        #expect(notifier.notify(title: "b", text: "2", at: Self.start) == "")
        let both = notifier.bytes(version: "foot(1.16.2)", at: Self.start)
        #expect(both == "\u{1B}]777;notify;a;1\u{7}\u{1B}]777;notify;b;2\u{7}")
        #expect(notifier.deadline == nil)
        #expect(notifier.notify(title: "c", text: "3", at: Self.start) == "\u{1B}]777;notify;c;3\u{7}")
    }

    @Test func whatNobodyAskedForDoesNothing() {
        var notifier = TerminalNotifier(isWindow: true, program: "")
        #expect(notifier.bytes(version: "kitty(0.32.2)", at: Self.start) == "")
        #expect(notifier.notify(title: "a", text: "1", at: Self.start) == Self.question)
    }

    @Test func theTextIsNoCommand() {
        var notifier = TerminalNotifier(isWindow: true, program: "")
        _ = notifier.notify(title: "4;3;\u{1B}]0;x\u{7}", text: "a;\nb", at: Self.start)
        let sent = notifier.bytes(version: "iTerm2", at: Self.start)
        #expect(sent.hasPrefix("\u{1B}]9;Time is up: 4,3,"))
        #expect(sent.unicodeScalars.count { $0.value < 0x20 } == 2)
    }
}

extension TerminalTests {
    @Suite struct Notifications {
        @Test func theAnswerIsReadInPieces() throws {
            setenv("LC_ALL", "C.UTF-8", 1)
            let device = try PseudoTerminal()
            let terminal = try device.open()
            terminal.notify(title: "Robins", text: "3 in, 0 out")
            try terminal.present(Grid(size: terminal.size))
            _ = device.output(until: "\u{1B}[>q")
            var events: [TerminalEvent] = []
            for piece in ["+\u{1B}P>|kit", "ty(0.32.2)\u{1B}", "\\-"] {
                device.type(piece)
                events += try terminal.events()
            }
            #expect(events == [.character("+"), .character("-")])
            _ = device.output(until: "\u{1B}]777;notify;Robins;3 in, 0 out\u{7}")
            #expect(terminal.deadline == nil)
        }
    }
}
