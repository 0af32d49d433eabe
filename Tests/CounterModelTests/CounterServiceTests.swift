import CounterModel
import Linux
import Testing

@Suite struct CounterServiceTests {
    let repository = RecordingRepository()
    let service: CounterService<RecordingRepository>

    init() {
        service = CounterService(repository: repository)
    }

    func count(
        _ token: UInt64, _ type: EntryType = .in, device: Identifier = "remote", continues: Bool = false
    ) {
        service.count(
            type, device: device, location: "door", timestamp: Timestamp(microseconds: Int64(token)),
            source: .hardware, token: token, continuesHold: continues)
    }

    @discardableResult
    func commit() throws -> [Receipt] {
        try service.commit(receivedAt: Timestamp(microseconds: 99))
    }

    /// The last transaction in short form: `in`, `in+` for a repeat, `void 3`, `reset 0`, `undo`.
    var lastTransaction: [String] {
        (repository.transactions.last ?? []).map { request in
            switch request.change {
            case .entry(let entry): entry.type.rawValue + (entry.continuesHold ? "+" : "")
            case .void(let position): "void \(position.number)"
            case .voidPress(let rows): "void \(rows.lowerBound.number)-\(rows.upperBound.number)"
            case .reset(let reset): "reset \(reset.value)"
            case .entries(let entry, let count):
                "\(count) \(entry.type.rawValue)" + (entry.continuesHold ? "+" : "")
            case .correction(let correction): "\(correction.amount)"
            case .undo: "undo"
            case .endOfDay: "end of day"
            case .setting(let setting): "\(setting)"
            case .timerEvent(let text): text
            }
        }
    }

    @Test func allThatWaitsIsOneTransactionInOrder() throws {
        count(1)
        count(2, .out)
        service.reset(to: 5, location: "door", timestamp: Timestamp(microseconds: 3))
        service.undo(
            UndoScope(userId: "anna", deviceIds: []), location: "door", timestamp: Timestamp(microseconds: 4))
        #expect(service.waiting == 4)
        let receipts = try commit()
        #expect(lastTransaction == ["in", "out", "reset 5", "undo"])
        #expect(receipts.map(\.outcome) == (1...4).map { .accepted(Position($0)) })
        #expect(receipts.map(\.request.timestamp.microseconds) == [1, 2, 3, 4])
        #expect(service.waiting == 0)
    }

    @Test func aReasonGoesWithItsEntry() throws {
        service.count(
            .out, device: "command-line", location: "door", timestamp: Timestamp(microseconds: 1),
            source: .manual, reason: "miscounted")
        try commit()
        let reasons = repository.transactions.last?.map { request -> String? in
            if case .entry(let entry) = request.change { entry.reason } else { nil }
        }
        #expect(reasons == ["miscounted"])
    }

    @Test func nothingWaitingIsNoTransaction() throws {
        #expect(try commit().isEmpty)
        #expect(repository.transactions.isEmpty)
    }

    @Test func aFailedCommitKeepsEverythingInOrder() throws {
        repository.isFull = true
        count(1)
        #expect(throws: RecordingRepository.DiskFull.self) { try commit() }
        count(2, .out)
        #expect(throws: RecordingRepository.DiskFull.self) { try commit() }
        #expect(service.waiting == 2)
        repository.isFull = false
        try commit()
        #expect(repository.transactions.count == 1)
        #expect(lastTransaction == ["in", "out"])
    }

    @Test func aWaitingCountIsDropped() throws {
        count(1)
        count(2)
        service.takeBack(tokens: [1], timestamp: Timestamp(microseconds: 3))
        #expect(service.waiting == 1)
        try commit()
        #expect(lastTransaction == ["in"])
    }

    @Test func aStoredCountIsMadeVoidOnce() throws {
        count(7)
        count(8)
        try commit()
        service.takeBack(tokens: [8, 8, 1234], timestamp: Timestamp(microseconds: 3))
        #expect(service.waiting == 1)
        try commit()
        #expect(lastTransaction == ["void 2"])
        #expect(repository.transactions.last?.first?.locationId == "door")
    }

    @Test func aChordVoidsAndResetsInOneTransaction() throws {
        count(1)
        try commit()
        count(2, .out)
        service.takeBack(tokens: [1, 2], timestamp: Timestamp(microseconds: 3))
        service.reset(location: "door", device: "remote", timestamp: Timestamp(microseconds: 3))
        try commit()
        #expect(lastTransaction == ["void 1", "reset 0"])
    }

    @Test func everyRepeatOfALongHoldCanBeTakenBack() throws {
        for token in UInt64(1)...3000 {
            count(token, continues: token > 1)
            try commit()
        }
        service.takeBack(tokens: UInt64(1)...3000, timestamp: Timestamp(microseconds: 0))
        #expect(service.waiting == 3000)
    }

    @Test func aPressOfTenIsTakenBackAsAWhole() throws {
        press(1)
        press(2, continues: true)
        try commit()
        #expect(lastTransaction == ["10 in", "10 in+"])
        press(3, continues: true)
        service.takeBack(tokens: [2, 3], timestamp: Timestamp(microseconds: 4))
        try commit()
        #expect(lastTransaction == ["void 11-20"])
    }

    @Test func theNextRepeatOfTenBeginsAHoldWhoseFirstPressWasDropped() throws {
        press(1)
        press(2, continues: true)
        service.takeBack(tokens: [1], timestamp: Timestamp(microseconds: 3))
        try commit()
        #expect(lastTransaction == ["10 in"])
    }

    private func press(_ token: UInt64, continues: Bool = false) {
        service.count(
            .in, times: 10, device: "remote", location: "door", timestamp: Timestamp(microseconds: 1),
            source: .hardware, token: token, continuesHold: continues)
    }

    @Test func theNextRepeatBeginsAHoldWhoseFirstCountWasDropped() throws {
        count(1)
        count(2, device: "other", continues: true)
        count(3, continues: true)
        count(4, continues: true)
        service.takeBack(tokens: [1], timestamp: Timestamp(microseconds: 5))
        try commit()
        #expect(lastTransaction == ["in+", "in", "in+"])
    }

    @Test func aRepeatThatComesLaterBeginsItToo() throws {
        count(1)
        service.takeBack(tokens: [1], timestamp: Timestamp(microseconds: 2))
        count(2, continues: true)
        count(3, continues: true)
        try commit()
        #expect(lastTransaction == ["in", "in+"])
    }
}
