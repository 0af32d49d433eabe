import Testing

@testable import CounterTUI

@Suite("Every size") struct FuzzTests {
    private static let levels = [
        0, 7, -1, 42, -123, 9999, 999_999, -999_999, 1_234_567_890, Int.max, Int.min,
    ]
    private static let looks = [Capabilities.best, .console, .least]

    @Test func theNumberIsShownAtEverySize() {
        for rows in 1...40 {
            for columns in 1...100 {
                let number = (rows * 101 + columns)
                let level = Self.levels[number % Self.levels.count]
                let capabilities = Self.looks[number % Self.looks.count]
                var model = Sample.ordinary(level)
                model.flash = number % 2 == 0 ? .number : nil
                model.notStored = number % 5
                if number % 7 == 0 { model.notice = "the disk is full" }
                expectNumber(level, Sample.frame(model, columns, rows, capabilities))
            }
        }
    }

    private func expectNumber(_ level: Int, _ frame: Frame) {
        let size = frame.grid.size
        let lines = frame.grid.lines
        if size.columns >= 20, size.rows >= 6 {
            #expect(lines[0].hasSuffix("\(level)"), "top line of \(size)")
            #expect(lines.dropFirst().contains { $0.contains("\(level)") }, "caption of \(size)")
            #expect(lines.last?.contains("R") == true, "keys of \(size)")
        } else {
            let text = lines.joined().filter { $0 != " " }
            let isPlain = text == "\(level)"
            let isBlocks = text.contains { "█▀▄#".contains($0) }
            let isTail = "…*".contains(text.first ?? " ") && "\(level)".hasSuffix(text.dropFirst())
            #expect(isPlain || isBlocks || isTail, "\(text) for \(level) in \(size)")
        }
    }
}
