import TestSupport
import Testing

@testable import CounterTUI
@testable import Reports

@Suite("Drawing over the last screen") struct ScreenDrawingTests {
    @Test(arguments: [Capabilities.best, .console, .least], Sample.sizes)
    func `Whatever changes, the frame is the one that is drawn from nothing`(
        capabilities: Capabilities, size: Size
    ) {
        var random = SplitMix64(seed: UInt64(size.columns))
        var model = ScreensViewModel(count: Sample.ordinary(), tabs: [.count, .live])
        var drawing = ScreenDrawing()
        for step in 0..<300 {
            Self.change(&model, &random)
            let whole = ScreensView(model, capabilities: capabilities).draw(size: size)
            #expect(
                drawing.draw(model, capabilities: capabilities, size: size) == whole,
                "step \(step) at \(size.name)")
        }
    }

    private static func change(_ model: inout ScreensViewModel, _ random: inout SplitMix64) {
        switch random.below(12) {
        case 0: model.count.level = random.element(of: [0, -1, 9, 10, -99_999, Int.max, Int.min])
        case 1: model.count.ratePerMinute = random.below(2) == 0 ? nil : random.below(200)
        case 2: model.count.notice = random.below(2) == 0 ? nil : "the disk is full"
        case 3: model.count.flash = random.below(2) == 0 ? nil : .number
        case 4: model.count.lastChange = random.below(2) == 0 ? nil : LastChange(.down(1), time: "09:00:01")
        case 5: model.count.mayChange.toggle()
        case 6: model.overlay = random.below(2) == 0 ? nil : .help
        case 7: model.count.location = random.below(2) == 0 ? nil : "Söder 音"
        default:
            model.count.level &+= random.below(2) == 0 ? 1 : -1
            model.count.lastChange = LastChange(.up(1), time: "14:03:\(10 + random.below(50))")
        }
    }
}
