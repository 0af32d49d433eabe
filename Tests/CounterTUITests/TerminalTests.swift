import CLinux
import Glibc
import Linux
import TestSupport
import Testing

@testable import CounterTUI

/// On a pseudo-terminal. One test at a time: the guard has one terminal in a process.
@Suite("Terminal", .serialized) struct TerminalTests {
    private let device: PseudoTerminal

    init() throws {
        setenv("LC_ALL", "C.UTF-8", 1)
        device = try PseudoTerminal()
    }

    private func grid(_ text: String) -> Grid {
        var grid = Grid(size: Size(columns: 80, rows: 24))
        grid.write(text, at: Point(column: 0, row: 5))
        return grid
    }

    @Test func writesOnlyWhatDiffers() throws {
        let terminal = try device.open()
        try terminal.present(grid("Count 1234"))
        #expect(device.output(until: "Count 1234").contains("Count 1234"))
        try terminal.present(grid("Count 1234"))
        #expect(device.output() == "")
        try terminal.present(grid("Count 1235"))
        let difference = device.output(until: "5")
        #expect(difference.contains("5") && !difference.contains("Count"))
        terminal.repaint()
        try terminal.present(grid("Count 1235"))
        #expect(device.output(until: "Count 1235").contains("Count 1235"))
    }

    @Test func givesTheTerminalBack() throws {
        let before = device.modes()
        let terminal = try device.open()
        #expect(device.modes() != before)
        let enter = device.output(until: "[?2004h")
        for sequence in ["[?1049h", "[?1000h", "[?1006h", "[?1004h", "[22;0t", "[?25l", "[>7u"] {
            #expect(enter.contains("\u{1B}\(sequence)"))
        }
        terminal.close()
        terminal.close()
        #expect(device.modes() == before)
        let leave = device.output(until: "[23;0t")
        // Wrapping at the right edge and the lines that scroll too: a frame may have been cut off in between.
        for sequence in [
            "[?1049l", "[?1000l", "[?1006l", "[?1004l", "[23;0t", "[?25h", "[r", "[?7h", "[4l",
        ] {
            #expect(leave.contains("\u{1B}\(sequence)"))
        }
        // Each screen of a terminal (main, alternate) has its own keyboard protocol, so it must be switched off on
        // the screen where it was switched on.
        let locations = ["[?1049h", "[>7u"].map { enter.firstRange(of: $0)?.lowerBound }
        #expect(locations[0]! < locations[1]!)
        let ends = ["[<u", "[?1049l"].map { leave.firstRange(of: $0)?.lowerBound }
        #expect(ends[0]! < ends[1]!)
    }

    @Test func leavesSignalsToTheMainLoop() throws {
        /// Each signal's action: the default or, if this process was started so, to ignore it.
        func handlers() -> [UInt] {
            [SIGINT, SIGTERM, SIGTSTP, SIGWINCH].map { number in
                var action = sigaction()
                sigaction(number, nil, &action)
                return withUnsafeBytes(of: action.__sigaction_handler) { $0.load(as: UInt.self) }
            }
        }
        let before = handlers()
        let terminal = try device.open()
        try terminal.present(grid("x"))
        terminal.suspend()
        terminal.resume()
        #expect(handlers() == before)
    }

    @Test func theGuardIsThereExactlyWhileItIsNeeded() throws {
        func isGuarded() -> Bool {
            var action = sigaction()
            sigaction(SIGSEGV, nil, &action)
            return action.__sigaction_handler.sa_handler != nil
        }
        let before = isGuarded()
        let terminal = try device.open()
        #expect(isGuarded())
        let modes = device.modes()
        _ = device.output(until: "[?1004h")
        clinux_guard_restore()
        #expect(device.modes() != modes)
        #expect(device.output(until: "\u{1B}[?1049l").contains("\u{1B}[?1049l"))
        clinux_guard_restore()
        #expect(device.output() == "")
        terminal.close()
        #expect(isGuarded() == before)
    }

    @Test func reportsKeysClicksAndFocus() throws {
        let terminal = try device.open()
        device.type("+é\u{1B}OA\u{1B}[<0;5;6M\u{1B}[<0;5;6m\u{1B}[I\u{1B}[O\t-")
        #expect(
            try terminal.events() == [
                .character("+"), .character("é"), .key(.up), .click(Point(column: 4, row: 5)), .focusGained,
                .focusLost, .key(.tab), .character("-"),
            ])
        #expect(try terminal.events() == [])
    }

    @Test func whatIsMoreThanAnybodyTypesComesInParts() throws {
        let terminal = try device.open()
        device.type(String(repeating: "+", count: 3000))
        var parts: [Int] = []
        while parts.reduce(0, +) < 3000 { parts.append(try terminal.events().count) }
        #expect(parts.allSatisfy { (1...1024).contains($0) })
        #expect(try terminal.events() == [])
    }

    @Test func anEscapeWithoutMoreIsTheKey() throws {
        let terminal = try device.open()
        #expect(terminal.deadline == nil)
        device.type("\u{1B}")
        #expect(try terminal.events() == [])
        let deadline = try #require(terminal.deadline)
        #expect(try terminal.events(at: MonotonicTime(microseconds: deadline.microseconds - 1)) == [])
        #expect(terminal.deadline == deadline)
        #expect(try terminal.events(at: deadline) == [.key(.escape)])
        #expect(terminal.deadline == nil)
        // The rest of a sequence may come later than its beginning.
        device.type("\u{1B}")
        #expect(try terminal.events() == [])
        device.type("[A")
        #expect(try terminal.events() == [.key(.up)])
        #expect(terminal.deadline == nil)
    }

    @Test func suspendsAndResumes() throws {
        let before = device.modes()
        let terminal = try device.open()
        try terminal.present(grid("Count 7"))
        terminal.suspend()
        #expect(device.modes() == before)
        _ = device.output(until: "[?1049l")
        #expect(try terminal.present(grid("Count 8")))
        device.type("+\n")
        #expect(try terminal.events() == [])
        // The terminal echoes by itself, as a shell has set it; nothing else may be written.
        #expect(device.output(until: "\n") == "+\r\n")
        terminal.resume()
        #expect(device.modes() != before)
        #expect(device.output(until: "[?1004h").contains("[?1049h"))
        try terminal.present(grid("Count 8"), title: "8")
        let frame = device.output(until: "]2;8\u{7}")
        #expect(frame.contains("Count 8") && frame.contains("]2;8\u{7}"))
    }

    @Test func followsTheSize() throws {
        let terminal = try device.open()
        #expect(terminal.size == Size(columns: 80, rows: 24))
        device.resize(columns: 33, rows: 9)
        #expect(terminal.resize() == Size(columns: 33, rows: 9))
        var grid = Grid(size: terminal.size)
        grid.write("x", at: Point(column: 32, row: 8))
        try terminal.present(grid)
        #expect(device.output(until: "x").contains("x"))
        #expect(try terminal.events() == [])
    }

    @Test func saysWhenTheTerminalIsGone() throws {
        let terminal = try device.open()
        try terminal.present(grid("x"))
        device.hangUp()
        try awaitHangUp(device.program)
        #expect(throws: TerminalError.hungUp) { try terminal.events() }
        #expect(throws: TerminalError.hungUp) { try terminal.present(grid("y")) }
    }

    @Test func setsATitleThatCannotSpeakToTheTerminal() throws {
        let terminal = try device.open()
        _ = device.output(until: "[?1004h")
        try terminal.present(grid("x"), title: "Count 7\u{7}\u{1B}]0;x")
        #expect(device.output(until: "x\u{7}").hasSuffix("\u{1B}]2;Count 7??]0;x\u{7}"))
        try terminal.present(grid("x"), title: "Count 7\u{7}\u{1B}]0;x")
        #expect(device.output() == "")
    }

    @Test func asksTheTerminalForWhatItCanShow() throws {
        let cases: [(String, Bool, Capabilities)] = [
            ("xterm-256color", false, .best),
            ("xterm", false, Capabilities(glyphs: .quadrants, palette: .eight)),
            ("linux", false, .console), ("vt100", false, Capabilities(glyphs: .quadrants, palette: .none)),
            ("xterm-256color", true, Capabilities(glyphs: .quadrants, palette: .none)),
        ]
        for (type, noColour, capabilities) in cases {
            let terminal = try device.open(type, noColour: noColour)
            #expect(terminal.capabilities == capabilities, "\(type)")
            try terminal.present(Sample.count(Sample.ordinary()).frame(80, 24, capabilities).grid)
            let isColoured = try device.output(until: "Quit").contains(Regex("\\[3([0-7]|8;5;[0-9]+)m"))
            #expect(isColoured == (capabilities.palette != .none), "\(type)")
            terminal.close()
            _ = device.output()
        }
    }

    @Test func asciiWhereTheLocaleIsNotUTF8() throws {
        setenv("LC_ALL", "C", 1)
        let terminal = try device.open()
        #expect(terminal.capabilities.glyphs == .ascii)
        var grid = grid("")
        grid.write("音é|", at: Point(column: 0, row: 0))
        try terminal.present(grid)
        #expect(device.output(until: "? ?|").contains("? ?|"))
    }

    @Test func refusesWhatIsNoTerminal() throws {
        let pipe = eventfd(0, CInt(EFD_CLOEXEC))
        defer { close(pipe) }
        #expect(throws: TerminalError.noTerminal(descriptor: pipe)) {
            try Terminal(input: device.program, output: pipe, type: "xterm")
        }
        #expect(throws: TerminalError.unknownType("nonsense")) { try device.open("nonsense") }
        #expect(throws: TerminalError.tooSimple("dumb")) { try device.open("dumb") }
        #expect(throws: TerminalError.noType) { try device.open("") }
        #expect(device.output() == "")
    }

    @Test func delaysAreTakenOutOfSequences() {
        #expect(TerminalSequences.withoutDelays("\u{1B}[H$<50>\u{1B}[J$<2*/>x$y") == "\u{1B}[H\u{1B}[Jx$y")
    }
}
