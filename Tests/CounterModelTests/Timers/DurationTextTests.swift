import CounterModel
import Testing

@Suite struct DurationTextTests {
    @Test(arguments: [
        ("150ms", 150), ("5m", 300_000), ("5min", 300_000), ("1h30m", 5_400_000), ("90s", 90_000),
        ("00:05:00", 300_000), ("99:59:59", 359_999_000), ("1.5s", 1_500), ("2MIN", 120_000), ("0s", 0),
        ("1m30s", 90_000), ("100h", 360_000_000), ("1h0m5s", 3_605_000),
    ])
    func reads(text: String, milliseconds: Int) {
        #expect(DurationText.read(text) == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "", "m", "5x", "-5m", "+5m", "5m5m", "30s1m", "1:00", "00:60:00", "00:00:60", "0:5:00", "1..5s",
        ".5s", "5.m", " 5m", "5 m", "1e3s", "٥m", "5m3", "99999999999999999999s", "5", "nan", "inf", "::",
    ])
    func refuses(text: String) {
        #expect(DurationText.read(text) == nil)
    }

    @Test func readsABareNumberInTheUnitOfTheCaller() {
        #expect(DurationText.read("5", bareUnit: .minutes) == .seconds(300))
        #expect(DurationText.read("0.5", bareUnit: .minutes) == .seconds(30))
        #expect(DurationText.read("1h5", bareUnit: .minutes) == nil)
    }

    @Test func aTimerLastsASecondToAHundredHours() throws {
        #expect(try TimerDuration.read("1s") == 1)
        #expect(try TimerDuration.read("5") == 300)
        #expect(try TimerDuration.read("99:59:59") == 359_999)
        for text in ["0", "0s", "100h", "100:00:00", "1500ms", "1.5s", "999999999h"] {
            let problem = FieldProblem("'\(text)': \(TimerDuration.text)")
            #expect(throws: problem) { try TimerDuration.read(text) }
        }
        #expect(throws: FieldProblem.self) { try TimerDuration.read("soon") }
    }

    @Test(arguments: [
        (1, "1s", "0:01"), (300, "5m", "5:00"), (5400, "1h30m", "1:30:00"), (90, "1m30s", "1:30"),
    ])
    func writesWhatItReads(seconds: Int, short: String, clock: String) {
        #expect(DurationText.short(seconds: seconds) == short)
        #expect(DurationText.clock(seconds: seconds) == clock)
        #expect(DurationText.read(short) == .seconds(seconds))
    }
}

@Suite struct AgeTextTests {
    @Test(arguments: [
        (0, "0 s", "just now"), (59, "59 s", "just now"), (60, "1 min", "1 min ago"),
        (3600, "1 h", "60 min ago"), (7200, "2 h", "2 h ago"), (86_400, "24 h", "24 h ago"),
        (172_800, "2 d", "2 d ago"),
    ])
    func anAgeIsInItsLargestUnit(seconds: Int, card: String, words: String) {
        let styles = [DurationText.AgeStyle.card, .words]
        #expect(styles.map { DurationText.age(seconds: seconds, $0) } == [card, words])
        for style in styles {
            let change = seconds + DurationText.seconds(untilChangeOf: seconds, style)
            #expect(DurationText.age(seconds: change - 1, style) == DurationText.age(seconds: seconds, style))
            #expect(DurationText.age(seconds: change, style) != DurationText.age(seconds: seconds, style))
        }
    }
}

@Suite struct LabelSanitizerTests {
    @Test(arguments: [
        ("  Robins \t in\nthe   hedge ", "Robins in the hedge"), ("", ""), (" \u{200B}\u{2060} ", ""),
        ("a\u{1B}[31mb\u{7}", "a[31mb"), ("ab\u{202E}cd\u{2069}", "abcd"), ("a\r\nb", "a b"),
        ("👩‍👩‍👧 ok", "👩‍👩‍👧 ok"), ("a \u{1} b", "a b"), ("é", "é"),
    ])
    func label(of typed: String, expected: String) {
        #expect(LabelSanitizer.label(typed) == expected)
        #expect(LabelSanitizer.label(expected) == expected)
    }

    @Test func cutsAtOneHundredCharactersAsPeopleCountThem() {
        #expect(LabelSanitizer.label(String(repeating: "👩‍👩‍👧", count: 120)).count == 100)
        let couple = "👩🏽‍❤️‍💋‍👨🏿"
        #expect(LabelSanitizer.label(String(repeating: couple, count: 101)).count == 100)
        #expect(
            LabelSanitizer.label(String(repeating: "a", count: 99) + "  b")
                == String(repeating: "a", count: 99))
        let towering = "e" + String(repeating: "\u{301}", count: 5_000) + "x"
        #expect(LabelSanitizer.label(towering).utf8.count <= 4_000)
    }
}
