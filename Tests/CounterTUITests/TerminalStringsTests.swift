import Glibc
import Linux
import TestSupport
import Testing

@testable import CounterTUI

extension TerminalTests {
    /// What a terminal sends by itself, in one read or several.
    @Suite struct Strings {
        private let device: PseudoTerminal

        init() throws {
            setenv("LC_ALL", "C.UTF-8", 1)
            device = try PseudoTerminal()
        }

        @Test func `A string that does not end is given up once nothing has come for a second`() throws {
            let terminal = try device.open()
            device.type("\u{1B}]11;rgb:r")
            let start = MonotonicTime.now
            #expect(try terminal.events(at: start).isEmpty)
            #expect(terminal.deadline == start + .seconds(1))
            // Bytes within the control string belong to it, and restart its timeout of one second.
            device.type("r")
            let later = start + .milliseconds(900)
            #expect(try terminal.events(at: later).isEmpty)
            #expect(terminal.deadline == later + .seconds(1))
            #expect(try terminal.events(at: start + .seconds(1)).isEmpty)
            #expect(terminal.deadline == later + .seconds(1))
            #expect(try terminal.events(at: later + .seconds(1)).isEmpty)
            #expect(terminal.deadline == nil)
            device.type("r")
            #expect(try terminal.events() == [.character("r")])
        }

        @Test func `What waits to be read while a string is given up still belongs to it`() throws {
            let terminal = try device.open()
            device.type("\u{1B}]11;rgb:r")
            let start = MonotonicTime.now
            #expect(try terminal.events(at: start).isEmpty)
            device.type("rr\u{7}+")
            #expect(try terminal.events(at: start + .seconds(5)) == [.character("+")])
        }

        @Test func `A string whose Escape was taken for the key is one for another second`() throws {
            let terminal = try device.open()
            device.type("\u{1B}")
            let start = MonotonicTime.now
            #expect(try terminal.events(at: start).isEmpty)
            let taken = start + .milliseconds(25)
            #expect(try terminal.events(at: taken) == [.key(.escape)])
            device.type("]11;r\u{7}")
            #expect(try terminal.events(at: taken + .milliseconds(900)).isEmpty)
            device.type("\u{1B}")
            #expect(try terminal.events(at: start).isEmpty)
            #expect(try terminal.events(at: taken) == [.key(.escape)])
            device.type("]")
            #expect(try terminal.events(at: taken + .milliseconds(1001)) == [.character("]")])
        }

        @Test func `What was sent before the first screen is thrown away`() throws {
            device.type("+r\n")
            let terminal = try device.open()
            #expect(try terminal.events().isEmpty)
            device.type("-")
            #expect(try terminal.events() == [.character("-")])
            terminal.suspend()
            device.type("qr\n")
            terminal.resume()
            #expect(try terminal.events().isEmpty)
        }

        @Test func `Wherever the bytes are split the events are the same`() throws {
            let terminal = try device.open()
            var random = SplitMix64(seed: 7)
            let pieces = [
                "+", "é", "音", "\u{1B}[A", "\u{1B}OA", "\u{1B}[<0;3;4M", "\u{1B}[M !!", "\u{1B}[57439;1:3u",
                "\u{1B}]11;rgb:r\u{1B}\\", "\u{1B}[200~q\u{1B}[201~", "\u{1B}Pr\u{9C}", "\u{9B}B",
                "\u{1B}[?62;22c",
                "\u{1B}[3~", "\u{1B}[1;129C",
            ]
            let now = MonotonicTime.now
            for _ in 0..<100 {
                let text = (0..<8).map { _ in random.element(of: pieces) }.joined()
                device.type(text)
                let whole = try terminal.events(at: now)
                var split: [TerminalEvent] = []
                var rest = text.unicodeScalars[...]
                while !rest.isEmpty {
                    let part = rest.prefix(random.below(6) + 1)
                    device.type(String(part))
                    split += try terminal.events(at: now)
                    rest = rest.dropFirst(part.count)
                }
                #expect(split == whole, "\(text.debugDescription)")
            }
        }

        @Test(arguments: ["xterm-256color", "linux", "vt100", "tmux-256color", "screen"])
        func `The arrows work in either form on every terminal`(type: String) throws {
            let terminal = try device.open(type)
            device.type("\u{1B}[A\u{1B}OB\u{1B}[C\u{1B}OD")
            #expect(try terminal.events() == [.key(.up), .key(.down), .key(.right), .key(.left)])
        }

        @Test func `The function keys of the console are no letters`() throws {
            let terminal = try device.open("linux")
            device.type("\u{1B}[[A\u{1B}[[Er\u{1B}[1~\u{1B}[4~")
            #expect(try terminal.events() == [.character("r"), .key(.home), .key(.end)])
        }
    }
}
