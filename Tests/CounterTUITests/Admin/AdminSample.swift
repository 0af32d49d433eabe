import CounterModel
import Linux

@testable import CounterTUI

/// Sample content of the Admin screen.
enum AdminState: String, CaseIterable {
    case ordinary, viewer, empty, manyDevices, snapshots, unknownZone

    var screens: Screens {
        let screens = Screens(count: CountViewModel(level: 12), tabs: [.admin])
        screens.context.locations.offer(
            [location, .init(id: "Hall", name: "Hall"), .init(id: "Café", name: "Café")], preferred: "default"
        )
        fill(screens.admin)
        return screens
    }

    var location: Location {
        Location(
            id: "default", name: "North door", timezone: "Europe/Zurich",
            maxCapacity: self == .empty ? nil : 120, dayStart: 4)
    }

    private func fill(_ admin: AdminViewModel) {
        admin.user = ("ada", self == .viewer ? .viewer : .admin)
        admin.names = ["default": "North door", "Hall": "Hall", "Café": "Café"]
        admin.zone = ZoneOffsets(initial: UTCOffset(seconds: 3600))
        admin.state = CounterState(12, of: location.maxCapacity)
        if self == .unknownZone { admin.zoneProblem = "no time zone 'Europe/Zurich'; times are in UTC" }
        if self == .empty { return }
        admin.devices = devices
        admin.days = days
    }

    private var devices: [Device] {
        let seen = Timestamp(seconds: 1_795_269_785)
        let some = [
            Device(
                id: "usb:1", name: "AB Shutter3", locationId: "Hall", lastSeenAt: seen, isActive: true,
                connection: DeviceConnection(
                    since: Timestamp(seconds: 0), locationId: "default", program: "counter", isOwn: true)),
            Device(
                id: "usb:2", name: "Pedal", locationId: nil, lastSeenAt: seen, isActive: true,
                connection: DeviceConnection(
                    since: seen, locationId: "default", program: "counter listen", isOwn: false)),
            Device(
                id: "door-1", name: "シャッター\u{1B}[31m with a name that goes on and on and on",
                locationId: "gone", lastSeenAt: nil, isActive: false),
        ]
        guard self == .manyDevices else { return some }
        return (1...40).map {
            Device(
                id: "remote-\($0)", name: "Remote \($0)", locationId: "Hall", lastSeenAt: seen,
                isActive: $0 % 7 != 0,
                connection: $0 % 3 == 0
                    ? DeviceConnection(since: seen, locationId: "default", program: "counter", isOwn: true)
                    : nil)
        }
    }

    private var days: [EndedDay] {
        (0..<(self == .snapshots ? 12 : 1)).map { number in
            let start = Timestamp(seconds: 1_795_143_600 - number * 86_400)
            return EndedDay(
                id: Position(Int64(1000 - number)), userId: number == 1 ? nil : "ada",
                snapshot: DaySnapshot(
                    from: start, to: Timestamp(seconds: start.seconds + 86_400 + 5), finalLevel: 12 - number,
                    totalIn: 340, totalOut: 328,
                    peakHour: number == 2
                        ? nil : .init(start: Timestamp(seconds: start.seconds + 50_400), totalIn: 52),
                    highestLevel: 118, averageOccupancy: number == 2 ? nil : 41.26))
        }
    }
}

extension Question {
    static func sample(of name: String = "North door", yes: @escaping Action = {}) -> Question {
        Question(
            title: "End the day?", subject: name, gist: "12 becomes 0",
            paragraphs: [
                "\(name): 2026-11-20 04:00:00 to 2026-11-21 04:00:05",
                "count 12, in 340, out 328, highest 118, average 41.3, peak 18:00 with 52 in",
                "This is archived, and 12 becomes 0. Undo takes it back.",
            ],
            yes: yes)
    }
}
