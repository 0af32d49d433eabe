import CounterModel
import Linux
import Testing

@testable import CounterTUI

@Suite("What is typed on Admin") struct AdminTypedTests {
    /// Locations of which one has another's id as its name, and two look alike.
    private let screens: Screens = {
        let screens = AdminState.ordinary.screens
        screens.context.locations.offer(
            [
                AdminState.ordinary.location, Location(id: "Hall", name: "default"),
                Location(id: "1", name: "हि"), Location(id: "2", name: "हा"),
            ], preferred: "default")
        return screens
    }()

    /// What Enter does after a text was typed into a field: a change, or the bell with the reason in the field.
    private func submit(_ text: String, _ prompt: FieldPrompt?) throws -> String? {
        screens.context.ask(try #require(prompt))
        screens.press([.character("\u{15}"), .pasted(text)])
        return screens.press(.key(.enter))
    }

    private func problem(_ text: String, _ prompt: FieldPrompt?) throws -> String? {
        #expect(try submit(text, prompt) == "ring")
        return screens.context.field?.field.problem
    }

    private func prompt(_ property: LocationProperty) throws -> FieldPrompt {
        screens.admin.prompt(for: property, of: try #require(screens.admin.location))
    }

    private func device(_ id: Identifier) throws -> Device {
        try #require(screens.admin.devices.first { $0.id == id })
    }

    private var correction: FieldPrompt? { screens.admin.correctionPrompt(at: "default") }

    @Test(arguments: [
        (LocationProperty.capacity, "121", LocationSetting.capacity(121)),
        (.capacity, "", .capacity(nil)),
        (.capacity, " None ", .capacity(nil)), (.capacity, "1", .capacity(1)),
        (.name, " Hall  2 ", .name("Hall  2")),
        (.timezone, "Europe/Zurich ", .timezone("Europe/Zurich")), (.dayStart, "0", .dayStart(0)),
        (.dayStart, "04:00", .dayStart(4)), (.dayStart, "23", .dayStart(23)),
    ])
    func settingsAsTheyAreTyped(property: LocationProperty, text: String, setting: LocationSetting) throws {
        #expect(try submit(text, prompt(property)) == "set \(setting) of default")
    }

    @Test(arguments: [
        (LocationProperty.capacity, "0"), (.capacity, "-1"), (.capacity, "+1"), (.capacity, "12 0"),
        (.capacity, "99999999999999999999"), (.name, "  "), (.name, String(repeating: "x", count: 65)),
        (.timezone, " "), (.dayStart, "24"), (.dayStart, "-1"), (.dayStart, ""), (.dayStart, "4:30"),
    ])
    func whatNoSettingCanBe(property: LocationProperty, text: String) throws {
        #expect(try problem(text, prompt(property)) != nil)
    }

    private static let longest = String(repeating: "x", count: 200)

    @Test(arguments: [
        ("+3 came in  by the back door", Correction.Amount.by(3), "came in  by the back door"),
        (" -10000  x ", .by(-10_000), "x"), ("=45 counted", .to(45), "counted"), ("=0 x", .to(0), "x"),
        ("=-45 x", .to(-45), "x"), ("+1 " + longest, .by(1), longest),
    ])
    func correctionsAreASignANumberAndAReason(
        text: String, amount: Correction.Amount, reason: String
    ) throws {
        #expect(try submit(text, correction) == "correct \(amount) at default: \(reason)")
    }

    private static let start = "Start with a number, for example +3, -3 or =45"
    private static let range = "the number is 1 to 1,000,000,000"
    private static func missing(_ amount: String) -> String {
        "the reason is missing; write it behind, such as \(amount) counted at noon"
    }

    @Test(arguments: [
        ("", start), ("45 counted", "Write =45 if 45 is what you counted"), ("x 3", start), ("+ x", start),
        ("+-3 x", start), ("=x", start), ("=--3 x", start),
        ("+0 x", range), ("-1000000001 x", range), ("+99999999999999999999 x", range), ("+3x x", range),
        ("+3", missing("+3")), ("+3 \u{202E}\u{200B}", missing("+3")), ("=45  ", missing("=45")),
        ("+3 " + String(repeating: "x", count: 201), "a reason has at most 200 characters"),
    ])
    func whatNoCorrectionIs(text: String, why: String) throws {
        #expect(try problem(text, correction) == why)
    }

    @Test(arguments: [
        ("North door", "default"), ("default", "Hall"), ("Hall", "Hall"),
        // Both are displayed alike.
        ("हा", "2"),
    ])
    func devicesAreAssignedByTheNameOfALocationAndThenByItsId(text: String, id: String) throws {
        let prompt = screens.admin.locationPrompt(of: try device("usb:2"))
        #expect(try submit(text, prompt) == "assign usb:2 to \(id)")
    }

    @Test func aDeviceIsAssignedToNoLocationOrToOneThatIsThere() throws {
        let prompt = screens.admin.locationPrompt(of: try device("usb:2"))
        #expect(try submit(" ", prompt) == "assign usb:2 to any")
        #expect(try problem("Cellar", prompt) == "there is no location 'Cellar'")
    }

    @Test func namesHaveBounds() throws {
        let device = screens.admin.namePrompt(of: try device("usb:1"))
        #expect(try submit("Door", device) == "rename usb:1 to Door")
        #expect(try submit("Hall", screens.admin.newLocationPrompt) == "add Hall")
        for empty in ["", "  ", "\u{202E}"] { #expect(try problem(empty, device) == "a name is needed") }
        let long = String(repeating: "x", count: 65)
        #expect(try problem(long, screens.admin.newLocationPrompt) == "a name has at most 64 characters")
    }
}
