import CounterModel
import Glibc
import Linux
import TestSupport
import Testing

/// The time zone is the whole process's, so each of these tests has a process of its own.
@Suite struct ZoneDatabaseTests {
    @Test func `The system's zones change when zoneinfo says so`() async {
        await #expect(processExitsWith: .success) {
            let reference = try DayReference()
            for zone in reference.zones {
                let offsets = try ZoneOffsets(of: zone.name, in: DayReference.years)
                #expect(offsets == zone.offsets, "\(zone.name)")
            }
            #expect(reference.zones.count > 10)
        }
    }

    @Test(arguments: ["Asia/Kathmandu", "", nil])
    func `The process keeps its own zone`(own: String?) async {
        await #expect(processExitsWith: .success) { [own = own as String?] in
            if let own { setenv("TZ", own, 1) } else { unsetenv("TZ") }
            tzset()
            let before = localHour()
            _ = try ZoneOffsets(of: "Pacific/Apia", in: DayReference.years)
            #expect(localHour() == before)
            #expect(getenv("TZ").map { String(cString: $0) } == own)
        }
    }

    @Test func `Only what lies in the range is looked for`() async {
        await #expect(processExitsWith: .success) {
            let zone = try #require(try DayReference()["Europe/Zurich"])
            let change = 1_774_746_000
            let range = Timestamp(seconds: change - 5)..<Timestamp(seconds: change + 5)
            let offsets = try ZoneOffsets(of: zone.name, in: range)
            #expect(offsets.offset(at: Timestamp(seconds: change - 1)).seconds == 3600)
            #expect(offsets.offset(at: Timestamp(seconds: change)).seconds == 7200)
            #expect(offsets.offset(at: Timestamp(seconds: change + 300 * 86_400)).seconds == 7200)
        }
    }

    @Test(arguments: [
        "", "/etc/localtime", "../zoneinfo/Europe/Zurich", "Europe/../Asia/Tokyo", "./UTC", "Europe//Zurich",
        "Europe/", "Europe/Zürich", ":UTC", "Europe/Zurich\n", "A B",
    ])
    func `What is no name is refused`(name: String) async {
        await #expect(processExitsWith: .success) { [name = name as String] in
            #expect(throws: ZoneError.notAName(name)) { try read(name) }
        }
    }

    @Test func `A zone that is not there is an error with its remedy`() async {
        await #expect(processExitsWith: .success) {
            let error = ZoneError.missing("Europe/Zuerich", directory: "/usr/share/zoneinfo")
            #expect(throws: error) { try read("Europe/Zuerich") }
            #expect(throws: ZoneError.self) { try read("Europe/Zurich/Oerlikon") }
            #expect("\(error)" == "time zone 'Europe/Zuerich': there is none in /usr/share/zoneinfo")
            #expect(error.remedy.contains("tzdata"))
        }
    }

    @Test func `A file that is no zone is refused`() async {
        await #expect(processExitsWith: .success) {
            let folder = try ScratchFolder()
            try folder.write("Area/Text", "no zone")
            try folder.write("Area/Empty")
            setenv("TZDIR", folder.path, 1)
            for name in ["Area/Text", "Area/Empty", "Area"] {
                #expect(throws: ZoneError.notAZone(path: folder.path(of: name))) { try read(name) }
            }
        }
    }

    @Test func `UTC needs no database`() async {
        await #expect(processExitsWith: .success) {
            setenv("TZDIR", "/none", 1)
            let zones = try ["UTC", "Etc/UTC"].map(read)
            #expect(zones == [.utc, .utc])
            #expect(throws: ZoneError.missing("Europe/Zurich", directory: "/none")) {
                try read("Europe/Zurich")
            }
        }
    }

    @Test func `A database of one's own is taken`() async {
        await #expect(processExitsWith: .success) {
            let folder = try ScratchFolder()
            symlink("/usr/share/zoneinfo/Asia/Kathmandu", folder.path(of: "Home"))
            setenv("TZDIR", folder.path, 1)
            let zone = try read("Home")
            #expect(zone.offset(at: Timestamp(seconds: 1_774_746_000)).description == "+05:45")
        }
    }
}

private func read(_ name: String) throws -> ZoneOffsets {
    try ZoneOffsets(of: name, in: DayReference.years)
}

/// The local hour of a fixed moment, in the zone of this process.
private func localHour() -> CInt {
    var time = time_t(1_774_746_000)
    var parts = tm()
    localtime_r(&time, &parts)
    return parts.tm_hour
}

/// The zone that `TZ` names. It is the whole process's, so each of these tests has a process of its own.
@Suite struct LocalZoneTests {
    @Test(arguments: [
        ("Europe/Zurich", "Europe/Zurich"), (":Europe/Zurich", "Europe/Zurich"), ("", "UTC"),
        ("/usr/share/zoneinfo/Asia/Kathmandu", "Asia/Kathmandu"), ("UTC", "UTC"), (":UTC", "UTC"),
        (":/usr/share/zoneinfo/Asia/Kathmandu", "Asia/Kathmandu"), ("EST5EDT", "EST5EDT"),
    ])
    func `TZ names the zone`(variable: String, zone: String) async {
        await #expect(processExitsWith: .success) { [variable, zone] in
            setenv("TZ", variable, 1)
            #expect(ZoneDatabase().localZone == zone)
        }
    }

    @Test func `A rule has no name, so the system's zone stands`() async {
        await #expect(processExitsWith: .success) {
            unsetenv("TZ")
            let own = ZoneDatabase().localZone
            setenv("TZ", "CET-1CEST", 1)
            #expect(ZoneDatabase().localZone == own)
        }
    }
}
