import CounterModel
import TestSupport
import Testing

@testable import CounterTUI
@testable import Reports

@Suite("Drawing over the last screen") struct ScreensViewTests {
    @Test(arguments: [Capabilities.best, .console, .least], Sample.sizes)
    func `Whatever changes, the screen is the one that is drawn from nothing`(
        capabilities: Capabilities, size: Size
    ) {
        var random = SplitMix64(seed: UInt64(size.columns))
        let screens = Screens(count: Sample.ordinary(), tabs: [.count, .live])
        // The share of the capacity is mostly the same after one count.
        screens.count.state = CounterState(1234, of: capabilities == .best ? 1300 : nil)
        let view = ScreensView(capabilities)
        for step in 0..<300 {
            Self.change(screens, &random)
            let (frame, whole) = (
                view.draw(screens, size: size), ScreensView(capabilities).draw(screens, size: size)
            )
            #expect(frame.grid == whole.grid, "step \(step) at \(size.name)")
            let points = (0..<size.rows).flatMap { row in
                stride(from: 0, to: size.columns, by: 3).map { Point(column: $0, row: row) }
            }
            #expect(
                points.allSatisfy { (frame.action(at: $0) == nil) == (whole.action(at: $0) == nil) },
                "clicks in step \(step) at \(size.name)")
        }
    }

    @Test func `The top line says what is known of other machines, as far as there is room`() {
        let screens = Screens(count: CountViewModel(level: 12), tabs: [.count, .live, .history, .admin])
        let top = { screens.lines($0)[0] }
        screens.count.sync = ["synced"]
        #expect(top(80).hasSuffix("  synced  Count 12"))
        #expect(!top(40).contains("synced"))
        (screens.count.sync, screens.count.isSynced) = (
            ["42 rows not sent, office unreachable for 2 h", "not synced"], false
        )
        #expect(top(120).hasSuffix("  42 rows not sent, office unreachable for 2 h  Count 12"))
        #expect(top(80).hasSuffix("  not synced  Count 12"))
        #expect(top(40).hasSuffix("  not synced  Count 12"))
        // What is reached no longer is said before the places of the capacity and the name.
        screens.count.location = "Entrance hall"
        screens.count.state = CounterState(12, of: 500)
        for columns in 52...160 {
            #expect(
                top(columns).contains(/not synced|office unreachable/), "\(columns) columns: \(top(columns))")
        }
    }

    private static func change(_ screens: Screens, _ random: inout SplitMix64) {
        switch random.below(14) {
        case 0:
            let level = random.element(of: [0, -1, 9, 10, -99_999, Int.max, Int.min])
            screens.count.state = CounterState(level, of: screens.count.state.maxCapacity)
        case 1: screens.count.ratePerMinute = random.below(2) == 0 ? nil : random.below(200)
        case 2: screens.count.notice = random.below(2) == 0 ? nil : "the disk is full"
        case 3: screens.count.flash = random.below(2) == 0 ? nil : .number
        case 4: screens.count.lastChange = random.below(2) == 0 ? nil : "-1 at 09:00:01"
        case 5: screens.count.mayChange.toggle()
        case 6: screens.context.show(random.below(2) == 0 ? nil : .text(.help))
        case 7: screens.count.location = random.below(2) == 0 ? nil : "Söder 音"
        case 8:
            screens.count.sync = random.element(of: [
                [], ["synced"], ["9 rows not sent, \u{1B}[m", "not synced"],
            ])
        case 9: screens.count.isSynced.toggle()
        default:
            let state = screens.count.state
            let level = state.level &+ (random.below(2) == 0 ? 1 : -1)
            screens.count.state = CounterState(level, of: state.maxCapacity)
            screens.count.lastChange = "+1 at 14:03:\(10 + random.below(50))"
        }
    }
}

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
                expectNumber(level, Sample.count(model).frame(columns, rows, capabilities))
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
