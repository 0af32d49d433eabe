import CounterModel
import Glibc
import Linux
import TestSupport
import Testing

/// The zone that `TZ` names. It is the whole process's, so each of these tests has a process of its own.
@Suite struct LocalZoneTests {
    @Test(arguments: [
        ("Europe/Zurich", "Europe/Zurich"), (":Europe/Zurich", "Europe/Zurich"), ("", "UTC"),
        ("/usr/share/zoneinfo/Asia/Kathmandu", "Asia/Kathmandu"),
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
