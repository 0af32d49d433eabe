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

/// Values as they are typed, on the command line and in a field of a screen.
@Suite struct TypedSettingTests {
    private func read(_ property: LocationProperty, _ text: String, _ form: TypedForm) -> String {
        do throws(FieldProblem) {
            return try LocationSetting(property, typed: text, as: form).text ?? "none"
        } catch { return error.text }
    }

    @Test(arguments: [
        (LocationProperty.capacity, "none", "none", "none"),
        (.capacity, "+7", "7", "a capacity is a number from 1 up, or none"),
        (.target, "0", "the target must be 1 or more, or none", "a target is a number from 1 up, or none"),
        (.dayStart, "4:00", "the hour must be 0 to 23", "4"), (.group, "none", "none", "none"),
        (.name, " ", NameRule.text, "a name is needed"), (.key, "A", "a", "a"),
        (.key, "1", LocationKey.text, LocationKey.text),
        (.openingHours, "Mon 9-18", "Mon 09:00-18:00", "Mon 09:00-18:00"),
        (.isHidden, "yes", "it is true or false", "it is true or false"),
    ])
    func `A value is read, or the reason is named`(
        property: LocationProperty, text: String, option: String, field: String
    ) {
        #expect(read(property, text, .option) == option)
        #expect(read(property, text, .field) == field)
    }

    @Test func `Each property is found by its name and its number, and tells its value`() {
        let location = Location(id: "hall", name: "Hall", timezone: "UTC", maxCapacity: 5, dayStart: 4)
        let shown = LocationProperty.all.map { $0.shown(of: location) }
        #expect(
            shown == [
                "Hall", "UTC", "5", "04:00", "counting by hand: not allowed", "no",
                "hours unknown", "when you end it (E)", "none", "none", "none",
            ])
        for property in LocationProperty.all {
            let text = property.text(location)
            #expect(LocationSetting(named: property.name, text: text)?.property == property)
            #expect(LocationSetting(key: property.key, text: text)?.text == text)
        }
        #expect(LocationSetting(named: "colour", text: "red") == nil)
    }
}

/// The keys of locations: one letter, small and as a capital.
@Suite struct LocationKeyTests {
    @Test(arguments: [
        ("a", "a", "A"), ("A", "a", "A"), ("ä", "ä", "Ä"), ("Ж", "ж", "Ж"), ("e\u{301}", "é", "É"),
    ])
    func `A letter that has a capital is a key`(text: String, small: Character, capital: Character) throws {
        let key = try #require(LocationKey(text))
        #expect(key.character == small)
        #expect(key.capital == capital)
        #expect(LocationKey(key.description) == key)
    }

    @Test(arguments: ["", "ab", "1", "+", " ", "?", "ß", "の", "\u{1B}", "👍"])
    func `Anything else is none`(text: String) {
        #expect(LocationKey(text) == nil)
    }
}

/// When a device is stale.
@Suite struct DeviceTests {
    private static let now = Timestamp(seconds: 1_000)

    private func isStale(seen: Timestamp?, isConnected: Bool = false) -> Bool {
        Device(
            id: "door", name: "door", locationId: nil, lastSeenAt: seen, isActive: true,
            connection: isConnected
                ? DeviceConnection(since: Self.now, locationId: "default", program: "counter", isOwn: true)
                : nil
        ).isStale(after: .seconds(120), now: Self.now)
    }

    @Test func `It is stale after more than its time, and not at it`() {
        #expect(!isStale(seen: Timestamp(seconds: 880)))
        #expect(isStale(seen: Timestamp(microseconds: 879_999_999)))
        #expect(!isStale(seen: Timestamp(seconds: 2_000)), "a clock that was set back")
    }

    @Test func `One that was never seen is not stale, nor one that is connected`() {
        #expect(!isStale(seen: nil))
        #expect(!isStale(seen: nil, isConnected: true))
        #expect(!isStale(seen: Timestamp(seconds: 0), isConnected: true))
    }
}

@Suite struct ControlCharactersTests {
    @Test(arguments: [
        "\u{200B}", "\u{2060}\u{FEFF}", "\u{AD}", "\u{3164}", "\u{2800}", "\u{301}", " \u{A0}\u{2003}",
        "\u{E0041}", "\u{202E}",
    ])
    func aNameOfWhichNothingIsSeenIsNone(text: String) {
        #expect(!text.hasVisibleCharacter)
        #expect(!NameRule.admits(text) && !DeviceIdRule.admits(text))
        #expect(NameRule.admits(text + "a") && "\u{1F426}".hasVisibleCharacter && "é鳥".hasVisibleCharacter)
    }

    @Test func controlCharactersAreThoseThatUnicodeCallsSo() {
        for scalar in (0...0xFFFF).compactMap(Unicode.Scalar.init) {
            let isControl = scalar.properties.generalCategory == .control
            #expect("a\(scalar)".holdsControlCharacter == isControl, "\(scalar.value)")
        }
    }
}
