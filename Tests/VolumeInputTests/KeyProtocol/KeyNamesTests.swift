import CEvdev
import Testing

@testable import KeyProtocol

@Suite struct KeyNamesTests {
    /// A newer libevdev may know more names; it must give the names of the table the same codes.
    @Test func everyNameHasTheCodeThatLibevdevGivesIt() {
        let names = (1..<KeyMeanings.highestCode).compactMap { code in
            libevdev_event_code_get_name(UInt32(EV_KEY), UInt32(code)).map { (String(cString: $0), code) }
        }
        #expect(names.count > 500)
        for (name, code) in names { #expect(KeyNames.code(of: name) == code, "\(name)") }
    }

    @Test(arguments: [("BTN_MOUSE", 0x110), ("BTN_A", 0x130), ("KEY_SCREENLOCK", 152), ("KEY_HANGUEL", 122)])
    func aliasesAreKnown(name: String, code: UInt16) { #expect(KeyNames.code(of: name) == code) }
}
