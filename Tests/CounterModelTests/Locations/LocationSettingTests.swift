import CounterModel
import Testing

/// The settings of a location and their valid values.
@Suite struct LocationSettingTests {
    private static let longest = String(repeating: "é", count: 64)

    @Test(arguments: [
        LocationSetting.capacity(nil), .capacity(1), .capacity(.max), .name("x"), .name(longest),
        .timezone("UTC"), .dayStart(0), .dayStart(23), .admitsOverFull(true), .isHidden(false),
        .key(nil), .key(LocationKey("a")), .target(nil), .target(1), .target(.max),
    ])
    func `What is within its range is read as it was written`(setting: LocationSetting) {
        #expect(setting.isValid)
        #expect(LocationSetting(setting.property, text: setting.text) == setting)
    }

    @Test(arguments: [
        LocationSetting.capacity(0), .capacity(-1), .name(""), .name(longest + "e"), .name("a\tb"),
        .timezone(""), .dayStart(-1), .dayStart(24), .target(0), .target(-1),
    ])
    func `What is beyond it is not taken`(setting: LocationSetting) {
        #expect(!setting.isValid)
        #expect(LocationSetting(setting.property, text: setting.text) == nil)
    }

    @Test(arguments: [
        LocationSetting.capacity(5), .name("Hall"), .timezone("Asia/Kathmandu"), .dayStart(4),
        .admitsOverFull(true), .isHidden(true), .key(LocationKey("ß") ?? LocationKey("x")), .target(12),
    ])
    func `Each setting is a change of its own, and makes the other location of the first`(
        setting: LocationSetting
    ) {
        let plain = Location(id: "hall", name: "hall", timezone: "UTC")
        var other = plain
        other.apply(setting)
        #expect(other != plain)
        #expect(plain.changes(to: other) == [setting])
    }
}
