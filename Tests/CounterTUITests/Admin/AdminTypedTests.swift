import CounterModel
import Testing

@testable import CounterTUI

@Suite("What is typed on Admin") struct AdminTypedTests {
    private static let locations = [
        LocationChoice.Item(id: "default", name: "North door"),
        LocationChoice.Item(id: "Hall", name: "default"),
        LocationChoice.Item(id: "1", name: "हि"), LocationChoice.Item(id: "2", name: "हा"),
    ]

    private func change(_ edit: AdminEdit, _ text: String) throws -> AdminChange {
        try edit.change(typed: text, locations: Self.locations)
    }

    private func problem(_ edit: AdminEdit, _ text: String) -> String? {
        #expect(throws: FieldProblem.self) { try change(edit, text) }?.text
    }

    @Test(arguments: [
        (LocationSetting.Name.capacity, "120", LocationSetting.capacity(120)),
        (.capacity, "", .capacity(nil)),
        (.capacity, " None ", .capacity(nil)), (.capacity, "1", .capacity(1)),
        (.name, " Hall  2 ", .name("Hall  2")),
        (.timezone, "Europe/Zurich ", .timezone("Europe/Zurich")), (.dayStart, "0", .dayStart(0)),
        (.dayStart, "04:00", .dayStart(4)), (.dayStart, "23", .dayStart(23)),
    ])
    func settingsAsTheyAreTyped(property: LocationSetting.Name, text: String, setting: LocationSetting) throws
    {
        #expect(try change(.setting(property, of: "Hall"), text) == .setting(setting, of: "Hall"))
    }

    @Test(arguments: [
        (LocationSetting.Name.capacity, "0"), (.capacity, "-1"), (.capacity, "+1"), (.capacity, "12 0"),
        (.capacity, "99999999999999999999"), (.name, "  "), (.name, String(repeating: "x", count: 65)),
        (.timezone, " "), (.dayStart, "24"), (.dayStart, "-1"), (.dayStart, ""), (.dayStart, "4:30"),
    ])
    func whatNoSettingCanBe(property: LocationSetting.Name, text: String) {
        #expect(problem(.setting(property, of: "Hall"), text) != nil)
    }

    @Test func correctionsAreASignANumberAndAReason() throws {
        #expect(
            try TypedCorrection(typed: "+3 came in  by the back door")
                == TypedCorrection(.by(3), reason: "came in  by the back door"))
        #expect(try TypedCorrection(typed: " -10000  x ") == TypedCorrection(.by(-10_000), reason: "x"))
        #expect(try TypedCorrection(typed: "=45 counted") == TypedCorrection(.to(45), reason: "counted"))
        #expect(try TypedCorrection(typed: "=0 x") == TypedCorrection(.to(0), reason: "x"))
        #expect(try TypedCorrection(typed: "=-45 x") == TypedCorrection(.to(-45), reason: "x"))
        let longest = String(repeating: "x", count: 200)
        #expect(try TypedCorrection(typed: "+1 " + longest) == TypedCorrection(.by(1), reason: longest))
    }

    private static let start = "Start with a number, for example +3, -3 or =45"
    private static let range = "the number is 1 to 1,000,000,000"

    @Test(arguments: [
        ("", start), ("3 x", start), ("+ x", start), ("+-3 x", start), ("=x", start), ("=--3 x", start),
        ("+0 x", range), ("-1000000001 x", range), ("+99999999999999999999 x", range), ("+3x x", range),
        ("+3", "the reason is missing"), ("+3 \u{202E}\u{200B}", "the reason is missing"),
        ("=45  ", "the reason is missing"),
        ("+3 " + String(repeating: "x", count: 201), "a reason has at most 200 characters"),
    ])
    func whatNoCorrectionIs(text: String, why: String) {
        #expect(problem(.correction(at: "Hall"), text) == why)
    }

    @Test func devicesAreAssignedByTheNameOfALocationAndThenByItsId() throws {
        #expect(try change(.deviceLocation("usb"), "North door") == .assign(device: "usb", to: "default"))
        #expect(try change(.deviceLocation("usb"), "default") == .assign(device: "usb", to: "Hall"))
        #expect(try change(.deviceLocation("usb"), "Hall") == .assign(device: "usb", to: "Hall"))
        #expect(try change(.deviceLocation("usb"), " ") == .assign(device: "usb", to: nil))
        // Both are displayed alike.
        #expect(try change(.deviceLocation("usb"), "हा") == .assign(device: "usb", to: "2"))
        #expect(problem(.deviceLocation("usb"), "Cellar") == "there is no location 'Cellar'")
    }

    @Test func namesHaveBounds() throws {
        #expect(try change(.deviceName("usb"), "Door") == .rename(device: "usb", to: "Door"))
        #expect(try change(.newLocation, "Hall") == .add(name: "Hall"))
        #expect(problem(.deviceName("usb"), "") == "a name is needed")
        #expect(problem(.deviceName("usb"), "  ") == "a name is needed")
        #expect(problem(.deviceName("usb"), "\u{202E}") == "a name is needed")
        #expect(
            problem(.newLocation, String(repeating: "x", count: 65)) == "a name has at most 64 characters")
    }
}
