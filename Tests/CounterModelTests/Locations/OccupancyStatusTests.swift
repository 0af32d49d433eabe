import CounterModel
import Testing

/// The status of an occupancy, at the limits between one status and the next.
@Suite struct OccupancyStatusTests {
    @Test(arguments: [
        (-5, 1, OccupancyStatus.ok), (0, 1, .ok), (1, 1, .full), (3, 4, .ok), (79, 100, .ok),
        (80, 100, .warning), (99, 100, .warning), (100, 100, .full), (101, 100, .full),
        (Int.max - 1, Int.max, .warning), (.max, .max, .full), (.min, .max, .ok),
    ])
    func `Each share has one status`(count: Int, capacity: Int, status: OccupancyStatus) {
        #expect(OccupancyStatus(count: count, capacity: capacity) == status)
    }

    @Test(arguments: [
        (110, 100, false), (111, 100, true), (11, 10, false), (12, 10, true), (1, 1, false), (2, 1, true),
        (Int.max, Int.max, false), (.max, .max / 2, true),
    ])
    func `A place is overcrowded above 110 per cent`(count: Int, capacity: Int, isOvercrowded: Bool) {
        #expect(OccupancyStatus.isOvercrowded(count: count, capacity: capacity) == isOvercrowded)
    }
}
