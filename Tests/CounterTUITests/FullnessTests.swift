import CounterModel
import Linux
import Testing

@testable import CounterTUI

@Suite("How full a location is, on Count") struct FullnessTests {
    private func lines(
        _ level: Int, _ columns: Int, _ rows: Int = 12, _ name: String? = "Main hall",
        among locations: Int = 1
    ) -> [String] {
        var model = Sample.ordinary()
        (model.location, model.state) = (name, CounterState(level, of: 50, at: "hall"))
        let screens = Screens(count: model)
        screens.context.locations.offer(
            (0..<locations).map { .init(id: $0 == 0 ? "hall" : Identifier("\($0)"), name: "x") },
            preferred: "hall")
        return screens.lines(columns, rows, .least)
    }

    private static let words = [(39, "OK"), (40, "WARNING"), (50, "FULL"), (56, "OVERCROWDED")]

    @Test(arguments: [40, 60, 80, 120, 250], words)
    func `The word and the percentage are under the number`(columns: Int, expected: (Int, String)) {
        let (count, word) = expected
        let lines = lines(count, columns)
        let line = lines.dropFirst().first { $0.contains("Count \(count)") }
        #expect(line?.contains(word) == true && line?.contains("\(count * 2) %") == true)
        #expect(lines.contains { $0.contains("\(count) of 50") && $0.contains("left") })
    }

    @Test(arguments: [40, 60, 80, 120, 250], ["Main hall", "Great hall of the northern wing", nil])
    func `In the top line the name gives way, not the fullness`(columns: Int, name: String?) {
        for (count, word) in [(50, "FULL"), (56, "OVERCROWDED")] {
            let top = lines(count, columns, 12, name)[0]
            #expect(top.contains(word) && top.hasSuffix("Count \(count)"), "\(top)")
        }
        let top = lines(45, columns, 12, name)[0]
        #expect(top.contains("90 %"), "\(top)")
    }

    @Test func `Twenty columns have the word; below them there is the number alone`() {
        let lines = lines(50, 20, 6)
        #expect(lines[0].contains("FULL") && lines.dropFirst().contains { $0.contains("FULL") })
        #expect(!self.lines(50, 19, 5).joined().contains("FULL"))
    }

    @Test func `The digits have the colour of the status`() {
        for (count, status) in [(39, OccupancyStatus.ok), (40, .warning), (50, .full)] {
            var model = CountViewModel()
            model.state = CounterState(count, of: 50)
            let grid = Sample.count(model).frame().grid
            let styles = (1..<15).flatMap { row in
                (0..<80).map { grid[Point(column: $0, row: row)].style }
            }
            #expect(styles.contains(Theme(.best).digits(status)))
        }
    }

    @Test func `Where there are several locations, the name is over the number`() {
        func centred(_ lines: [String]) -> Bool {
            lines.contains { $0.trimmingPrefix { $0 == " " } == "Main hall" }
        }
        #expect(centred(lines(7, 80, 24, among: 2)))
        #expect(!centred(lines(7, 80, 24)))
        #expect(centred(lines(7, 40, among: 2)))
    }
}
