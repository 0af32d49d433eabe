import Glibc
import TestSupport
import Testing

@testable import CounterTUI

extension TerminalTests {
    /// Terminals that take no output: stopped by Ctrl-S, or not read at the other end.
    @Suite struct Stalled {
        private let device: PseudoTerminal
        private let terminal: Terminal

        init() throws {
            setenv("LC_ALL", "C.UTF-8", 1)
            device = try PseudoTerminal()
            terminal = try device.open()
        }

        /// A screen full of a digit: far more than a frame of the program.
        private func grid(_ digit: Int) -> Grid {
            var grid = Grid(size: Size(columns: 80, rows: 24))
            for row in 0..<24 {
                grid.write(String(repeating: "\(digit % 10)", count: 80), at: Point(column: 0, row: row))
            }
            return grid
        }

        /// Presents frames until the terminal does not take one whole, even after the kernel has moved its bytes on;
        /// returns the number of that frame.
        private func stall() throws -> Int {
            var number = 0
            try eventually("a stall", poll: .zero, last: { "\(number) frames" }) {
                let isFull = device.isFull
                if try !terminal.present(grid(number)) { return isFull }
                number += 1
                return false
            }
            return number
        }

        /// What is sent until the terminal shows a frame whole.
        private func outputOfLatest(_ number: Int) throws -> String {
            var output = ""
            try eventually("the latest to be shown", poll: .zero, last: { output }) {
                output += device.output()
                return try terminal.present(grid(number))
            }
            return output + device.output(until: String(repeating: "\(number % 10)", count: 80))
        }

        @Test func `Stopped by Ctrl-S it delays nothing and shows the latest when it goes on`() throws {
            try terminal.present(grid(0), title: "0")
            // The end of a frame.
            _ = device.output(until: "]2;0\u{7}")
            tcflow(device.program, TCOOFF)
            for number in 1..<10 { #expect(try !terminal.present(grid(number))) }
            #expect(device.output() == "")
            tcflow(device.program, TCOON)
            #expect(try terminal.present(grid(9)))
            #expect(device.output(until: "9999").contains("9999"))
        }

        @Test func `Stalled in the middle of a frame it delays nothing, and no later frame waits`() throws {
            let first = try stall()
            for number in 0..<1000 { #expect(try !terminal.present(grid(number))) }
            // The incomplete frame is completed, and then the latest one is shown, without those in between.
            let output = try outputOfLatest(first + 5)
            let shown = output.split(separator: "\u{1B}").compactMap { $0.split(separator: "H").last?.first }
            let digits = shown.filter(\.isNumber).compactMap(\.wholeNumberValue)
            #expect(Set(digits).isSubset(of: Set((0...first).map { $0 % 10 } + [(first + 5) % 10])))
            #expect(digits.last == (first + 5) % 10)
        }

        @Test func `Leaving a stalled terminal gives it back`() throws {
            let modes = device.modes()
            _ = try stall()
            let start = ContinuousClock.now
            terminal.close()
            #expect(ContinuousClock.now - start < testTimeout)
            #expect(device.modes() != modes)
            let output = device.output(until: "\u{1B}[?1049l")
            #expect(output.contains("\u{18}\u{1B}[<u") && output.contains("\u{1B}[?1049l"))
        }

        @Test func `Leaving a stopped terminal gives it back, and it goes on`() throws {
            _ = device.output(until: "[?1004h")
            tcflow(device.program, TCOOFF)
            #expect(try !terminal.present(grid(1)))
            terminal.close()
            #expect(device.output(until: "\u{1B}[?1049l").contains("\u{1B}[?1049l"))
        }

        @Test func `The shell's descriptor goes on waiting as ever`() {
            #expect(fcntl(device.program, F_GETFL) & O_NONBLOCK == 0)
            #expect(fcntl(terminal.outputDescriptor, F_GETFL) & O_NONBLOCK != 0)
        }

        @Test func `The bell rings once, however often it was asked to meanwhile`() throws {
            try terminal.present(grid(0))
            _ = device.output(until: "0000")
            tcflow(device.program, TCOOFF)
            for number in 1..<5 {
                terminal.bell()
                #expect(try !terminal.present(grid(number)))
            }
            tcflow(device.program, TCOON)
            let output = try outputOfLatest(4)
            #expect(output.count { $0 == "\u{7}" } <= 2 && output.contains("\u{7}"))
        }
    }
}
