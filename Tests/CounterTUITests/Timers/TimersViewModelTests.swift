import Testing

@testable import CounterModel
@testable import CounterTUI

@Suite("Timers: keys and fields") struct TimersViewModelTests {
    private let screens: Screens
    private let ids: [UniqueId]

    init() {
        let sample = TimersSample.ordinary
        (screens, ids) = (sample.screens(at: 28), sample.ids)
    }

    private static let enter = TerminalEvent.key(.enter)
    private static let clear = TerminalEvent.character("\u{15}")

    private func type(_ text: String) -> [TerminalEvent] { text.map { .character($0) } }

    private var field: TextField? { screens.context.field?.field }

    /// What Enter in the last field does after `text` was typed into the first one of a new timer.
    private func start(_ text: String, _ screens: Screens = TimersSample().screens(at: 0)) -> String? {
        screens.press(type("n" + text) + [Self.enter, Self.enter])
        return screens.press(Self.enter)
    }

    @Test func aTimerIsThreeFields() {
        let screens = TimersSample().screens(at: 0)
        screens.press(type("n5m  Robins") + [Self.enter])
        #expect(screens.context.field?.title == "New timer: at its end, 2 of 3")
        #expect(screens.context.field?.field.text == "sound")
        screens.press([Self.clear] + type("Silent") + [Self.enter])
        #expect(screens.context.field?.field.text == "Hall")
        screens.type(", North door")
        let setup = TimerSetup(
            label: "Robins", seconds: 300, mode: .silent, locations: .some(["Hall", "North door"]))
        #expect(screens.press(Self.enter) == "submit \(setup)")
    }

    @Test func escapeGoesBackAndNothingTypedIsLost() {
        let screens = TimersSample().screens(at: 0)
        let escape = TerminalEvent.key(.escape)
        var text: String? { screens.context.field?.field.text }
        screens.press(type("n5m  Robins") + [Self.enter, Self.clear] + type("silent") + [Self.enter])
        screens.press(type(", Halt") + [Self.enter])
        #expect(screens.context.field?.field.problem == "there is no location 'Halt'. Did you mean 'Hall'? ")
        screens.press([escape])
        #expect(text == "silent")
        screens.press([escape])
        #expect(text == "5m  Robins")
        screens.press([.key(.home), .key(.delete)] + type("6") + [Self.enter])
        #expect(text == "silent")
        screens.press([Self.enter])
        #expect(text == "Hall, Halt")
        let setup = TimerSetup(label: "Robins", seconds: 360, mode: .silent, locations: .some(["Hall"]))
        #expect(screens.press([Self.clear] + type("Hall") + [Self.enter]).last == "submit \(setup)")
        screens.press([escape, escape, escape])
        #expect(screens.context.field == nil)
    }

    @Test(arguments: [
        ("0", "1s to 99:59:59"), ("100h", "1s to 99:59:59"), ("soon", "no duration"), ("", "enter how long"),
        ("0 x 5m", "1 to 99 rounds"), ("3 x 5m, soon", "'soon' is no duration"),
        ("3 x Sets", "how long a round is, such as 3 x 5m"), ("3x", "how long a round is"),
        ("3 x 5m 1m Sets", "write 5m, 1m for rounds with pauses"), ("5m 1m", "a word before 1m"),
    ])
    func aWrongDurationStaysInTheField(text: String, why: String) {
        screens.press(type("n" + text) + [Self.enter])
        #expect(field?.problem?.contains(why) == true)
    }

    @Test(arguments: [
        ("5m Robins", 300, 1, 0, "Robins"), ("3 x 5m, 1m Sets of ten", 300, 3, 60, "Sets of ten"),
        ("2 × 90s", 90, 2, 0, ""), ("3 x 5m Sets, short", 300, 3, 0, "Sets, short"),
        ("5 xylophones", 300, 1, 0, "xylophones"),
    ])
    func roundsAreTypedAsTheyAreShown(text: String, seconds: Int, rounds: Int, pause: Int, label: String) {
        let setup = TimerSetup(
            label: label, seconds: seconds, locations: .some(["Hall"]), rounds: rounds, pauseSeconds: pause)
        #expect(start(text) == "submit \(setup)")
    }

    @Test func aNewTimerIsAsTheSettingsSay() {
        let screens = TimersSample().screens(at: 0)
        screens.timers.usual.mode = .vibration
        screens.timers.usual.isUrgent = true
        screens.timers.usual.volume = 40
        let setup = TimerSetup(
            seconds: 300, mode: .vibration, locations: .some(["Hall"]), isUrgent: true, volume: 40)
        #expect(start("5m", screens) == "submit \(setup)")
    }

    @Test func aRemovedPresetIsRestored() throws {
        #expect(screens.type("u") == ["undo"])
        let id = try #require(screens.timers.presets.first).preset.id
        screens.timers.removedPreset = id
        #expect(screens.type("u") == ["restore \(id)"])
    }

    @Test func enterDoesWhatTheFirstButtonSays() {
        #expect(screens.press(Self.enter) == "\(TimerAction.pause) \(ids[0])")
        #expect(screens.press([.key(.down), Self.enter]) == ["", "\(TimerAction.resume) \(ids[1])"])
        let actions = [TimerAction.resume, .stop, .remove].map { "\($0) \(ids[1])" }
        #expect(screens.type("psx") == actions)
        #expect(
            screens.type(">*+=-") == [
                "extend \(ids[1])", "keep \(ids[1])", "count in", "count in", "count out",
            ])
    }

    @Test func aPresetIsStartedEditedAndRemoved() throws {
        let preset = try #require(screens.timers.presets.first).preset
        screens.press([.key(.down), .key(.down), .key(.down)])
        #expect(screens.press(Self.enter) == "start \(preset.id)")
        #expect(screens.type("x") == ["hide \(preset.id)"])
        screens.type("e")
        #expect(field?.text == "1m Press-ups")
    }

    @Test func theOptionsOfAPresetAreAField() throws {
        let preset = try #require(screens.timers.presets.first).preset
        screens.press(
            [.key(.down), .key(.down), .key(.down)] + type("e") + [Self.enter, Self.enter, Self.enter])
        #expect(screens.context.field?.title == "Preset: options, 4 of 4" && field?.text == "")
        screens.press(type("Lead-in, last  minute, urgent,discard, volume 101") + [Self.enter])
        #expect(field?.problem == "the volume is 0 to 100")
        screens.press([.key(.left), .key(.delete), Self.enter])
        var setup = preset.setup
        (setup.leadInSeconds, setup.announcesLastMinute, setup.isUrgent) = (3, true, true)
        (setup.endAction, setup.volume) = (.discard, 10)
        #expect(screens.press(Self.enter) == "submit \(setup) as \(preset.id)")
        #expect(setup.words == ["lead-in", "last minute", "urgent", "discard", "volume 10"])
    }

    @Test func theOptionsThatAreShownAreReadAsTheyWere() throws {
        let setups = [0, 5].flatMap { leadIn in
            [true, false].flatMap { flag in
                EndAction.allCases.map {
                    TimerSetup(
                        seconds: 60, endAction: $0, leadInSeconds: leadIn, announcesLastMinute: flag,
                        isUrgent: !flag, volume: flag ? 0 : 100)
                }
            }
        }
        for setup in setups {
            var read = setup
            try read.take(words: setup.words.joined(separator: ", "))
            #expect(read == setup)
        }
        var setup = setups[0]
        #expect(throws: FieldProblem.self) { try setup.take(words: "loud") }
    }

    @Test func aSettingIsSwitchedOrTyped() {
        #expect(screens.press([.key(.end), Self.enter]) == ["", "speech each"])
        screens.press([.key(.up), Self.enter])
        #expect(field?.text == "80")
        #expect(screens.press(Self.enter) == "")
        #expect(screens.context.overlay == nil)
        screens.press([Self.enter, Self.clear] + type("30"))
        #expect(screens.press(Self.enter) == "soundVolume 30")
    }

    @Test func aViewerChangesNoSetting() {
        screens.timers.mayChange = false
        #expect(screens.press([.key(.end), .key(.up), Self.enter]) == ["", "", "refuse"])
        #expect(screens.context.overlay == nil)
    }

    @Test func enterAndSpaceAcknowledgeOnEveryTabButNotInFields() {
        let screens = TimersSample.ordinary.screens(at: 900)
        for tab in "12345" {
            _ = screens.press(.character(tab))
            #expect(screens.press([Self.enter, .character(" ")]) == ["acknowledge", "acknowledge"])
        }
        screens.type("n")
        #expect(screens.press([.character(" "), Self.enter]) == ["", "ring"])
    }

    @Test func whatIsRefusedNamesTheKeyThatHelps() {
        let running = TimerRefusal.notPossible(.remove, .running, number: 1)
        #expect(screens.timers.remedy(of: running) == "Stop it first: S.")
        #expect(screens.timers.remedy(of: .tooManyPresets([])) == "Remove one: X.")
        screens.context.locations.offer(
            [.init(id: "a", name: "A", key: LocationKey("s"))], preferred: "a")
        #expect(screens.timers.remedy(of: running) == "Stop it first: 8.")
        #expect(screens.timers.remedy(of: .notPossible(.pause, .stopped, number: 1)) == nil)
    }

    @Test(arguments: [20, 30, 40, 60, 80, 120, 250], 1...5)
    func ofTheTimersThatHaveNoRoomOnCountItIsSaidHowManyTheyAre(columns: Int, count: Int) throws {
        var sample = TimersSample()
        for number in 1...count { sample.start(TimerSetup(label: "Timer \(number)", seconds: 300)) }
        let screens = sample.screens(at: 1)
        screens.type("1")
        let lines = screens.lines(columns)
        let line = try #require(lines.first { $0.contains("Timer 1") })
        let shown = (1...count).count { line.contains("Timer \($0) ") }
        let rest = try #/ \+(\d+) *$/#.firstMatch(in: line).flatMap { Int($0.1) } ?? 0
        #expect(shown > 0 && shown + rest == count, "\(line)")
    }

    @Test func thePartsOfAResultAreShownWhereTheyFit() {
        let all = ["      North door  0 up, 0 down  net 0", "      Hall        12 in, 3 out  net 9"]
        func lines(_ rows: Int) -> [String] {
            screens.lines(80, rows)
        }
        func shown(_ rows: Int) -> Int { lines(rows).filter { $0.contains(all[1].dropFirst(2)) }.count }
        #expect(shown(60) == 2)
        #expect(lines(60).contains { $0.contains("round 1     12 in, 3 out  net 9") })
        // The first timer counts in one location.
        #expect(shown(24) == 0)
        screens.press([.key(.down)])
        #expect(shown(24) == 1)
    }

    @Test func aClickOnTheLineOfTheAlarmAcknowledgesUnderAFieldToo() throws {
        let screens = TimersSample.ordinary.screens(at: 900)
        #expect(try screens.click("⏰") == "acknowledge")
        screens.type("n5m")
        #expect(try screens.click("⏰") == "acknowledge")
        #expect(screens.context.field?.field.text == "5m")
    }
}
