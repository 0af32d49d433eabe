import CEvdev
import Testing

@testable import KeyProtocol
@testable import KeyServer

/// What the service refuses to every client.
@Suite struct ServiceRulesTests {
    private func objection(toKey code: UInt16) -> MessageError? {
        let asked = KeyMeanings(up: [115], down: [114], reset: [code])
        return ServiceRules.objection(to: .configure(asked))
    }

    @Test(
        arguments: [
            KEY_1, KEY_0, KEY_MINUS, KEY_BACKSPACE, KEY_TAB, KEY_Q, KEY_ENTER, KEY_LEFTCTRL, KEY_A, KEY_GRAVE,
            KEY_LEFTSHIFT, KEY_Z, KEY_SPACE, KEY_CAPSLOCK, KEY_KP7, KEY_KP0, KEY_KPDOT, KEY_102ND, KEY_RO,
            KEY_KPENTER, KEY_SYSRQ, KEY_RIGHTALT, KEY_DELETE, KEY_KPEQUAL, KEY_YEN, KEY_LEFTMETA,
            KEY_KPRIGHTPAREN, KEY_EURO, KEY_BRL_DOT1, KEY_BRL_DOT10, KEY_NUMERIC_0, KEY_NUMERIC_POUND,
            KEY_NUMERIC_12,
            KEY_ESC, KEY_F1, KEY_F12, KEY_F24, KEY_POWER, KEY_POWER2, KEY_SLEEP, KEY_SUSPEND, KEY_WAKEUP,
            KEY_RESTART, KEY_SCREENLOCK, KEY_COFFEE, KEY_RFKILL, KEY_WLAN, KEY_BRIGHTNESSUP, KEY_UP,
            KEY_RIGHT,
            KEY_HOME, KEY_END, KEY_SCROLLLOCK, KEY_PAUSE, KEY_BREAK, KEY_MACRO1, KEY_FN, KEY_UNKNOWN, BTN_0,
            BTN_LEFT, BTN_TASK, BTN_TOUCH, BTN_SOUTH, BTN_TRIGGER_HAPPY1, KEY_MAX,
        ]) func `No key is served that somebody writes with, that gives commands or points`(code: Int32)
    {
        #expect(objection(toKey: UInt16(code)) == .unservedKey)
    }

    @Test func `Every key of the list is served, and no other`() {
        let served = (1...KeyMeanings.highestCode).filter { objection(toKey: $0) == nil }
        // The volume keys have two meanings here; another check refuses that.
        #expect(served == ServedKeys.all.map(\.code).sorted())
    }

    @Test func `Each meaning is looked at`() {
        for asked in [
            KeyMeanings(up: [30], down: [], reset: []), KeyMeanings(up: [115], down: [114, 1], reset: []),
            KeyMeanings(up: [115], down: [114], reset: [113, 0x110]),
        ] { #expect(ServiceRules.objection(to: .configure(asked)) == .unservedKey) }
        #expect(ServiceRules.objection(to: .configure(.volumeKeys)) == nil)
    }

    @Test(
        arguments: [
            "/dev/input/event3", "/dev/input/by-id/usb-Käthe-event-kbd", "/dev/input/by-path/x",
            "/dev/remote",
        ]) func `Links are followed where udev makes them`(path: String)
    {
        #expect(ServiceRules.objection(to: .only(path: path)) == nil)
    }

    @Test(
        arguments: [
            "", "/", "/dev", "/dev/", "event3", "dev/input/event3", "/etc/passwd", "/home/eve/remote",
            "/dev/shm/link", "/dev/fd/3", "/dev/input/../../home/eve/link", "/dev/input/./event3",
            "/dev//input/event3", "/dev/input/", "/proc/self/fd/5",
        ]) func `Links are followed nowhere else`(path: String)
    {
        #expect(ServiceRules.objection(to: .only(path: path)) == .path)
    }

    @Test func `What asks for nothing is fine`() {
        for message: ClientMessage in [
            .capture(.exclusive), .ignore(stableID: "usb:1:2:x", true), .acknowledge(number: 1),
        ] { #expect(ServiceRules.objection(to: message) == nil) }
    }
}
