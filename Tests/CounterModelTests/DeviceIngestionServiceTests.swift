import CounterModel
import Linux
import Testing

@Suite struct DeviceIngestionServiceTests {
    let repository = RecordingRepository()
    let service: CounterService<RecordingRepository>
    let ingestion: DeviceIngestionService<RecordingRepository>

    init() {
        service = CounterService(repository: repository)
        ingestion = DeviceIngestionService(service, location: "hall")
        ingestion.update(devices: [
            Device(id: "assigned", name: "A", locationId: "door", lastSeenAt: nil, isActive: true),
            Device(id: "disabled", name: "B", locationId: nil, lastSeenAt: nil, isActive: false),
        ])
    }

    @Test(arguments: [
        ("assigned", Identifier?.none, "door"), ("assigned", "gate", "gate"), ("unknown", nil, "hall"),
    ])
    func `An event counts where it says, else where its device is assigned, else where all count`(
        device: Identifier, named: Identifier?, location: Identifier
    ) throws {
        #expect(ingestion.receive(event(device, at: named)))
        #expect(try committed().map(\.locationId) == [location])
    }

    @Test func `A device that is disabled does not count`() throws {
        #expect(!ingestion.receive(event("disabled")))
        #expect(try committed().isEmpty)
        ingestion.update(devices: [])
        #expect(ingestion.receive(event("disabled")))
        #expect(try committed().count == 1)
    }

    @Test func `An event keeps its number, its time and its hold`() throws {
        let time = Timestamp(microseconds: 7)
        ingestion.receive(
            DeviceEvent(
                type: .out, deviceId: "far", timestamp: time, sequenceNumber: 3, continuesHold: true))
        let request = try #require(try committed().first)
        #expect(request.timestamp == time)
        #expect(
            request.change
                == .entry(
                    NewEntry(
                        type: .out, deviceId: "far", source: .hardware, sequenceNumber: 3, continuesHold: true
                    )))
    }

    /// "Tür" with one code point for ü and with two is the same text to Swift, and two devices to the journal.
    @Test func `Devices whose ids are the same text in other bytes are two`() throws {
        let (composed, decomposed): (Identifier, Identifier) = ("T\u{FC}r", "Tu\u{308}r")
        let known = [(composed, Identifier("north"), true), (decomposed, "south", false)].map {
            Device(id: $0, name: $0.text, locationId: $1, lastSeenAt: nil, isActive: $2)
        }
        ingestion.update(devices: known)
        #expect([composed, decomposed].map(ingestion.location) == ["north", "south"])
        #expect([composed, decomposed].map(ingestion.isActive) == [true, false])
        let devices = Devices(known)
        #expect([composed, decomposed].map { devices.location(of: $0, else: "hall") } == ["north", "south"])
        #expect(devices.inactive == [decomposed])
        #expect(Set([composed, decomposed]).count == 2 && decomposed < composed)
    }

    @Test func `What was reported can be taken back by its token`() throws {
        ingestion.receive(event("far", token: 5))
        service.takeBack(tokens: [5], timestamp: Timestamp(microseconds: 8))
        #expect(try committed().isEmpty)
    }

    @Test func `A row of another journal is asked for as it is`() throws {
        let row = Request(
            locationId: "door", timestamp: Timestamp(microseconds: 1), change: .void(Position(4)),
            origin: RowOrigin(
                identity: RowIdentity(journalId: "other", position: Position(9)),
                receivedAt: Timestamp(microseconds: 2)))
        ingestion.receive(row)
        #expect(try committed() == [row])
    }

    private func event(_ device: Identifier, at location: Identifier? = nil, token: UInt64? = nil)
        -> DeviceEvent
    {
        DeviceEvent(
            type: .in, deviceId: device, timestamp: Timestamp(microseconds: 1), locationId: location,
            token: token)
    }

    private func committed() throws -> [Request] {
        try service.commit(receivedAt: Timestamp(microseconds: 99)).map(\.request)
    }
}
